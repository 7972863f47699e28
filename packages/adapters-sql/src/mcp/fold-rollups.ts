import {type Connection, first, type Transaction} from '../connection.ts';
import {integer, list, raw, sql} from '../sql.ts';
import {unfoldedCalls} from './calls.table.ts';
import {addToRollups, sumUp} from './rollups.ts';

/** Rows that are folded in one statement. */
const foldedAtOnce = 512;

/** After how many of its own groups a writer folds, with what others left. */
export const foldAfter = foldedAtOnce / 4;

const isUnfolded = raw('unfolded = 1');

/** One at a time, of all processes: two that took rows in different ways would wait for each other. */
const lockFolding = async (transaction: Transaction): Promise<void> => {
	const lock = transaction.dialect.lockNumbers('mcp_rollup_locks', [0]);
	if (lock) await transaction.later(lock);
};

/** The next rows, as they stay until the transaction ends: none goes with its server meanwhile. */
const holdRows = async (transaction: Transaction) => {
	const waiting = sql`SELECT id FROM ${unfoldedCalls.name} WHERE ${isUnfolded} ORDER BY id LIMIT ${integer(foldedAtOnce)}`;
	const ids = (await transaction.all(waiting)).map(({id}) => String(id));
	if (ids.length === 0) return [];
	const {forUpdate} = transaction.dialect;
	const rows = await transaction.all(
		sql`SELECT ${unfoldedCalls.columns} FROM ${unfoldedCalls.name} WHERE id IN ${list(ids)} ORDER BY id ${forUpdate}`,
	);
	return rows.map(unfoldedCalls.read);
};

/** Adds to the rollups what appended calls add to them: all that was appended before. */
export const foldCalls = async (transaction: Transaction): Promise<void> => {
	await lockFolding(transaction);
	for (let isMore = true; isMore; ) {
		const rows = await holdRows(transaction);
		if (rows.length === 0) return;
		// What comes meanwhile is left to the next one: there would be no end to it.
		isMore = rows.length === foldedAtOnce;
		const [change, ids] = [unfoldedCalls.set({unfolded: null, rollup_delta: null}), list(rows.map(({id}) => id))];
		await transaction.later(sql`UPDATE ${unfoldedCalls.name} SET ${change} WHERE id IN ${ids}`);
		await addToRollups(transaction, sumUp(rows.flatMap(({rollup_delta}) => rollup_delta ?? [])));
	}
};

/** The same in a transaction of its own, unless there is nothing to fold: for whoever reads the rollups next, or deletes calls. */
export const foldFirst = async (connection: Connection): Promise<void> => {
	if (!connection.dialect.foldsLater) return;
	const waiting = sql`SELECT id FROM ${unfoldedCalls.name} WHERE ${isUnfolded} LIMIT 1`;
	if ((await first(connection, waiting)) !== undefined) await connection.write(foldCalls);
};
