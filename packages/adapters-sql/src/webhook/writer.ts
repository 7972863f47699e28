import type {LeaseRequest, Settlement} from '@signalbox/core';
import type {Connection, Transaction} from '../connection.ts';
import {lockRows} from '../lock-rows.ts';
import {paddedList} from '../sql.ts';
import {acceptGroup} from './accept-group.ts';
import {type AcceptOrder, type OrderOutcome, type WritableOrder, writableOrder} from './accept-order.ts';
import {type LeasedTuples, leaseDue} from './lease-due.ts';
import {lockAllLanes} from './lock-lanes.ts';
import {settleGroup} from './settle-group.ts';

/** What waits to be written. */
export type WebhookBatch = Readonly<{
	settlements: readonly Settlement[];
	leases: readonly LeaseRequest[];
	orders: readonly AcceptOrder[];
}>;

export type WritableBatch = Omit<WebhookBatch, 'orders'> & Readonly<{orders: readonly WritableOrder[]}>;

export const writableBatch = (batch: WebhookBatch): WritableBatch => ({
	...batch,
	orders: batch.orders.map(writableOrder),
});

/** What became of a batch, each part in its order. */
export type WrittenBatch = Readonly<{
	settled: readonly boolean[];
	leased: readonly (readonly LeasedTuples[])[];
	accepted: readonly OrderOutcome[];
}>;

/** Writes a batch as one transaction: all or nothing. Resolves when it is durable. */
export type WebhookWriter = (batch: WebhookBatch) => Promise<WrittenBatch>;

/** In the order in which a batch of orders alone does. */
const lockAhead = async (transaction: Transaction, {leases, orders}: WritableBatch): Promise<void> => {
	if (leases.length === 0 || leases.length + orders.length === 1) return;
	const ids = new Set(orders.map(({event}) => event.endpoint_id));
	if (ids.size > 0) await lockRows(transaction, 'webhook_endpoints', paddedList([...ids]));
	await lockAllLanes(transaction);
};

/** What ends makes room at its destination, first for what waits there, then for what comes in. */
export const writeBatch = async (transaction: Transaction, batch: WritableBatch): Promise<WrittenBatch> => {
	const {settlements, leases, orders} = batch;
	const settled = settlements.length === 0 ? [] : await settleGroup(transaction, settlements);
	await lockAhead(transaction, batch);
	const leased: (readonly LeasedTuples[])[] = [];
	for (const request of leases) leased.push(await leaseDue(transaction, request));
	return {settled, leased, accepted: orders.length === 0 ? [] : await acceptGroup(transaction, orders)};
};

/** On this thread, through the connection that writes everything else. */
export const writeWebhooksHere =
	(connection: Connection): WebhookWriter =>
	async (batch) => {
		const writable = writableBatch(batch);
		return connection.write(async (transaction) => writeBatch(transaction, writable));
	};
