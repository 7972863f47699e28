import './mcp.css';
import {useLocation} from 'preact-iso';
import {Icon} from '../parts/icon.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {ServerForm} from './server-form.tsx';

export default () => {
	const {route} = useLocation();
	return (
		<div class="page narrow">
			<div>
				<a class="crumb" href="/mcp">
					<Icon name="back" />
					Servers
				</a>
				<h1>New server</h1>
			</div>
			<ServerForm
				action="Create the server"
				submit={async (body) => {
					const {id, name} = await client.mcp.servers.create({body});
					showDone(`Created: ${name}`);
					route(`/mcp/servers/${id}`, true);
				}}
			/>
		</div>
	);
};
