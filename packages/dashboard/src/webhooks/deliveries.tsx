import type {WebhookEvent} from '@signalbox/client-sdk';
import {Empty} from '../parts/empty.tsx';
import {Pill, type Tone} from '../parts/pill.tsx';
import {durationInWords} from '../parts/seconds.ts';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {EventState} from './event-state.tsx';
import {MessageHeaders} from './step-effects.tsx';

type Delivery = WebhookEvent['deliveries'][number];
type Attempt = Delivery['attempts'][number];

const outcomes: Readonly<Record<Attempt['outcome'], readonly [Tone, string]>> = {
	delivered: ['good', 'Delivered'],
	failed: ['bad', 'Failed'],
	unknown: ['warn', 'Not known'],
};

const AttemptItem = ({attempt}: {attempt: Attempt}) => {
	const {number, started_at, outcome, status_code, error_code, duration_ms, response_headers, response_body} = attempt;
	const [tone, word] = outcomes[outcome];
	return (
		<li class="attempt">
			<div class="row">
				<span class="faint number">{number}</span>
				<Pill tone={tone}>{attempt.completed_at === null ? 'Under way' : word}</Pill>
				<span class="number">{status_code === null ? error_code : `HTTP ${status_code}`}</span>
				{duration_ms !== null && <span class="soft number">{durationInWords(duration_ms)}</span>}
				<span class="soft">
					<RelativeTime instant={started_at} />
				</span>
			</div>
			{(response_body !== '' || Object.keys(response_headers).length > 0) && (
				<details class="fold">
					<summary>What it answered</summary>
					<div class="stack tight">
						<MessageHeaders headers={response_headers} />
						{response_body !== '' && <TextViewer text={response_body} label={`Answer of attempt ${number}`} />}
					</div>
				</details>
			)}
		</li>
	);
};

const DeliveryCard = ({delivery}: {delivery: Delivery}) => (
	<section class="card" aria-label={`Delivery to ${delivery.name}`}>
		<div class="card-head">
			<div>
				<h3>
					<VisibleText text={delivery.name} />
				</h3>
				<code class="small soft">
					<VisibleText text={delivery.url} />
				</code>
			</div>
			<EventState status={delivery.status} />
		</div>
		<div class="card-body stack tight">
			{delivery.next_attempt_at !== null && (
				<p class="small soft">
					Next attempt: <RelativeTime instant={delivery.next_attempt_at} />
				</p>
			)}
			{delivery.last_error !== null && (
				<p class="small">
					Last error:{' '}
					<code>
						<VisibleText text={delivery.last_error} />
					</code>
				</p>
			)}
			{delivery.attempts.length === 0 ? (
				<p class="small soft">No attempt yet.</p>
			) : (
				<ol class="stack tight" aria-label="Attempts">
					{delivery.attempts.map((attempt) => (
						<AttemptItem key={attempt.id} attempt={attempt} />
					))}
				</ol>
			)}
		</div>
	</section>
);

/** Where a webhook was delivered, attempt by attempt. */
export const Deliveries = ({deliveries}: Pick<WebhookEvent, 'deliveries'>) => (
	<section class="stack" aria-label="Deliveries">
		<h2>Deliveries</h2>
		{deliveries.length === 0 && (
			<div class="card">
				<Empty icon="webhooks" title="It was not delivered">
					<p>A step stopped it, or no rule took it: the trace says which.</p>
				</Empty>
			</div>
		)}
		{deliveries.map((delivery) => (
			<DeliveryCard key={delivery.id} delivery={delivery} />
		))}
	</section>
);
