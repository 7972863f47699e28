import './mcp.css';
import type {McpServer} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useLocation, useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {Pill} from '../parts/pill.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {BudgetCard} from './budget-card.tsx';
import {ConnectCard} from './connect-card.tsx';
import {ApprovalsCard, SettingsCard} from './server-cards.tsx';

type QuestionProps = Readonly<{server: McpServer; onClose: () => void; onChange: (server: McpServer) => void}>;

const RotateQuestion = ({server: {id}, onClose, onChange}: QuestionProps) => (
	<ConfirmDialog
		title="Give it a new address?"
		action="Make a new address"
		onClose={onClose}
		onConfirm={async () => onChange(await client.mcp.servers.rotateSlug({path: {id}}))}
	>
		Clients that use the current address are refused from this moment on, until they are told the new one.
	</ConfirmDialog>
);

const Delete = ({server: {id, name}}: {server: McpServer}) => {
	const {route} = useLocation();
	const remove = async (): Promise<void> => {
		await client.mcp.servers.delete({path: {id}});
		showDone(`Deleted: ${name}`);
		route('/mcp', true);
	};
	return (
		<DeleteButton name={name} id={id} action="Delete it, and its log" onDelete={remove}>
			Its clients are refused from this moment on, and every call that was logged for it goes with it. To stop it for a
			while, switch it off instead.
		</DeleteButton>
	);
};

const Head = ({server, onRotate}: {server: McpServer | undefined; onRotate: () => void}) => (
	<div class="page-head">
		<div>
			<a class="crumb" href="/mcp">
				<Icon name="back" />
				Servers
			</a>
			<div class="row">
				<h1>{server?.name ?? 'Server'}</h1>
				{server && <Pill tone={server.is_active ? 'good' : 'idle'}>{server.is_active ? 'Active' : 'Off'}</Pill>}
			</div>
		</div>
		{server && (
			<div class="row">
				<a class="button" href={`/mcp/calls?server_id=${server.id}`}>
					Calls
				</a>
				<button type="button" class="button" onClick={onRotate}>
					New address
				</button>
				<Delete server={server} />
			</div>
		)}
	</div>
);

const Loading = () => (
	<div class="card">
		<div class="card-body">
			<Skeleton lines={10} label="Loading the server" />
		</div>
	</div>
);

export default () => {
	const {id = ''} = useRoute().params;
	const {data, error, reload, change} = useResource(`mcp/server/${id}`, () => client.mcp.servers.get({path: {id}}));
	const [isRotating, askToRotate] = useState(false);
	return (
		<div class="page">
			<Head server={data} onRotate={() => askToRotate(true)} />
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && <Loading />}
			{data && (
				<div class="two-columns">
					<div class="stack loose">
						<ConnectCard server={data} />
						<ApprovalsCard server={data} />
					</div>
					<div class="stack loose">
						<BudgetCard server={data} />
						<SettingsCard server={data} />
					</div>
				</div>
			)}
			{data && isRotating && (
				<RotateQuestion server={data} onClose={() => askToRotate(false)} onChange={(next) => change(() => next)} />
			)}
		</div>
	);
};
