import {
	type Acceptable,
	type Accepted,
	DomainError,
	type Intake,
	leasedDelivery,
	type PlannedDelivery,
} from '@signalbox/core';
import {type Connection, first} from '../connection.ts';
import {integer, list, sql} from '../sql.ts';
import {isClaimed} from './accept-facts.ts';
import {acceptOrder, type OrderOutcome} from './accept-order.ts';
import type {GroupedWriter} from './grouped-writer.ts';

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
		const rows = await transaction.all(sql`${ended} ${transaction.dialect.claim}`);
		for (const {middleware_id, digest} of rows) {
			const one = sql`middleware_id = ${String(middleware_id)} AND digest IN ${list([String(digest)])}`;
			await transaction.run(sql`DELETE FROM webhook_claims WHERE ${one}`);
		}
		return rows.length;
	});
};

export const createIntake = (connection: Connection, writer: GroupedWriter): Intake => ({
	accept: async (acceptable, attempts) =>
		acceptedOf(acceptable, await writer.accept(acceptOrder(acceptable, attempts))),
	isClaimed: async (claim) => isClaimed(connection, claim),
	purgeClaims: async (limit) => purgeClaims(connection, limit),
});
