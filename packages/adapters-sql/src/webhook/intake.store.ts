import {
	type Acceptable,
	type Accepted,
	DomainError,
	type FirstAttempts,
	type Intake,
	leasedDelivery,
	type PlannedDelivery,
} from '@signalbox/core';
import {type Connection, first} from '../connection.ts';
import {createGroupQueue} from '../group-queue.ts';
import {integer, list, sql} from '../sql.ts';
import {isClaimed} from './accept-facts.ts';
import {type AcceptOrder, acceptOrder, type OrderOutcome} from './accept-order.ts';
import {alone} from './alone.ts';
import type {WebhookWriter} from './writer.ts';

const maxOrders = 64;
const maxBytes = 8 * 1024 * 1024;

const weigh = ({content, outcome}: AcceptOrder): number => {
	const planned = 'deliveries' in outcome ? outcome.deliveries.map((delivery) => delivery.planned) : [];
	let bytes = 0;
	for (const tuple of [content, ...planned]) {
		for (const value of tuple) bytes += value instanceof Uint8Array ? value.byteLength : 0;
	}
	return bytes;
};

const acceptedOf = ({event, outcome}: Acceptable, result: OrderOutcome): Accepted => {
	if (result.outcome === 'refused') throw new DomainError(result.reason);
	if (result.outcome === 'over_limit') return result;
	const planned: readonly PlannedDelivery[] = 'deliveries' in outcome ? outcome.deliveries : [];
	const leased = result.grants.flatMap(({delivery_id, lease}) => {
		const delivery = planned.find(({id}) => id === delivery_id);
		return delivery ? [leasedDelivery(event, delivery, lease)] : [];
	});
	const {status, events_this_month} = result;
	return {outcome: 'accepted', status, leased, events_this_month};
};

const purgeClaims = async (connection: Connection, limit: number): Promise<number> => {
	const ended = sql`SELECT middleware_id, digest FROM webhook_claims WHERE expires_at <= ${connection.now()}
		ORDER BY expires_at LIMIT ${integer(limit)}`;
	if ((await first(connection, ended)) === undefined) return 0;
	return connection.write(async (transaction) => {
		const rows = await transaction.all(sql`${ended} ${transaction.dialect.forUpdate}`);
		for (const {middleware_id, digest} of rows) {
			const one = sql`middleware_id = ${String(middleware_id)} AND digest IN ${list([String(digest)])}`;
			await transaction.run(sql`DELETE FROM webhook_claims WHERE ${one}`);
		}
		return rows.length;
	});
};

export const createIntake = (connection: Connection, writer: WebhookWriter): Intake => {
	const queue = createGroupQueue<AcceptOrder, OrderOutcome>(alone(writer.accept), {
		max_items: maxOrders,
		max_weight: maxBytes,
		weigh,
	});
	return {
		accept: async (acceptable: Acceptable, attempts?: FirstAttempts) =>
			acceptedOf(acceptable, await queue.push(acceptOrder(acceptable, attempts))),
		isClaimed: async (claim) => isClaimed(connection, claim),
		purgeClaims: async (limit) => purgeClaims(connection, limit),
	};
};
