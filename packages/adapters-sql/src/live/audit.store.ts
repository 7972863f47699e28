import type {AuditStore} from '@signalbox/core';
import type {Connection} from '../connection.ts';
import {newestPage} from '../page.ts';
import {sql} from '../sql.ts';
import {auditEntries} from './audit.table.ts';

export const createAuditStore = (connection: Connection): AuditStore => ({
	append: async (entry) => {
		await connection.write(async (transaction) => transaction.run(auditEntries.insert([entry])));
	},
	list: async (team_id, page) =>
		newestPage(connection, {table: auditEntries, condition: sql`team_id = ${team_id}`}, page),
});
