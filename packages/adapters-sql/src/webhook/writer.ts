import type {LeaseRequest, Settlement} from '@signalbox/core';
import type {Connection, Transaction} from '../connection.ts';
import {acceptGroup} from './accept-group.ts';
import type {AcceptOrder, OrderOutcome} from './accept-order.ts';
import {type LeasedRows, leaseDue} from './lease-due.ts';
import {settleGroup} from './settle-group.ts';

/** What waits to be written. */
export type WebhookBatch = Readonly<{
	settlements: readonly Settlement[];
	leases: readonly LeaseRequest[];
	orders: readonly AcceptOrder[];
}>;

/** What became of a batch, each part in its order. */
export type WrittenBatch = Readonly<{
	settled: readonly boolean[];
	leased: readonly (readonly LeasedRows[])[];
	accepted: readonly OrderOutcome[];
}>;

/** Writes a batch as one transaction: all or nothing. Resolves when it is durable. */
export type WebhookWriter = (batch: WebhookBatch) => Promise<WrittenBatch>;

/** What ends makes room at its destination, first for what waits there, then for what comes in. */
export const writeBatch = async (
	transaction: Transaction,
	{settlements, leases, orders}: WebhookBatch,
): Promise<WrittenBatch> => {
	const settled = settlements.length === 0 ? [] : await settleGroup(transaction, settlements);
	const leased: (readonly LeasedRows[])[] = [];
	for (const request of leases) leased.push(await leaseDue(transaction, request));
	return {settled, leased, accepted: orders.length === 0 ? [] : await acceptGroup(transaction, orders)};
};

/** On this thread, through the connection that writes everything else. */
export const writeWebhooksHere =
	(connection: Connection): WebhookWriter =>
	async (batch) =>
		connection.write(async (transaction) => writeBatch(transaction, batch));
