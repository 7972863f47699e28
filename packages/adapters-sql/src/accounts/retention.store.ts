import {hourOf, plusSeconds, type Retention, type RetentionStore} from '@signalbox/core';
import {type Connection, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {handful} from '../handful.ts';
import {foldFirst} from '../mcp/fold-rollups.ts';
import {edgeOf} from '../retention-edge.ts';
import {integer, list, paddedList, raw, type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';

/**
 * CROSS JOIN keeps SQLite from going through all that is kept: server by server, the index says what is too old.
 * An account may be gone: then nobody's plan keeps anything for longer.
 */
const ofServers = (table: string): Sql =>
	sql`mcp_servers s LEFT JOIN users u ON u.id = s.user_id CROSS JOIN ${raw(table)} r`;

const oldCalls = (edge: Sql): Sql =>
	sql`SELECT r.id, LENGTH(r.request_body) + LENGTH(r.response_body) AS bytes
		FROM ${ofServers('mcp_calls')} WHERE r.mcp_server_id = s.id AND r.created_at < ${edge}`;

const oldApprovals = (edge: Sql): Sql =>
	sql`SELECT r.id FROM ${ofServers('approvals')} WHERE r.mcp_server_id = s.id
		AND r.status IN ('approved', 'rejected', 'expired') AND r.expires_at < ${edge}`;

const oldNotifications = (edge: Sql): Sql =>
	sql`SELECT r.id FROM users u CROSS JOIN notifications r WHERE r.user_id = u.id AND r.created_at < ${edge}`;

type Kind = Readonly<{
	table: string;
	/** Those that were final before that. */
	select(edge: Sql): Sql;
}>;

const calls: Kind = {table: 'mcp_calls', select: oldCalls};
const approvals: Kind = {table: 'approvals', select: oldApprovals};
const notifications: Kind = {table: 'notifications', select: oldNotifications};

type Order = Parameters<RetentionStore['purgeCalls']>;

const purge = async (transaction: Transaction, {table, select}: Kind, [retention, limit]: Order) => {
	const edge = edgeOf(retention, await storeNow(transaction));
	const found = await transaction.all(sql`${select(edge)} LIMIT ${integer(limit)} ${transaction.dialect.forUpdate}`);
	const rows = handful(found);
	if (rows.length === 0) return 0;
	return transaction.run(sql`DELETE FROM ${raw(table)} WHERE id IN ${list(rows.map(({id}) => String(id)))}`);
};

/** Hours, which are counted, and days that are over before. */
const oldRollups = (edge: string, server_ids: readonly string[]): Readonly<{hours: Sql; days: Sql}> => {
	const ofServers = sql`mcp_server_id IN ${paddedList(server_ids)}`;
	return {
		hours: sql`FROM mcp_call_rollups WHERE ${ofServers} AND hour < ${storedInstant(edge)}`,
		days: sql`FROM mcp_call_day_rollups WHERE ${ofServers} AND day < ${edge.slice(0, 10)}`,
	};
};

const serversAtOnce = 512;

/** Servers are named, so that the key of each table finds what is old of each. */
async function* serverIds(reader: Reader): AsyncGenerator<readonly string[]> {
	let last = '';
	for (;;) {
		const rows = await reader.all(
			sql`SELECT id FROM mcp_servers WHERE id > ${last} ORDER BY id LIMIT ${integer(serversAtOnce)}`,
		);
		const ids = rows.map(({id}) => String(id));
		if (ids.length > 0) yield ids;
		if (ids.length < serversAtOnce) return;
		last = ids.at(-1) ?? '';
	}
}

const purgeRollupsOf = async (connection: Connection, edge: string, server_ids: readonly string[]): Promise<number> => {
	const {hours, days} = oldRollups(edge, server_ids);
	if ((await first(connection, sql`SELECT calls ${hours} LIMIT 1`)) === undefined) return 0;
	return connection.write(async (transaction) => {
		await transaction.run(sql`DELETE ${days}`);
		return transaction.run(sql`DELETE ${hours}`);
	});
};

export const createRetentionStore = (connection: Connection): RetentionStore => {
	/** Most looks find nothing: they keep no writer waiting. */
	const isDue = async ({select}: Kind, retention: Retention): Promise<boolean> => {
		const edge = edgeOf(retention, await storeNow(connection));
		return (await first(connection, sql`${select(edge)} LIMIT 1`)) !== undefined;
	};
	const purgeKind =
		(kind: Kind) =>
		async (...order: Order): Promise<number> =>
			(await isDue(kind, order[0])) ? connection.write(async (transaction) => purge(transaction, kind, order)) : 0;
	return {
		purgeCalls: async (...order) => {
			await foldFirst(connection);
			return purgeKind(calls)(...order);
		},
		purgeApprovals: purgeKind(approvals),
		purgeNotifications: purgeKind(notifications),
		purgeRollups: async (kept_days) => {
			await foldFirst(connection);
			const edge = hourOf(plusSeconds(await storeNow(connection), -kept_days * 24 * 3600));
			let purged = 0;
			for await (const ids of serverIds(connection)) purged += await purgeRollupsOf(connection, edge, ids);
			return purged;
		},
	};
};
