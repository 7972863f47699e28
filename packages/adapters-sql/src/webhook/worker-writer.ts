import type {LeaseRequest} from '@signalbox/core';
import {workerFile} from '../worker-file.ts';
import type {WriterTarget} from '../writer-protocol.ts';
import {createWriterThread} from '../writer-thread.ts';
import {packOrders, packSettlements} from './packed-orders.ts';
import type {PackedBatch} from './worker-protocol.ts';
import type {WebhookWriter, WrittenBatch} from './writer.ts';

const workerUrl = workerFile(import.meta.url, './worker.ts', './webhook-worker.js');

const itemsBeforeWorker = 16;

/** Callers may have put more into it, which no thread could be sent. */
const leaseRequestOf = ({attempt_ids, per_destination, ahead, lease_seconds}: LeaseRequest): LeaseRequest => ({
	...{attempt_ids, per_destination, lease_seconds},
	ahead: ahead && {holder: ahead.holder, destinations: ahead.destinations, limit: ahead.limit},
});

export type WebhookWorkerOptions = Readonly<{
	data: WriterTarget;
	/** Writes on this thread, while there is no worker that could. */
	fallback: WebhookWriter;
	clockOffset: () => number;
}>;

/** Writes in a thread of its own; until it is ready, on this thread. */
export const createWebhookWorker = ({
	data,
	fallback,
	clockOffset,
}: WebhookWorkerOptions): Readonly<{write: WebhookWriter; close(): Promise<void>}> => {
	const interrupted = 'The write of webhooks was interrupted: whether it was kept is unknown.';
	const options = {url: workerUrl, name: 'signalbox-webhooks', data, interrupted};
	const {forItems, close} = createWriterThread<PackedBatch, WrittenBatch>(options, itemsBeforeWorker);
	const write: WebhookWriter = async (batch) => {
		const thread = forItems(batch.settlements.length + batch.orders.length);
		if (thread === undefined) return fallback(batch);
		const [settlements, orders] = [packSettlements(batch.settlements), packOrders(batch.orders)];
		const packed = {settlements, leases: batch.leases.map(leaseRequestOf), orders, offset_ms: clockOffset()};
		return thread.call(packed, [settlements.bytes, orders.bytes]);
	};
	return {write, close};
};
