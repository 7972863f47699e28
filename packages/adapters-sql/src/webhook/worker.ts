import {serveWriter, type Write} from '../serve-writer.ts';
import {acceptGroup} from './accept-group.ts';
import {leaseDue} from './lease-due.ts';
import {unpackOrders, unpackSettlements} from './packed-orders.ts';
import {settleGroup} from './settle-group.ts';
import type {WebhookAnswer, WebhookTask} from './worker-protocol.ts';

const perform = async (message: WebhookTask, write: Write): Promise<WebhookAnswer> => {
	const {offset_ms} = message;
	if (message.task === 'accept') {
		const orders = unpackOrders(message.orders);
		return write(async (transaction) => acceptGroup(transaction, orders), offset_ms);
	}
	if (message.task === 'settle') {
		const settlements = unpackSettlements(message.settlements);
		return write(async (transaction) => settleGroup(transaction, settlements), offset_ms);
	}
	return write(async (transaction) => leaseDue(transaction, message.request), offset_ms);
};

/** The thread that accepts, leases and settles. */
await serveWriter<WebhookTask, WebhookAnswer>(async (message, write) => ({value: await perform(message, write)}));
