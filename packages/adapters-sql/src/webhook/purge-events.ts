import {type CompactTrace, type EventStore, type Retention, withoutBodies} from '@signalbox/core';
import {type Connection, type Reader, storeNow, type Transaction} from '../connection.ts';
import {handful} from '../handful.ts';
import {edgeOf} from '../retention-edge.ts';
import {integer, paddedList, type Sql, sql} from '../sql.ts';
import type {Row} from '../table.ts';

type Order = Parameters<EventStore['purge']>;

/** Nothing of them waits or is under way: that the status of an event says. */
const isFinal = sql`e.status NOT IN ('pending', 'retrying')`;

const columns = sql`e.id, c.trace, coalesce(LENGTH(c.body), 0) AS bytes`;

/** CROSS JOIN keeps SQLite from going through all that is kept: endpoint by endpoint, the index says what is too old. */
const selectOld = async (reader: Reader, retention: Retention): Promise<Sql> =>
	sql`SELECT ${columns} FROM webhook_endpoints p LEFT JOIN users u ON u.id = p.user_id
		CROSS JOIN webhook_events e CROSS JOIN webhook_event_contents c
		WHERE e.endpoint_id = p.id AND e.created_at < ${edgeOf(retention, await storeNow(reader))} AND c.id = e.id AND ${isFinal}`;

const selectAgain = (ids: readonly string[]): Sql =>
	sql`SELECT ${columns} FROM webhook_events e JOIN webhook_event_contents c ON c.id = e.id
		WHERE e.id IN ${paddedList(ids)} AND ${isFinal}`;

type Purge = Readonly<{
	/** What else holds of those that it is for. */
	condition: Sql;
	apply(transaction: Transaction, rows: readonly Row[]): Promise<void>;
}>;

/** Looks without keeping a writer waiting, however long that takes, and judges what it found once more as it writes. */
const purgeWith = async (connection: Connection, [retention, limit]: Order, {condition, apply}: Purge) => {
	const old = await selectOld(connection, retention);
	const found = await connection.all(sql`${old} AND ${condition} LIMIT ${integer(limit)}`);
	const ids = handful(found).map(({id}) => String(id));
	if (ids.length === 0) return 0;
	return connection.write(async (transaction) => {
		const {forUpdate} = transaction.dialect;
		const rows = await transaction.all(sql`${selectAgain(ids)} AND ${condition} ${forUpdate}`);
		if (rows.length > 0) await apply(transaction, rows);
		return rows.length;
	});
};

const dropTraceBodies = async (transaction: Transaction, {id, trace}: Row): Promise<void> => {
	const kept = JSON.stringify(withoutBodies(JSON.parse(String(trace)) as CompactTrace));
	await transaction.run(
		sql`UPDATE webhook_event_contents SET trace = ${kept}, body = NULL, body_head = NULL, processed_body_references = NULL,
			processed_body_bytes = NULL WHERE id = ${String(id)}`,
	);
};

const dropBodies = async (transaction: Transaction, rows: readonly Row[]): Promise<void> => {
	for (const row of rows) await dropTraceBodies(transaction, row);
	const ofEvents = sql`event_id IN ${paddedList(rows.map(({id}) => String(id)))}`;
	await transaction.run(
		transaction.dialect.updateWhereIn({
			...{table: 'webhook_attempts', set: sql`response_body = ${new Uint8Array()}`},
			...{column: 'delivery_id', values: sql`SELECT id AS value FROM webhook_deliveries WHERE ${ofEvents}`},
		}),
	);
	await transaction.run(sql`UPDATE webhook_deliveries SET body_references = NULL, body_bytes = NULL WHERE ${ofEvents}`);
};

/** Contents, deliveries and attempts go with them by their foreign keys. */
const deleteEvents = async (transaction: Transaction, rows: readonly Row[]): Promise<void> => {
	const ids = paddedList(rows.map(({id}) => String(id)));
	await transaction.run(sql`DELETE FROM webhook_events WHERE id IN ${ids}`);
};

export const purgeBodies = async (connection: Connection, ...order: Order): Promise<number> =>
	purgeWith(connection, order, {condition: sql`c.body IS NOT NULL`, apply: dropBodies});

export const purgeEvents = async (connection: Connection, ...order: Order): Promise<number> =>
	purgeWith(connection, order, {condition: sql`1 = 1`, apply: deleteEvents});
