import type {McpCallEntry} from '@signalbox/core';
import type {Transaction} from '../../connection.ts';
import {list, sql} from '../../sql.ts';
import {mcpCalls} from '../calls.table.ts';
import {addToRollups} from '../rollups.ts';

const stillThere = async (transaction: Transaction, entries: readonly McpCallEntry[]) => {
	const ids = [...new Set(entries.map(({mcp_server_id}) => mcp_server_id))];
	const rows = await transaction.all(
		sql`SELECT id FROM mcp_servers WHERE id IN ${list(ids)} ${transaction.dialect.forUpdate}`,
	);
	if (rows.length === ids.length) return entries;
	const found = new Set(rows.map(({id}) => id));
	return entries.filter(({mcp_server_id}) => found.has(mcp_server_id));
};

/** Calls that an approval let run bear its id: their outcome is known from now on. */
const endAttendance = async (transaction: Transaction, entries: readonly McpCallEntry[]): Promise<void> => {
	const ids = entries.filter(({id, approval_id}) => id === approval_id).map(({id}) => id);
	if (ids.length > 0) await transaction.run(sql`DELETE FROM attended_calls WHERE approval_id IN ${list(ids)}`);
};

/** Entries and their rollups; all or none, if the transaction is theirs. An entry whose server is gone is left out. */
export const writeCalls = async (transaction: Transaction, entries: readonly McpCallEntry[]): Promise<void> => {
	const kept = await stillThere(transaction, entries);
	if (kept.length === 0) return;
	await transaction.insert(mcpCalls, kept);
	await transaction.run(addToRollups(transaction, kept));
	await endAttendance(transaction, kept);
};
