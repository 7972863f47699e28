import '../parts/layout.css';
import './webhooks.css';
import type {WebhookEndpoint} from '@signalbox/client-sdk';
import type {ComponentChildren} from 'preact';
import {useLocation, useRoute} from 'preact-iso';
import {type Resource, useResource} from '../live/use-resource.ts';
import {CodeLine} from '../parts/copy-button.tsx';
import {Crumb} from '../parts/crumb.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pill} from '../parts/pill.tsx';
import {Tabs} from '../parts/tabs.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {hookUrl} from '../session/addresses.ts';
import {client} from '../session/client.ts';
import {EndpointSecret} from './endpoint-secret.tsx';

/** Where others send webhooks for an endpoint. */
export const addressOf = ({slug}: Pick<WebhookEndpoint, 'slug'>): string => `${hookUrl.replace(/\/$/, '')}/wh/${slug}`;

export const useEndpoint = (id: string): Resource<WebhookEndpoint> =>
	useResource(`endpoint/${id}`, () => client.webhook.endpoints.get({path: {id}}));

const tabsOf = (id: string) => [
	{path: `/webhooks/endpoints/${id}`, label: 'Pipeline'},
	{path: `/webhooks/endpoints/${id}/routing`, label: 'Routing'},
	{path: `/webhooks/endpoints/${id}/settings`, label: 'Settings'},
	{path: `/webhooks/events?endpoint=${id}`, label: 'Events'},
];

type Props = Readonly<{
	children: (endpoint: WebhookEndpoint, resource: Resource<WebhookEndpoint>) => ComponentChildren;
}>;

/** The frame of an endpoint's pages: its name, its address, and where else one can go. */
export const EndpointFrame = ({children}: Props) => {
	const {id = ''} = useRoute().params;
	const {path} = useLocation();
	const resource = useEndpoint(id);
	const {data} = resource;
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/webhooks" label="Endpoints" />
					<h1>
						<VisibleText text={data?.name ?? 'Endpoint'} />
					</h1>
				</div>
				{data && <Pill tone={data.is_active ? 'good' : 'idle'}>{data.is_active ? 'Active' : 'Not active'}</Pill>}
			</div>
			<Tabs label="Endpoint" tabs={tabsOf(id)} current={path} />
			<EndpointSecret endpointId={id} />
			<Loaded resource={resource} label="Loading the endpoint">
				{(endpoint) => (
					<>
						<div class="stack tight">
							<span class="small soft">Senders post to</span>
							<CodeLine text={addressOf(endpoint)} />
						</div>
						{children(endpoint, resource)}
					</>
				)}
			</Loaded>
		</div>
	);
};
