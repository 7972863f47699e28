import {buildServer} from '@signalbox/core/testing';
import {chooseDriver} from '../../src/drivers/choose-driver.ts';
import {mcpServers} from '../../src/mcp/servers.table.ts';
import {initial} from '../../src/migrations/0001-initial.ts';
import type {TableDefinition} from '../../src/migrations/definition.ts';
import {sql} from '../../src/sql.ts';
import {connectSqlite} from '../../src/sqlite-connection.ts';

const ledger: TableDefinition = {
	name: 'schema_migrations',
	columns: {name: 'code', applied_at: 'instant'},
	key: ['name'],
};
const at = '2026-01-31 09:30:00.000';
const later = '2026-01-31 09:35:00.000';
const server = buildServer({id: 'server', user_id: 'user', team_id: 'team'});

/** Writes a database as the first migration alone leaves it, with one approval that was granted and not used. */
export const writeFirstRelease = async (storage: string): Promise<void> => {
	const driver = await chooseDriver();
	const gate = {run: async <T>(work: () => Promise<T>) => work()};
	const connection = await connectSqlite({storage, driver, gate, clockOffset: () => 0});
	await connection.write(async (transaction) => {
		for (const table of [ledger, ...(initial.tables ?? [])])
			for (const statement of transaction.dialect.createTable(table)) await transaction.all(statement);
		await transaction.run(sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${initial.name}, ${at})`);
		await transaction.run(sql`INSERT INTO teams VALUES (${'team'}, ${'Ops'}, ${0}, ${at}, ${at})`);
		await transaction.run(mcpServers.insert([server]));
		await transaction.run(
			sql`INSERT INTO approvals (id, mcp_server_id, team_id, user_id, caller_key, tool_name, tool_key, request_body,
				arguments_digest, status, decided_at, expires_at, created_at, caller_waiting) VALUES (${'approval'}, ${server.id},
				${'team'}, ${'user'}, ${'anonymous'}, ${'send'}, ${'key'}, ${'{}'}, ${'digest'}, ${'approved'}, ${at}, ${later},
				${at}, ${1})`,
		);
	});
	await connection.close();
};
