import {DomainError, type McpCallEntry} from '@signalbox/core';
import type {Connection, Transaction} from '../../connection.ts';
import {list, type SqlValue, sql} from '../../sql.ts';
import {ofTuples} from '../../table.ts';
import {mcpCalls, type WrittenCall} from '../calls.table.ts';
import {addToRollups, foldAfter, foldRollups} from '../rollups.ts';
import type {WriteGroup} from './group-writer.ts';

/** A call and the values of its row. */
export type CallRow = Readonly<{call: WrittenCall; tuple: readonly SqlValue[]}>;

const rowOf = (entry: McpCallEntry): CallRow => ({call: entry, tuple: mcpCalls.tuple(entry)});

/** Those whose servers are there, and stay until the transaction ends. */
const stillThere = async (transaction: Transaction, rows: readonly CallRow[]) => {
	const ids = [...new Set(rows.map(({call}) => call.mcp_server_id))];
	const servers = await transaction.all(
		sql`SELECT id FROM mcp_servers WHERE id IN ${list(ids)} ${transaction.dialect.forUpdate}`,
	);
	const found = new Set(servers.map(({id}) => id));
	return rows.filter(({call}) => found.has(call.mcp_server_id));
};

/** Calls that an approval let run bear its id: their outcome is known from now on. */
const endAttendance = async (transaction: Transaction, calls: readonly WrittenCall[]): Promise<void> => {
	const ids = calls.filter(({id, approval_id}) => id === approval_id).map(({id}) => id);
	if (ids.length > 0) await transaction.later(sql`DELETE FROM attended_calls WHERE approval_id IN ${list(ids)}`);
};

/** @returns how many rows it left to be folded into the rollups. */
const insertCalls = async (transaction: Transaction, rows: readonly CallRow[]): Promise<number> => {
	if (rows.length === 0) return 0;
	const calls = rows.map(({call}) => call);
	await transaction.insert(
		ofTuples(mcpCalls),
		rows.map(({tuple}) => tuple),
	);
	const unfolded = await addToRollups(transaction, calls);
	await endAttendance(transaction, calls);
	return unfolded;
};

/** Runs a transaction. */
type Write = (work: (transaction: Transaction) => Promise<number>) => Promise<number>;

/**
 * A writer of rows with what they add to the rollups; all or none. A row whose server is gone is left out. It folds into the
 * rollups what waits beside them, the first time and then once it has left enough there itself.
 */
export const createCallWriter = (): ((write: Write, rows: readonly CallRow[]) => Promise<void>) => {
	let unfolded = foldAfter;
	return async (write, rows) => {
		const isDue = unfolded >= foldAfter;
		const writeThose = async (present: (transaction: Transaction) => Promise<readonly CallRow[]>) =>
			write(async (transaction) => {
				const left = await insertCalls(transaction, await present(transaction));
				if (isDue) await foldRollups(transaction);
				return left;
			});
		const left = await writeThose(async () => rows).catch(async (error: unknown) => {
			if (!(error instanceof DomainError) || error.reason !== 'resource_not_found') throw error;
			// Which it is, is asked for only now: hardly ever is one gone.
			return writeThose(async (transaction) => stillThere(transaction, rows));
		});
		unfolded = isDue ? 0 : unfolded + left;
	};
};

/** On this thread, through the connection that writes everything else. */
export const writeCallsHere = (connection: Connection): WriteGroup => {
	const writeCalls = createCallWriter();
	return async (entries) => writeCalls(connection.write, entries.map(rowOf));
};
