import type {McpCall} from '@signalbox/client-sdk';
import {useEffect, useMemo, useRef} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {type LongList, useLongList} from '../live/use-long-list.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {useWindowRows} from '../parts/virtual-rows.tsx';
import {client} from '../session/client.ts';
import {CallFilters, type Filter, filterOf, isFiltered} from './call-filters.tsx';
import {CallState} from './call-state.tsx';
import {McpHead} from './mcp-head.tsx';
import {durationText} from './server-words.ts';
import {useServers} from './use-servers.ts';

const rowHeight = 53;

const Row = ({call, serverName}: {call: McpCall; serverName: string}) => (
	<a class="call-row" href={`/mcp/calls/${call.id}`}>
		<code class="truncate strong call-tool">
			<VisibleText text={call.tool_name || call.method} />
		</code>
		<span class="truncate soft call-server">{serverName}</span>
		<span class="call-state">
			<CallState status={call.status} />
		</span>
		<span class="soft number call-duration">{durationText(call.duration_ms)}</span>
		<span class="soft call-time">
			<RelativeTime instant={call.created_at} />
		</span>
	</a>
);

const Blank = () => (
	<div class="call-row" aria-hidden="true">
		<span class="skeleton" />
	</div>
);

const Nothing = ({filtered}: {filtered: boolean}) => (
	<Empty icon="search" title={filtered ? 'No call is like that' : 'No call yet'}>
		{filtered ? (
			<p>
				Nothing in the log matches these filters. <a href="/mcp/calls">Show all calls</a>
			</p>
		) : (
			<p>
				Point an MCP client at one of your <a href="/mcp">servers</a>. Every request that it makes is listed here, with
				what was asked, what came back, and how long it took.
			</p>
		)}
	</Empty>
);

type PlaceProps = Readonly<{start: number; call: McpCall | undefined; name: string | undefined}>;

/** While people scroll, rows that are there already are not made anew. */
const Place = ({start, call, name = ''}: PlaceProps) => {
	const content = useMemo(() => (call ? <Row call={call} serverName={name} /> : <Blank />), [call, name]);
	return (
		<div class="call-place" style={{transform: `translateY(${start}px)`}}>
			{content}
		</div>
	);
};

const Rows = ({list}: {list: LongList<McpCall>}) => {
	const frame = useRef<HTMLDivElement>(null);
	const names = useServers();
	const {items, height} = useWindowRows(frame, {count: list.total ?? 0, rowHeight: () => rowHeight});
	const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
	useEffect(() => list.show(first, last), [first, last, list.total]);
	return (
		<div ref={frame} class="call-rows" style={{height: `${height}px`}}>
			{items.map(({index, start}) => {
				const call = list.at(index);
				return <Place key={index} start={start} call={call} name={call && names.nameOf(call.mcp_server_id)} />;
			})}
		</div>
	);
};

const Calls = ({list, filter}: {list: LongList<McpCall>; filter: Filter}) => (
	<div class="card calls">
		{list.total === undefined && list.error === undefined && (
			<div class="card-body">
				<Skeleton lines={10} label="Loading calls" />
			</div>
		)}
		{list.total === 0 && <Nothing filtered={isFiltered(filter)} />}
		{list.total !== undefined && list.total > 0 && <Rows list={list} />}
	</div>
);

export default () => {
	const {query} = useLocation();
	const filter = filterOf(query);
	const list = useLongList<McpCall>(
		`calls/${JSON.stringify(filter)}`,
		(limit, offset) => client.mcp.calls.list({query: {...filter, limit, offset}}),
		['mcp.call'],
	);
	return (
		<div class="page">
			<McpHead tab="/mcp/calls" />
			<CallFilters filter={filter} />
			{list.error !== undefined && <ErrorNotice error={list.error} retry={list.restart} />}
			<div class="stack tight">
				<div class="row apart list-count">
					<span class="small soft number" role="status">
						{list.total === undefined ? 'Counting' : `${list.total} ${list.total === 1 ? 'call' : 'calls'}`}
					</span>
					{list.hasNews && (
						<button
							type="button"
							class="button small"
							onClick={() => {
								scrollTo(0, 0);
								list.restart();
							}}
						>
							Show new calls
						</button>
					)}
				</div>
				<Calls list={list} filter={filter} />
			</div>
		</div>
	);
};
