import '../parts/layout.css';
import './webhooks.css';
import type {WebhookEndpoint, WebhookEvent} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Empty} from '../parts/empty.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pager} from '../parts/pager.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {type EventFilter, EventFilters, filterOf} from './event-filter.tsx';
import {EventState} from './event-state.tsx';
import {WebhookTabs} from './webhook-tabs.tsx';

const limit = 50;

const Nothing = ({filtered}: {filtered: boolean}) => (
	<Empty icon="webhooks" title={filtered ? 'No event is like that' : 'No webhook has come in yet'}>
		<p>
			{filtered
				? 'Choose another endpoint or state, or a longer time.'
				: 'Everything that is sent to one of your endpoints is kept here: what it said, what became of it, and every attempt to deliver it.'}
		</p>
	</Empty>
);

const Row = ({event, endpoint}: {event: WebhookEvent; endpoint: string}) => (
	<tr>
		<td>
			<a class="row-link" href={`/webhooks/events/${event.id}`}>
				<VisibleText text={endpoint} />
			</a>
		</td>
		<td data-label="State">
			<EventState status={event.delivery_status} />
		</td>
		<td data-label="Came in">
			<RelativeTime instant={event.created_at} />
		</td>
		<td data-label="Request">
			<code>
				<VisibleText text={event.method} />
			</code>
		</td>
		<td data-label="Answer">{event.status_code ?? '–'}</td>
		<td data-label="Retries">{event.retry_count}</td>
	</tr>
);

const Events = ({events, nameOf}: {events: readonly WebhookEvent[]; nameOf: (id: string) => string}) => (
	<div class="table-frame">
		<table class="table cards">
			<thead>
				<tr>
					<th>Endpoint</th>
					<th>State</th>
					<th>Came in</th>
					<th>Request</th>
					<th>Answer</th>
					<th>Retries</th>
				</tr>
			</thead>
			<tbody>
				{events.map((event) => (
					<Row key={event.id} event={event} endpoint={nameOf(event.endpoint_id)} />
				))}
			</tbody>
		</table>
	</div>
);

type BulkProps = Readonly<{filter: EventFilter; total: number; onDone: () => void}>;

const bulk = {
	retry: {title: 'Try what failed again?', words: 'Failed deliveries of', done: 'tried again'},
	replay: {title: 'Send them through again?', words: 'Copies of', done: 'sent through again'},
};

/** What can be done with all that the filter selects. */
const BulkActions = ({filter, total, onDone}: BulkProps) => {
	const [asked, ask] = useState<keyof typeof bulk>();
	const run = async (what: keyof typeof bulk): Promise<void> => {
		const {events} = client.webhook;
		const {count, skipped} = await (what === 'retry'
			? events.retryAll({body: filter})
			: events.replayAll({body: filter}));
		showDone(`${count} ${bulk[what].done}${skipped > 0 ? `, ${skipped} passed over` : ''}.`);
		onDone();
	};
	return (
		<span class="row">
			<button type="button" class="button small" disabled={total === 0} onClick={() => ask('retry')}>
				Retry failed
			</button>
			<button type="button" class="button small" disabled={total === 0} onClick={() => ask('replay')}>
				Replay all
			</button>
			{asked && (
				<ConfirmDialog
					title={bulk[asked].title}
					action={asked === 'retry' ? 'Retry' : 'Replay'}
					onConfirm={() => run(asked)}
					onClose={() => ask(undefined)}
				>
					<p>
						{bulk[asked].words} the {total} events that are selected here are delivered
						{asked === 'replay' ? ', after they went through the steps and rules as they are today.' : ' once more.'}
					</p>
				</ConfirmDialog>
			)}
		</span>
	);
};

const useEndpoints = (): readonly WebhookEndpoint[] =>
	useResource('endpoints', async () => (await client.webhook.endpoints.list()).data).data ?? [];

export default () => {
	const {query, path, route} = useLocation();
	const endpoints = useEndpoints();
	const filter = filterOf(query);
	const offset = Number(query.offset) || 0;
	const resource = useResource(
		`events/${JSON.stringify([filter, offset])}`,
		() => client.webhook.events.list({query: {...filter, limit, offset}}),
		['webhook.event', 'webhook.delivery'],
	);
	const nameOf = (id: string): string => endpoints.find((endpoint) => endpoint.id === id)?.name ?? `…${id.slice(-6)}`;
	const turn = (to: number): void => route(`${path}?${new URLSearchParams({...query, offset: String(to)})}`);
	return (
		<div class="page">
			<div class="page-head">
				<h1>Webhooks</h1>
				<BulkActions filter={filter} total={resource.data?.total ?? 0} onDone={resource.reload} />
			</div>
			<WebhookTabs current="/webhooks/events" />
			<EventFilters endpoints={endpoints} />
			<Loaded resource={resource} label="Loading events">
				{({data, total}) => (
					<div class="card">
						{data.length === 0 ? (
							<Nothing filtered={Object.keys(filter).length > 0} />
						) : (
							<Events events={data} nameOf={nameOf} />
						)}
						<Pager total={total} limit={limit} offset={offset} onOffset={turn} />
					</div>
				)}
			</Loaded>
		</div>
	);
};
