import {DomainError, type McpServerRecord, type McpServerStore} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {integer, list, type Sql, sql} from '../sql.ts';
import {mcpServers} from './servers.table.ts';

const selectServers = (condition: Sql): Sql => sql`SELECT ${mcpServers.columns} FROM mcp_servers WHERE ${condition}`;

const reachable = (team_ids: readonly string[], id: string): Sql => sql`id = ${id} AND team_id IN ${list(team_ids)}`;

const createServer = async (transaction: Transaction, server: McpServerRecord, limit: number | null) => {
	await lockRow(transaction, 'users', server.user_id);
	const existing = sql`SELECT COUNT(*) AS count FROM mcp_servers WHERE user_id = ${server.user_id}`;
	if (limit !== null && (await count(transaction, existing)) >= limit) throw new DomainError('plan_limit_reached');
	await transaction.run(mcpServers.insert([server]));
};

/** What says who made it, when and for whom stays; the rest is written. */
const changesOf = (
	{id: _, user_id: __, team_id: ___, created_at: ____, ...changes}: McpServerRecord,
	version: number,
) => mcpServers.set({...changes, version: version + 1});

const updateServer = async (transaction: Transaction, one: Sql, [server, version]: [McpServerRecord, number]) => {
	const changes = changesOf(server, version);
	const update = sql`UPDATE mcp_servers SET ${changes} WHERE ${one} AND version = ${version}`;
	const row = await guardedUpdate(transaction, update, selectServers(one));
	return row && mcpServers.read(row);
};

export const createMcpServerStore = (connection: Connection): McpServerStore => {
	const find = async (condition: Sql) => {
		const row = await first(connection, selectServers(condition));
		return row && mcpServers.read(row);
	};
	return {
		create: async (server, limit) => connection.write(async (transaction) => createServer(transaction, server, limit)),
		get: async (team_ids, id) => find(reachable(team_ids, id)),
		list: async (team_id) => {
			const rows = await connection.all(sql`${selectServers(sql`team_id = ${team_id}`)} ORDER BY created_at, id`);
			return rows.map(mcpServers.read);
		},
		update: async (team_ids, server, version) =>
			connection.write(async (transaction) =>
				updateServer(transaction, reachable(team_ids, server.id), [server, version]),
			),
		// Calls, rollups, approvals and spend go with it by their foreign keys.
		delete: async (team_ids, id) =>
			connection.write(
				async (transaction) =>
					(await transaction.run(sql`DELETE FROM mcp_servers WHERE ${reachable(team_ids, id)}`)) > 0,
			),
		bySlug: async (slug) => find(sql`slug = ${slug}`),
		sealedOtherwise: async (kid, limit) => {
			const others = selectServers(sql`upstream_headers_kid <> ${kid}`);
			return (await connection.all(sql`${others} ORDER BY id LIMIT ${integer(limit)}`)).map(mcpServers.read);
		},
		reseal: async (id, from, to) => {
			const unchanged = sql`upstream_headers_kid = ${from.kid} AND upstream_headers_data = ${from.data}`;
			const changes = mcpServers.set({upstream_headers: to});
			const update = sql`UPDATE mcp_servers SET ${changes}, version = version + 1 WHERE id = ${id} AND ${unchanged}`;
			return connection.write(async (transaction) => (await transaction.run(update)) > 0);
		},
	};
};
