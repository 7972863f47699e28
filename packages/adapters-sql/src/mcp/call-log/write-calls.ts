import {DomainError, type McpCallEntry} from '@signalbox/core';
import type {Transaction} from '../../connection.ts';
import {list, type SqlValue, sql} from '../../sql.ts';
import {ofTuples} from '../../table.ts';
import {mcpCalls, type WrittenCall} from '../calls.table.ts';
import {addToRollups, countUp} from '../rollups.ts';

/** A call and the values of its row. */
export type CallRow = Readonly<{call: WrittenCall; tuple: readonly SqlValue[]}>;

export const rowOf = (entry: McpCallEntry): CallRow => ({call: entry, tuple: mcpCalls.tuple(entry)});

/** Those whose servers are there, and stay until the transaction ends. */
export const stillThere = async <C>(
	transaction: Transaction,
	calls: readonly C[],
	serverOf: (call: C) => string,
): Promise<readonly C[]> => {
	const ids = [...new Set(calls.map(serverOf))];
	const servers = await transaction.all(
		sql`SELECT id FROM mcp_servers WHERE id IN ${list(ids)} ${transaction.dialect.forUpdate}`,
	);
	const found = new Set(servers.map(({id}) => id));
	return calls.filter((call) => found.has(serverOf(call)));
};

/** Which it is, is asked for only then: hardly ever is one gone. */
export const isServerGone = (error: unknown): boolean =>
	error instanceof DomainError && error.reason === 'resource_not_found';

/** Calls that an approval let run bear its id: their outcome is known from now on. */
export const endsAttendance = ({id, approval_id}: Pick<WrittenCall, 'id' | 'approval_id'>): boolean =>
	id === approval_id;

export const endAttendance = async (transaction: Transaction, calls: readonly WrittenCall[]): Promise<void> => {
	const ids = calls.filter(endsAttendance).map(({id}) => id);
	if (ids.length > 0) await transaction.later(sql`DELETE FROM attended_calls WHERE approval_id IN ${list(ids)}`);
};

const insertCalls = async (transaction: Transaction, rows: readonly CallRow[]): Promise<void> => {
	if (rows.length === 0) return;
	const calls = rows.map(({call}) => call);
	await transaction.insert(
		ofTuples(mcpCalls),
		rows.map(({tuple}) => tuple),
	);
	await addToRollups(transaction, countUp(calls));
	await endAttendance(transaction, calls);
};

/** Runs a transaction. */
type Write = (work: (transaction: Transaction) => Promise<void>) => Promise<void>;

/** Rows and their rollups; all or none. A row whose server is gone is left out. */
export const writeCalls = async (write: Write, rows: readonly CallRow[]): Promise<void> => {
	try {
		await write(async (transaction) => insertCalls(transaction, rows));
	} catch (error) {
		if (!isServerGone(error)) throw error;
		await write(async (transaction) => {
			await insertCalls(transaction, await stillThere(transaction, rows, ({call}) => call.mcp_server_id));
		});
	}
};
