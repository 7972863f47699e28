import type {McpServer} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {Pill} from '../parts/pill.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TableHead} from '../parts/table-head.tsx';
import {client} from '../session/client.ts';
import {McpHead} from './mcp-head.tsx';
import {approvalWords} from './server-words.ts';

const NewServer = () => (
	<a class="button primary" href="/mcp/new">
		<Icon name="add" />
		New server
	</a>
);

const Row = ({server}: {server: McpServer}) => (
	<tr>
		<td>
			<span class="two-lines">
				<a class="row-link truncate" href={`/mcp/servers/${server.id}`}>
					{server.name}
				</a>
				<span class="small faint truncate">{server.target_url}</span>
			</span>
		</td>
		<td data-label="State">
			<Pill tone={server.is_active ? 'good' : 'idle'}>{server.is_active ? 'Active' : 'Off'}</Pill>
		</td>
		<td data-label="Approvals" class="soft">
			{approvalWords(server.approval_config)}
		</td>
		<td class="actions">
			<a class="button quiet small" href={`/mcp/calls?server_id=${server.id}`}>
				Calls
			</a>
		</td>
	</tr>
);

const Servers = ({servers}: {servers: readonly McpServer[]}) => (
	<table class="table cards">
		<TableHead columns={['Server', 'State', 'Approvals']} />
		<tbody>
			{servers.map((server) => (
				<Row key={server.id} server={server} />
			))}
		</tbody>
	</table>
);

const Nothing = () => (
	<Empty icon="mcp" title="No server yet">
		<p>
			Register an MCP server, and agents reach it through Signalbox: every call is logged, limits and budgets hold, and
			the calls that you choose wait for a person.
		</p>
		<NewServer />
	</Empty>
);

export default () => {
	const {data, error, reload} = useResource('mcp/servers', async () => (await client.mcp.servers.list()).data);
	return (
		<div class="page">
			<McpHead tab="/mcp">{data !== undefined && data.length > 0 && <NewServer />}</McpHead>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			<div class="card">
				{data === undefined && error === undefined && (
					<div class="card-body">
						<Skeleton lines={6} label="Loading servers" />
					</div>
				)}
				{data?.length === 0 && <Nothing />}
				{data !== undefined && data.length > 0 && <Servers servers={data} />}
			</div>
		</div>
	);
};
