import type {LeaseRequest} from '@signalbox/core';
import type {Hosting} from '../session.ts';
import {createSpareMemory} from '../spare-memory.ts';
import {workerFile} from '../worker-file.ts';
import type {WriterTarget} from '../writer-protocol.ts';
import {createWriterThread} from '../writer-thread.ts';
import {packOrders, packSettlements} from './packed-orders.ts';
import type {AnsweredBatch, PackedBatch} from './worker-protocol.ts';
import type {WebhookWriter} from './writer.ts';

const serviceUrl = workerFile(import.meta.url, './service.ts', './webhook-service.js');

const itemsBeforeWorker = 16;

/** Callers may have put more into it, which no thread could be sent. */
const leaseRequestOf = ({
	attempt_ids,
	per_destination,
	ahead,
	user_limits,
	lease_seconds,
}: LeaseRequest): LeaseRequest => ({
	...{attempt_ids, per_destination, user_limits, lease_seconds},
	ahead: ahead && {holder: ahead.holder, destinations: ahead.destinations, limit: ahead.limit},
});

export type WebhookWorkerOptions = Readonly<{
	data: WriterTarget;
	/** Writes on this thread, while there is no worker that could. */
	fallback: WebhookWriter;
	clockOffset: () => number;
	thread?: Hosting | undefined;
}>;

/** Writes in a thread of its own; until it is ready, on this thread. */
export const createWebhookWorker = ({
	data,
	fallback,
	clockOffset,
	thread,
}: WebhookWorkerOptions): Readonly<{write: WebhookWriter; close(): Promise<void>}> => {
	const interrupted = 'The write of webhooks was interrupted: whether it was kept is unknown.';
	const options = {url: serviceUrl, name: 'signalbox-webhooks', data, thread, interrupted};
	const {forItems, close} = createWriterThread<PackedBatch, AnsweredBatch>(options, itemsBeforeWorker);
	const memory = createSpareMemory();
	const write: WebhookWriter = async (batch) => {
		const thread = forItems(batch.settlements.length + batch.orders.length);
		if (thread === undefined) return fallback(batch);
		const [settlements, orders] = [packSettlements(batch.settlements, memory), packOrders(batch.orders, memory)];
		const packed = {settlements, leases: batch.leases.map(leaseRequestOf), orders, offset_ms: clockOffset()};
		const answered = await thread.call(packed, [settlements.bytes, orders.bytes]);
		for (const part of answered.memory) memory.giveBack(part);
		return answered.written;
	};
	return {write, close};
};
