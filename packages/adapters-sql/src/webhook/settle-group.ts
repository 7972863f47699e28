import {type DeliveryStatus, eventStatusOf, plusSeconds, type Settlement} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {lockRows} from '../lock-rows.ts';
import {paddedList, raw, type Sql, type SqlValue, sql} from '../sql.ts';
import {type Row, readInstant} from '../table.ts';
import {attemptEnds, type DeliveryState, deliveryStates} from './deliveries.table.ts';

/** The delivery as it is before its attempt ends. */
type Held = Readonly<{event_id: string; fence: number; leased: boolean}>;

const readHeld = (row: Row): Held => ({
	event_id: String(row.event_id),
	fence: Number(row.fence),
	leased: Number(row.leased) === 1,
});

const completeAttempts = async (transaction: Transaction, settlements: readonly Settlement[], now: string) => {
	const ends = new Map<string, readonly SqlValue[]>();
	for (const {delivery_id, attempt} of settlements) {
		const {id, ...end} = attempt;
		// The first to say how it ended is believed.
		if (!ends.has(id)) ends.set(id, [delivery_id, id, ...attemptEnds.tuple({...end, completed_at: now})]);
	}
	const changes = {table: attemptEnds.name, key: ['delivery_id', 'id'], sets: attemptEnds.columnNames};
	const condition = raw('completed_at IS NULL');
	const statements = transaction.dialect.changeEach({...changes, condition, rows: [...ends.values()]});
	for (const statement of statements) await transaction.later(statement);
};

type Ended = Pick<DeliveryState, 'status' | 'due_at' | 'last_status_code' | 'last_error' | 'delivered_at'>;

const endOf = ({next, attempt, error}: Settlement, now: string): Ended => ({
	status: next.status,
	due_at: next.status === 'retrying' ? plusSeconds(now, next.after_seconds) : null,
	last_status_code: attempt.status_code,
	last_error: error,
	delivered_at: next.status === 'delivered' ? now : null,
});

/** Deliveries that end alike, and most do, take one statement together. */
const endDeliveries = async (transaction: Transaction, settlements: readonly Settlement[], now: string) => {
	const alike = Map.groupBy(settlements, (settlement) => JSON.stringify(endOf(settlement, now)));
	for (const [end, group] of alike) {
		const ended: Ended = JSON.parse(end);
		const changes = deliveryStates.set({...ended, leased: false, available_at: ended.due_at});
		const ids = paddedList(group.map(({delivery_id}) => delivery_id));
		await transaction.later(sql`UPDATE webhook_deliveries SET ${changes} WHERE id IN ${ids}`);
	}
};

/** Makes the status of events what their deliveries say together. */
export const updateEventStatus = async (transaction: Transaction, event_ids: readonly string[]): Promise<void> => {
	if (event_ids.length === 0) return;
	// Whoever settles another delivery of the same event meanwhile sees this one, or is seen.
	await lockRows(transaction, 'webhook_events', paddedList(event_ids));
	const rows = await transaction.all(
		sql`SELECT event_id, status FROM webhook_deliveries WHERE event_id IN ${paddedList(event_ids)}`,
	);
	const byEvent = Map.groupBy(rows, ({event_id}) => String(event_id));
	const byStatus = Map.groupBy([...byEvent.keys()], (id) =>
		eventStatusOf((byEvent.get(id) ?? []).map(({status}) => status as DeliveryStatus)),
	);
	for (const [status, ids] of byStatus) {
		await transaction.later(sql`UPDATE webhook_events SET status = ${status} WHERE id IN ${paddedList(ids)}`);
	}
};

const selectHeld = (transaction: Transaction, ids: readonly SqlValue[]): Sql =>
	sql`SELECT id, event_id, fence, leased, ${transaction.now()} AS now FROM webhook_deliveries
		WHERE id IN ${paddedList(ids)} ${transaction.dialect.forUpdate}`;

/**
 * Records how attempts ended, in their order.
 * @returns of each whether it counted: whether its fence is the last, and nobody settled or gave back that lease before.
 */
export const settleGroup = async (
	transaction: Transaction,
	settlements: readonly Settlement[],
): Promise<readonly boolean[]> => {
	const rows = await transaction.all(
		selectHeld(transaction, [...new Set(settlements.map(({delivery_id}) => delivery_id))]),
	);
	if (rows.length === 0) return settlements.map(() => false);
	const now = readInstant(rows[0]?.now);
	const held = new Map(rows.map((row) => [String(row.id), readHeld(row)]));
	const event_ids = new Set<string>();
	const counts = settlements.map(({delivery_id, fence}) => {
		const delivery = held.get(delivery_id);
		if (!delivery?.leased || delivery.fence !== fence) return false;
		held.set(delivery_id, {...delivery, leased: false});
		event_ids.add(delivery.event_id);
		return true;
	});
	await completeAttempts(transaction, settlements, now);
	await endDeliveries(
		transaction,
		settlements.filter((_, index) => counts[index]),
		now,
	);
	await updateEventStatus(transaction, [...event_ids]);
	return counts;
};
