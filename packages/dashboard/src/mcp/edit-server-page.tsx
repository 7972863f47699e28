import './mcp.css';
import {useLocation, useRoute} from 'preact-iso';
import {useFresh} from '../live/use-fresh.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {ServerForm} from './server-form.tsx';

export default () => {
	const {id = ''} = useRoute().params;
	const {route} = useLocation();
	const {data, error, reload} = useFresh(`mcp/server/${id}`, () => client.mcp.servers.get({path: {id}}));
	return (
		<div class="page narrow">
			<div>
				<a class="crumb" href={`/mcp/servers/${id}`}>
					<Icon name="back" />
					{data?.name ?? 'Server'}
				</a>
				<h1>Edit</h1>
			</div>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && (
				<div class="card">
					<div class="card-body">
						<Skeleton lines={12} label="Loading the server" />
					</div>
				</div>
			)}
			{data && (
				<ServerForm
					server={data}
					action="Save"
					submit={async (body) => {
						await client.mcp.servers.update({path: {id}, body});
						showDone('Saved');
						route(`/mcp/servers/${id}`, true);
					}}
				/>
			)}
		</div>
	);
};
