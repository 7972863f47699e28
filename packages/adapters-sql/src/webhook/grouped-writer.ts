import type {LeaseRequest, Settlement} from '@signalbox/core';
import {alone} from '../alone.ts';
import {createGroupQueue} from '../group-queue.ts';
import type {AcceptOrder, OrderOutcome} from './accept-order.ts';
import type {LeasedTuples} from './lease-due.ts';
import type {WebhookWriter, WrittenBatch} from './writer.ts';

const limits = {max_items: 128, max_weight: 8 * 1024 * 1024};

type Write = Readonly<{settlement: Settlement}> | Readonly<{lease: LeaseRequest}> | Readonly<{order: AcceptOrder}>;
type Written = WrittenBatch[keyof WrittenBatch][number];

const bytesOfOrder = ({event, content, body, outcome}: AcceptOrder): number => {
	const planned = 'deliveries' in outcome ? outcome.deliveries.map((delivery) => delivery.planned) : [];
	let bytes = event.trace.length + body.byteLength;
	for (const tuple of [content, ...planned]) {
		for (const value of tuple) bytes += value instanceof Uint8Array ? value.byteLength : 0;
	}
	return bytes;
};

const bytesOf = (write: Write): number => {
	if ('order' in write) return bytesOfOrder(write.order);
	return 'settlement' in write ? write.settlement.attempt.response_body.byteLength : 0;
};

const writeTogether =
	(writer: WebhookWriter) =>
	async (writes: readonly Write[]): Promise<readonly Written[]> => {
		const written = await writer({
			settlements: writes.flatMap((write) => ('settlement' in write ? [write.settlement] : [])),
			leases: writes.flatMap((write) => ('lease' in write ? [write.lease] : [])),
			orders: writes.flatMap((write) => ('order' in write ? [write.order] : [])),
		});
		const [settled, leased, accepted] = [written.settled, written.leased, written.accepted].map((each) =>
			each.values(),
		);
		return writes.map((write) => {
			const results = 'settlement' in write ? settled : 'lease' in write ? leased : accepted;
			return results?.next().value as Written;
		});
	};

/** The writes of webhooks, one by one: what comes while others are written is written together. */
export type GroupedWriter = Readonly<{
	accept(order: AcceptOrder): Promise<OrderOutcome>;
	settle(settlement: Settlement): Promise<boolean>;
	lease(request: LeaseRequest): Promise<readonly LeasedTuples[]>;
	/** Resolves when nothing waits to be written. */
	drained(): Promise<void>;
}>;

export const createGroupedWriter = (writer: WebhookWriter): GroupedWriter => {
	const {push, drained} = createGroupQueue<Write, Written>(alone(writeTogether(writer)), {...limits, weigh: bytesOf});
	return {
		accept: async (order) => (await push({order})) as OrderOutcome,
		settle: async (settlement) => (await push({settlement})) as boolean,
		lease: async (lease) => (await push({lease})) as readonly LeasedTuples[],
		drained,
	};
};
