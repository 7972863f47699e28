import type {NotificationChannel, WebhookEvent} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {usePolling} from '../live/use-polling.ts';
import {useResource} from '../live/use-resource.ts';
import {Dialog} from '../parts/dialog.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {EventState} from '../webhooks/event-state.tsx';

const Outcome = ({event}: {event: WebhookEvent}) => {
	const [delivery] = event.deliveries;
	return (
		<div class="stack tight" role="status">
			<div class="row">
				<EventState status={event.delivery_status} />
				{event.status_code !== null && <span class="number">HTTP {event.status_code}</span>}
			</div>
			{typeof delivery?.last_error === 'string' && (
				<p class="small">
					<VisibleText text={delivery.last_error} />
				</p>
			)}
		</div>
	);
};

type SentProps = Readonly<{name: string; sent: WebhookEvent; onClose: () => void}>;

const Sent = ({name, sent, onClose}: SentProps) => {
	const {data, error, reload} = useResource(`event/${sent.id}`, () => client.webhook.events.get({path: {id: sent.id}}));
	const event = data ?? sent;
	// The stream tells of the active team, and what a person is told belongs to their own.
	usePolling(event.delivery_status === 'pending', reload);
	return (
		<Dialog title={`A test to ${name}`} onClose={onClose}>
			<Outcome event={event} />
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			<div class="dialog-actions">
				<a class="button" href={`/webhooks/events/${sent.id}`}>
					See the delivery
				</a>
				<button type="button" class="button primary" onClick={onClose}>
					Close
				</button>
			</div>
		</Dialog>
	);
};

/** Sends a test to a channel, and shows what came of it. */
export const ChannelTest = ({channel: {id, name, is_active}}: {channel: NotificationChannel}) => {
	const [busy, setBusy] = useState(false);
	const [sent, show] = useState<WebhookEvent>();
	const send = (): void => {
		setBusy(true);
		void client.notificationChannels
			.test({path: {id}})
			.then(show, showProblem)
			.finally(() => setBusy(false));
	};
	return (
		<>
			<button
				type="button"
				class="button quiet small"
				disabled={busy || !is_active}
				title={is_active ? undefined : 'Nothing is sent to a channel that is paused'}
				onClick={send}
			>
				Send a test
			</button>
			{sent && <Sent name={name} sent={sent} onClose={() => show(undefined)} />}
		</>
	);
};
