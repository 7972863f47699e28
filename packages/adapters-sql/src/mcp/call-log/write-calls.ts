import type {McpCallEntry} from '@signalbox/core';
import type {Transaction} from '../../connection.ts';
import {list, type SqlValue, sql} from '../../sql.ts';
import {ofTuples} from '../../table.ts';
import {mcpCalls, type WrittenCall} from '../calls.table.ts';
import {addToRollups} from '../rollups.ts';

/** A call and the values of its row. */
export type CallRow = Readonly<{call: WrittenCall; tuple: readonly SqlValue[]}>;

export const rowOf = (entry: McpCallEntry): CallRow => ({call: entry, tuple: mcpCalls.tuple(entry)});

const stillThere = async (transaction: Transaction, rows: readonly CallRow[]) => {
	const ids = [...new Set(rows.map(({call}) => call.mcp_server_id))];
	const servers = await transaction.all(
		sql`SELECT id FROM mcp_servers WHERE id IN ${list(ids)} ${transaction.dialect.forUpdate}`,
	);
	if (servers.length === ids.length) return rows;
	const found = new Set(servers.map(({id}) => id));
	return rows.filter(({call}) => found.has(call.mcp_server_id));
};

/** Calls that an approval let run bear its id: their outcome is known from now on. */
const endAttendance = async (transaction: Transaction, calls: readonly WrittenCall[]): Promise<void> => {
	const ids = calls.filter(({id, approval_id}) => id === approval_id).map(({id}) => id);
	if (ids.length > 0) await transaction.run(sql`DELETE FROM attended_calls WHERE approval_id IN ${list(ids)}`);
};

/** Rows and their rollups; all or none, if the transaction is theirs. A row whose server is gone is left out. */
export const writeCalls = async (transaction: Transaction, rows: readonly CallRow[]): Promise<void> => {
	const kept = await stillThere(transaction, rows);
	if (kept.length === 0) return;
	const calls = kept.map(({call}) => call);
	await transaction.insert(
		ofTuples(mcpCalls),
		kept.map(({tuple}) => tuple),
	);
	await transaction.run(addToRollups(transaction, calls));
	await endAttendance(transaction, calls);
};
