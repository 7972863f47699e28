import type {WriterData} from '../writer-protocol.ts';
import {createWriterThread} from '../writer-thread.ts';
import type {OrderOutcome} from './accept-order.ts';
import type {LeasedRows} from './lease-due.ts';
import {packOrders, packSettlements} from './packed-orders.ts';
import type {WebhookAnswer, WebhookTask} from './worker-protocol.ts';
import type {WebhookWriter} from './writer.ts';

/** The worker's file: beside this one in the sources, beside the bundle when it is built. */
const workerUrl = import.meta.url.endsWith('.ts')
	? new URL('./worker.ts', import.meta.url)
	: new URL('./webhook-worker.js', import.meta.url);

const itemsBeforeWorker = 16;

export type WebhookWorkerOptions = Readonly<{
	data: Omit<WriterData, 'place'>;
	/** Writes on this thread, while there is no worker that could. */
	fallback: WebhookWriter;
	clockOffset: () => number;
}>;

/** Writes in a thread of its own; until it is ready, on this thread. */
export const createWebhookWorker = ({
	data,
	fallback,
	clockOffset,
}: WebhookWorkerOptions): WebhookWriter & Readonly<{close(): Promise<void>}> => {
	const interrupted = 'The write of webhooks was interrupted: whether it was kept is unknown.';
	const options = {url: workerUrl, name: 'signalbox-webhooks', data, interrupted};
	const {forItems, close} = createWriterThread<WebhookTask, WebhookAnswer>(options, itemsBeforeWorker);
	return {
		accept: async (orders) => {
			const thread = forItems(orders.length);
			if (thread === undefined) return fallback.accept(orders);
			const packed = packOrders(orders);
			const answer = thread.call({task: 'accept', orders: packed, offset_ms: clockOffset()}, [packed.bytes]);
			return answer as Promise<readonly OrderOutcome[]>;
		},
		settle: async (settlements) => {
			const thread = forItems(settlements.length);
			if (thread === undefined) return fallback.settle(settlements);
			const packed = packSettlements(settlements);
			const answer = thread.call({task: 'settle', settlements: packed, offset_ms: clockOffset()}, [packed.bytes]);
			return answer as Promise<readonly boolean[]>;
		},
		lease: async (request) => {
			const thread = forItems(0);
			if (thread === undefined) return fallback.lease(request);
			const answer = thread.call({task: 'lease', request, offset_ms: clockOffset()});
			return answer as Promise<readonly LeasedRows[]>;
		},
		close,
	};
};
