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

/** Entries and their rollups; all or none, if the transaction is theirs. An entry whose server is gone is left out. */
export const writeCalls = async (transaction: Transaction, entries: readonly McpCallEntry[]): Promise<void> => {
	const kept = await stillThere(transaction, entries);
	if (kept.length === 0) return;
	await transaction.insert(mcpCalls, kept);
	await transaction.run(addToRollups(transaction, kept));
};
