import type {LeaseRequest, Settlement} from '@signalbox/core';
import {createGroupQueue} from '../group-queue.ts';
import type {AcceptOrder, OrderOutcome} from './accept-order.ts';
import {alone} from './alone.ts';
import type {LeasedRows} from './lease-due.ts';
import type {WebhookWriter} from './writer.ts';

const orderLimits = {max_items: 64, max_weight: 8 * 1024 * 1024};
const settlementLimits = {max_items: 128, max_weight: 4 * 1024 * 1024};

const bytesOf = ({content, outcome}: AcceptOrder): number => {
	const planned = 'deliveries' in outcome ? outcome.deliveries.map((delivery) => delivery.planned) : [];
	let bytes = 0;
	for (const tuple of [content, ...planned]) {
		for (const value of tuple) bytes += value instanceof Uint8Array ? value.byteLength : 0;
	}
	return bytes;
};

/** The writes of webhooks, one by one: what comes while others are written is written together. */
export type GroupedWriter = Readonly<{
	accept(order: AcceptOrder): Promise<OrderOutcome>;
	settle(settlement: Settlement): Promise<boolean>;
	lease(request: LeaseRequest): Promise<readonly LeasedRows[]>;
	/** Resolves when nothing waits to be written. */
	drained(): Promise<void>;
}>;

export const createGroupedWriter = (writer: WebhookWriter): GroupedWriter => {
	const orders = createGroupQueue<AcceptOrder, OrderOutcome>(alone(writer.accept), {...orderLimits, weigh: bytesOf});
	const settlements = createGroupQueue<Settlement, boolean>(alone(writer.settle), {
		...settlementLimits,
		weigh: ({attempt}) => attempt.response_body.byteLength,
	});
	return {
		accept: orders.push,
		settle: settlements.push,
		lease: writer.lease,
		drained: async () => {
			await Promise.all([orders.drained(), settlements.drained()]);
		},
	};
};
