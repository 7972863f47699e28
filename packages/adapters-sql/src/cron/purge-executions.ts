import type {ExecutionStore} from '@signalbox/core';
import {type Connection, storeNow} from '../connection.ts';
import {handful} from '../handful.ts';
import {edgeOf} from '../retention-edge.ts';
import {integer, paddedList, type Sql, sql} from '../sql.ts';

/** CROSS JOIN keeps SQLite from going through all that is kept: user by user, the index says what is too old. */
const oldExecutions = (edge: Sql): Sql =>
	sql`SELECT e.id, e.kept_bytes AS bytes FROM users u CROSS JOIN cron_executions e
		WHERE e.user_id = u.id AND e.completed_at < ${edge}`;

const oldOccurrences = (edge: Sql): Sql =>
	sql`SELECT o.user_id, o.scheduled_for, o.job_id FROM users u CROSS JOIN cron_occurrences o
		WHERE o.user_id = u.id AND o.scheduled_for < ${edge}`;

/** What has ended never changes again: it need not be judged once more. Output goes with it by its foreign key. */
const purgeEnded = async (connection: Connection, edge: Sql, limit: number): Promise<number> => {
	const found = await connection.all(sql`${oldExecutions(edge)} LIMIT ${integer(limit)}`);
	const ids = handful(found).map(({id}) => String(id));
	if (ids.length === 0) return 0;
	return connection.write(async (transaction) =>
		transaction.run(sql`DELETE FROM cron_executions WHERE id IN ${paddedList(ids)}`),
	);
};

const purgeOccurred = async (connection: Connection, edge: Sql, limit: number): Promise<number> => {
	const rows = await connection.all(sql`${oldOccurrences(edge)} LIMIT ${integer(limit)}`);
	if (rows.length === 0) return 0;
	const byTick = Map.groupBy(rows, ({user_id, scheduled_for}) => JSON.stringify([user_id, scheduled_for]));
	return connection.write(async (transaction) => {
		let count = 0;
		for (const [tick, alike] of byTick) {
			const [user_id, scheduled_for] = JSON.parse(tick);
			const old = sql`user_id = ${user_id} AND scheduled_for = ${scheduled_for}
				AND job_id IN ${paddedList(alike.map(({job_id}) => String(job_id)))}`;
			count += await transaction.run(sql`DELETE FROM cron_occurrences WHERE ${old}`);
		}
		return count;
	});
};

/** Looks without keeping a writer waiting, however long that takes. */
export const purgeExecutions = async (
	connection: Connection,
	...[retention, limit]: Parameters<ExecutionStore['purge']>
): Promise<number> => {
	const edge = edgeOf(retention, await storeNow(connection));
	return (await purgeEnded(connection, edge, limit)) + (await purgeOccurred(connection, edge, limit));
};
