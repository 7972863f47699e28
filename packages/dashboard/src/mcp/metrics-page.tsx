import type {McpCallMetrics} from '@signalbox/client-sdk';
import {useMemo} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {client} from '../session/client.ts';
import {Chart} from './chart.tsx';
import {McpHead} from './mcp-head.tsx';
import {durationText, moneyText} from './server-words.ts';
import {useServers} from './use-servers.ts';

const ranges = [7, 30, 90];
const usualRange = 30;

const count = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', {notation: 'compact'});

const Figure = ({name, value, note}: {name: string; value: string; note?: string}) => (
	<div class="figure">
		<dt>{name}</dt>
		<dd>
			<span class="figure-value number">{value}</span>
			{note !== undefined && <span class="small faint number">{note}</span>}
		</dd>
	</div>
);

const Figures = ({metrics}: {metrics: McpCallMetrics}) => (
	<dl class="figures card">
		<Figure name="Calls" value={count.format(metrics.total_calls)} />
		<Figure
			name="Success"
			value={`${(metrics.success_rate * 100).toFixed(1)} %`}
			note={`${count.format(metrics.error_count)} errors, ${count.format(metrics.timeout_count)} timeouts`}
		/>
		<Figure
			name="Median duration"
			value={durationText(metrics.p50_duration_ms)}
			note={`95 %: ${durationText(metrics.p95_duration_ms)}, 99 %: ${durationText(metrics.p99_duration_ms)}`}
		/>
		<Figure name="Cost" value={moneyText(metrics.total_cost_cents)} />
	</dl>
);

/** Every day of the range, those without a call as well. */
const daysOf = ({from, to, by_day}: McpCallMetrics) => {
	const day = 86_400_000;
	const known = new Map(by_day.map((each) => [each.date, each]));
	const first = Math.floor(Date.parse(from) / day);
	const last = Math.floor((Date.parse(to) - 1) / day);
	return Array.from({length: last - first + 1}, (_, at) => {
		const date = new Date((first + at) * day).toISOString().slice(0, 10);
		return {seconds: ((first + at) * day) / 1000, ...(known.get(date) ?? {calls: 0, errors: 0, avg_duration_ms: null})};
	});
};

const Charts = ({metrics}: {metrics: McpCallMetrics}) => {
	const {times, calls, durations} = useMemo(() => {
		const days = daysOf(metrics);
		return {
			times: days.map(({seconds}) => seconds),
			calls: [
				{label: 'Calls', color: '--accent', values: days.map((day) => day.calls), bars: true},
				{label: 'Errors', color: '--bad', values: days.map(({errors}) => errors), bars: true},
			],
			durations: [{label: 'Average', color: '--accent', values: days.map(({avg_duration_ms}) => avg_duration_ms)}],
		};
	}, [metrics]);
	return (
		<div class="two-columns even">
			<section class="card" aria-labelledby="by-day">
				<div class="card-head">
					<h2 id="by-day">Calls by day</h2>
				</div>
				<div class="card-body">
					<Chart times={times} series={calls} label="Calls and errors by day" format={(value) => short.format(value)} />
				</div>
			</section>
			<section class="card" aria-labelledby="durations">
				<div class="card-head">
					<h2 id="durations">Duration by day</h2>
				</div>
				<div class="card-body">
					<Chart times={times} series={durations} label="Average duration by day" format={durationText} />
				</div>
			</section>
		</div>
	);
};

const Tools = ({metrics: {by_tool}}: {metrics: McpCallMetrics}) => (
	<section class="card" aria-labelledby="tools">
		<div class="card-head">
			<h2 id="tools">Tools</h2>
		</div>
		<table class="table cards">
			<thead>
				<tr>
					<th>Tool</th>
					<th class="right">Calls</th>
					<th class="right">Errors</th>
					<th class="right">Average</th>
					<th class="right">95 %</th>
					<th class="right">Cost</th>
				</tr>
			</thead>
			<tbody>
				{by_tool.map((tool) => (
					<tr key={tool.tool_name}>
						<td>
							<a class="row-link" href={`/mcp/calls?tool_name=${encodeURIComponent(tool.tool_name)}`}>
								<code>
									<VisibleText text={tool.tool_name || 'other methods'} />
								</code>
							</a>
						</td>
						<td class="right" data-label="Calls">
							{count.format(tool.calls)}
						</td>
						<td class="right" data-label="Errors">
							{count.format(tool.errors)}
						</td>
						<td class="right" data-label="Average">
							{durationText(tool.avg_duration_ms)}
						</td>
						<td class="right" data-label="95 %">
							{durationText(tool.p95_duration_ms)}
						</td>
						<td class="right" data-label="Cost">
							{moneyText(tool.cost_cents)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);

const Choices = ({days, server_id}: {days: number; server_id: string}) => {
	const {route} = useLocation();
	const {servers} = useServers();
	const go = (next: Readonly<{days?: string; server_id?: string}>): void =>
		route(`/mcp/metrics?${new URLSearchParams({days: String(days), server_id, ...next})}`, true);
	return (
		<div class="filters">
			<select class="input" aria-label="Server" onChange={(event) => go({server_id: event.currentTarget.value})}>
				<option value="">Every server</option>
				{servers.map(({id, name}) => (
					<option key={id} value={id} selected={id === server_id}>
						{name}
					</option>
				))}
			</select>
			<select class="input" aria-label="Range" onChange={(event) => go({days: event.currentTarget.value})}>
				{ranges.map((range) => (
					<option key={range} value={range} selected={range === days}>
						Last {range} days
					</option>
				))}
			</select>
		</div>
	);
};

export default () => {
	const {query} = useLocation();
	const days = ranges.find((range) => String(range) === query.days) ?? usualRange;
	const server_id = query.server_id ?? '';
	const {data, error, reload} = useResource(
		`mcp/metrics/${days}/${server_id}`,
		() => client.mcp.calls.metrics({query: {days, ...(server_id !== '' && {server_id})}}),
		['mcp.call'],
	);
	return (
		<div class="page">
			<McpHead tab="/mcp/metrics" />
			<Choices days={days} server_id={server_id} />
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && (
				<div class="card">
					<div class="card-body">
						<Skeleton lines={12} label="Loading metrics" />
					</div>
				</div>
			)}
			{data?.total_calls === 0 && (
				<div class="card">
					<Empty icon="search" title="No call in this time">
						<p>How many calls there were, how they went, how long they took and what they cost is drawn here.</p>
					</Empty>
				</div>
			)}
			{data !== undefined && data.total_calls > 0 && (
				<>
					<Figures metrics={data} />
					<Charts metrics={data} />
					<Tools metrics={data} />
				</>
			)}
		</div>
	);
};
