import '../parts/layout.css';
import './webhooks.css';
import type {WebhookEvent} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useLocation, useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Crumb} from '../parts/crumb.tsx';
import {Fact} from '../parts/fact.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showDone, showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {Deliveries} from './deliveries.tsx';
import {useEndpoint} from './endpoint-frame.tsx';
import {EventState} from './event-state.tsx';
import {RoutingOutcome} from './routing-outcome.tsx';
import {MessageHeaders, Result, StepEffects} from './step-effects.tsx';

const Request = ({event}: {event: WebhookEvent}) => (
	<section class="card" aria-label="What came in">
		<div class="card-head">
			<h2>What came in</h2>
		</div>
		<div class="card-body stack">
			<dl class="facts">
				<Fact name="Request">
					<code>
						<VisibleText text={`${event.method} ${event.path}${event.query === '' ? '' : `?${event.query}`}`} />
					</code>
				</Fact>
				<Fact name="From">
					<code>{event.source_ip}</code>
				</Fact>
				<Fact name="Came in">
					<RelativeTime instant={event.created_at} />
				</Fact>
			</dl>
			<details class="fold">
				<summary>Headers</summary>
				<MessageHeaders headers={event.headers} />
			</details>
			<TextViewer text={event.body} label="Body" />
		</div>
	</section>
);

const Trace = ({event}: {event: WebhookEvent}) => {
	const {pipeline, routing} = event.trace;
	return (
		<section class="card" aria-label="Trace">
			<div class="card-head">
				<h2>What became of it</h2>
			</div>
			<div class="card-body stack">
				<h3>Steps</h3>
				<StepEffects received={event} trace={pipeline} />
				{pipeline.steps.length > 0 && <Result result={pipeline.result} />}
				{routing !== null && (
					<>
						<h3>Routing</h3>
						<RoutingOutcome trace={routing} />
					</>
				)}
			</div>
		</section>
	);
};

type ActionsProps = Readonly<{event: WebhookEvent; onChange: (event: WebhookEvent) => void}>;

const Actions = ({event, onChange}: ActionsProps) => {
	const {route} = useLocation();
	const [busy, setBusy] = useState(false);
	const path = {id: event.id};
	const act = (run: () => Promise<void>) => (): void => {
		setBusy(true);
		void run()
			.catch(showProblem)
			.finally(() => setBusy(false));
	};
	const retry = async (): Promise<void> => {
		onChange(await client.webhook.events.retry({path}));
		showDone('What failed is tried again.');
	};
	const replay = async (): Promise<void> => {
		const {id} = await client.webhook.events.replay({path});
		showDone('A copy went through the steps and rules of today: this is it.');
		route(`/webhooks/events/${id}`);
	};
	const hasFailed = event.deliveries.some(({status}) => status === 'failed');
	return (
		<div class="row">
			<EventState status={event.delivery_status} />
			<button
				type="button"
				class="button"
				disabled={busy || !hasFailed}
				title={hasFailed ? undefined : 'No delivery has failed'}
				onClick={act(retry)}
			>
				<Icon name="reload" />
				Retry
			</button>
			<button type="button" class="button" disabled={busy} onClick={act(replay)}>
				<Icon name="run" />
				Replay
			</button>
		</div>
	);
};

const EndpointName = ({id}: {id: string}) => {
	const {data} = useEndpoint(id);
	return <VisibleText text={data?.name ?? 'an endpoint'} />;
};

/** A notice came from nobody, and leaves from no endpoint that could be shown. */
const EventName = ({event: {source_ip, endpoint_id}}: {event: WebhookEvent}) =>
	source_ip === '' ? (
		<>A notice to you</>
	) : (
		<>
			Webhook of <EndpointName id={endpoint_id} />
		</>
	);

export default () => {
	const {id = ''} = useRoute().params;
	const resource = useResource(`event/${id}`, () => client.webhook.events.get({path: {id}}), [
		'webhook.event',
		'webhook.delivery',
	]);
	const {data, change} = resource;
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/webhooks/events" label="Events" />
					<h1>{data === undefined ? 'Webhook of …' : <EventName event={data} />}</h1>
				</div>
				{data && <Actions event={data} onChange={(next) => change(() => next)} />}
			</div>
			<Loaded resource={resource} label="Loading the event" lines={10}>
				{(event) => (
					<>
						<div class="beside">
							<Request event={event} />
							<Trace event={event} />
						</div>
						<Deliveries deliveries={event.deliveries} />
					</>
				)}
			</Loaded>
		</div>
	);
};
