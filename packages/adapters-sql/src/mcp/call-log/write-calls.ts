import type {McpCallEntry} from '@signalbox/core';
import type {Connection, Transaction} from '../../connection.ts';
import {list, sql} from '../../sql.ts';
import {mcpCalls} from '../calls.table.ts';
import {addToRollups} from '../rollups.ts';

/** Rows per INSERT: more gain nothing, and SQLite binds no more than 32,766 values. */
const rowsPerInsert = 64;

const stillThere = async (transaction: Transaction, entries: readonly McpCallEntry[]) => {
	const ids = [...new Set(entries.map(({mcp_server_id}) => mcp_server_id))];
	const rows = await transaction.all(
		sql`SELECT id FROM mcp_servers WHERE id IN ${list(ids)} ${transaction.dialect.forUpdate}`,
	);
	const found = new Set(rows.map(({id}) => id));
	return entries.filter(({mcp_server_id}) => found.has(mcp_server_id));
};

/** Entries and their rollups, all or none, in one transaction. An entry whose server is gone is left out. */
export const writeCalls = async (connection: Connection, entries: readonly McpCallEntry[]): Promise<void> =>
	connection.write(async (transaction) => {
		const kept = await stillThere(transaction, entries);
		for (let start = 0; start < kept.length; start += rowsPerInsert) {
			await transaction.run(mcpCalls.insert(kept.slice(start, start + rowsPerInsert)));
		}
		if (kept.length > 0) await transaction.run(addToRollups(transaction, kept));
	});
