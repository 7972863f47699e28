import '../parts/layout.css';
import './webhooks.css';
import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {CopyButton} from '../parts/copy-button.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pill} from '../parts/pill.tsx';
import {TableHead} from '../parts/table-head.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {client} from '../session/client.ts';
import {addressOf} from './endpoint-frame.tsx';
import {WebhookTabs} from './webhook-tabs.tsx';

const Nothing = () => (
	<div class="card">
		<Empty icon="webhooks" title="No endpoint yet">
			<p>
				An endpoint is an address that others send webhooks to: GitHub, Stripe, or your own programs. What comes in is
				kept, goes through the steps that you give it, and on to where you want it, again and again until it arrives.
			</p>
			<a class="button primary" href="/webhooks/new">
				Make an endpoint
			</a>
		</Empty>
	</div>
);

const Row = ({endpoint}: {endpoint: WebhookEndpoint}) => (
	<tr>
		<td>
			<a class="row-link" href={`/webhooks/endpoints/${endpoint.id}`}>
				<VisibleText text={endpoint.name} />
			</a>
		</td>
		<td data-label="State">
			<Pill tone={endpoint.is_active ? 'good' : 'idle'}>{endpoint.is_active ? 'Active' : 'Not active'}</Pill>
		</td>
		<td data-label="Goes to">
			<code class="small">
				<VisibleText text={endpoint.destination_url} />
			</code>
		</td>
		<td class="actions">
			<CopyButton text={addressOf(endpoint)} label="Copy address" />
			<a class="button quiet small" href={`/webhooks/events?endpoint=${endpoint.id}`}>
				Events
			</a>
		</td>
	</tr>
);

const Endpoints = ({endpoints}: {endpoints: readonly WebhookEndpoint[]}) => (
	<div class="card table-frame">
		<table class="table cards">
			<TableHead columns={['Endpoint', 'State', 'Goes to']} />
			<tbody>
				{endpoints.map((endpoint) => (
					<Row key={endpoint.id} endpoint={endpoint} />
				))}
			</tbody>
		</table>
	</div>
);

export default () => {
	const resource = useResource('endpoints', async () => (await client.webhook.endpoints.list()).data);
	return (
		<div class="page">
			<div class="page-head">
				<h1>Webhooks</h1>
				<a class="button primary" href="/webhooks/new">
					<Icon name="add" />
					New endpoint
				</a>
			</div>
			<WebhookTabs current="/webhooks" />
			<Loaded resource={resource} label="Loading endpoints">
				{(endpoints) => (endpoints.length === 0 ? <Nothing /> : <Endpoints endpoints={endpoints} />)}
			</Loaded>
		</div>
	);
};
