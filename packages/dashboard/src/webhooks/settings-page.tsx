import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {useFresh} from '../live/use-fresh.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import type {EndpointFields} from './endpoint-fields.ts';
import {EndpointForm} from './endpoint-form.tsx';
import {EndpointFrame} from './endpoint-frame.tsx';
import {showSecret} from './endpoint-secret.tsx';

const Danger = ({endpoint: {id, name}, onRotated}: {endpoint: WebhookEndpoint; onRotated: () => void}) => {
	const {route} = useLocation();
	const [isRotating, askToRotate] = useState(false);
	const path = {id};
	const rotate = async (): Promise<void> => {
		showSecret(await client.webhook.endpoints.rotateSecret({path}));
		onRotated();
	};
	const remove = async (): Promise<void> => {
		await client.webhook.endpoints.delete({path});
		route('/webhooks');
	};
	return (
		<section class="card form-card" aria-label="Secret and end">
			<div class="card-body row">
				<button type="button" class="button" onClick={() => askToRotate(true)}>
					New signing secret
				</button>
				<DeleteButton id={id} label="Delete endpoint" action="Delete for good" name={name} onDelete={remove}>
					<p>Its events, steps and rules go with it, and its address answers nobody.</p>
				</DeleteButton>
			</div>
			{isRotating && (
				<ConfirmDialog
					title="Make a new signing secret?"
					action="Make a new one"
					onConfirm={rotate}
					onClose={() => askToRotate(false)}
				>
					<p>For 24 hours deliveries are signed with the old one, too. Give your destination the new one by then.</p>
				</ConfirmDialog>
			)}
		</section>
	);
};

type SettingsProps = Readonly<{id: string; onSaved: (saved: WebhookEndpoint) => void; onRotated: () => void}>;

const Settings = ({id, onSaved, onRotated}: SettingsProps) => {
	const stored = useFresh(`endpoint/${id}`, () => client.webhook.endpoints.get({path: {id}}));
	const save = async (body: EndpointFields): Promise<void> => {
		onSaved(await client.webhook.endpoints.update({path: {id}, body}));
		showDone('Saved.');
	};
	return (
		<Loaded resource={stored} label="Loading the settings" lines={10}>
			{(endpoint) => (
				<>
					<section class="card form-card" aria-label="Settings">
						<div class="card-body">
							<EndpointForm endpoint={endpoint} action="Save" onSave={save} />
						</div>
					</section>
					<Danger endpoint={endpoint} onRotated={onRotated} />
				</>
			)}
		</Loaded>
	);
};

export default () => (
	<EndpointFrame>
		{({id}, {change, reload}) => (
			<Settings key={id} id={id} onSaved={(saved) => change(() => saved)} onRotated={reload} />
		)}
	</EndpointFrame>
);
