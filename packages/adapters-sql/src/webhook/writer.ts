import type {LeaseRequest, Settlement} from '@signalbox/core';
import type {Connection} from '../connection.ts';
import {acceptGroup} from './accept-group.ts';
import type {AcceptOrder, OrderOutcome} from './accept-order.ts';
import {type LeasedRows, leaseDue} from './lease-due.ts';
import {settleGroup} from './settle-group.ts';

/** The writes of webhooks that come in thousands a second. Each is one transaction; it resolves when that is durable. */
export type WebhookWriter = Readonly<{
	accept(orders: readonly AcceptOrder[]): Promise<readonly OrderOutcome[]>;
	settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
	lease(request: LeaseRequest): Promise<readonly LeasedRows[]>;
}>;

/** On this thread, through the connection that writes everything else. */
export const writeWebhooksHere = (connection: Connection): WebhookWriter => ({
	accept: async (orders) => connection.write(async (transaction) => acceptGroup(transaction, orders)),
	settle: async (settlements) => connection.write(async (transaction) => settleGroup(transaction, settlements)),
	lease: async (request) => connection.write(async (transaction) => leaseDue(transaction, request)),
});
