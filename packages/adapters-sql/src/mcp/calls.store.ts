import type {CallFilter, CallStore, McpCall, PageRequest, RollupSum} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {headOf} from '../head-of.ts';
import {and, integer, list, type Sql, sql} from '../sql.ts';
import {type Row, storedInstant} from '../table.ts';
import {callsWithoutBodies, countedCalls, mcpCalls, rollupSums} from './calls.table.ts';
import {takeFromRollups} from './rollups.ts';

type RollupQuery = Parameters<CallStore['rollups']>[1];

// A byte order mark is part of what was sent: it is kept.
const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

const readCall = (row: Row): McpCall => {
	const {team_id: _, request_body, response_body, ...call} = mcpCalls.read(row);
	return {...call, request_body: decoder.decode(request_body), response_body: decoder.decode(response_body)};
};

/** The first characters, by code point: a surrogate pair is never cut in two. */
const firstCharacters = (text: string, characters: number): string => {
	if (text.length <= characters) return text;
	let end = 0;
	for (let taken = 0; taken < characters && end < text.length; taken += 1) {
		end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
	}
	return text.slice(0, end);
};

const matching = (team_id: string, filter: CallFilter): Sql => {
	const conditions = [sql`team_id = ${team_id}`];
	if (filter.server_id !== undefined) conditions.push(sql`mcp_server_id = ${filter.server_id}`);
	if (filter.method !== undefined) conditions.push(sql`method = ${filter.method}`);
	if (filter.tool_name !== undefined) conditions.push(sql`tool_name = ${filter.tool_name}`);
	if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`);
	if (filter.from !== undefined) conditions.push(sql`created_at >= ${storedInstant(filter.from)}`);
	if (filter.to !== undefined) conditions.push(sql`created_at < ${storedInstant(filter.to)}`);
	return and(conditions);
};

const listColumns = (body_chars: number): Sql =>
	sql`${callsWithoutBodies.columns}, ${headOf('request_body', body_chars)}, ${headOf('response_body', body_chars)}`;

const countCalls = async (connection: Connection, condition: Sql): Promise<number> =>
	count(connection, sql`SELECT COUNT(*) AS count FROM mcp_calls WHERE ${condition}`);

const selectPage = (condition: Sql, {limit, offset}: PageRequest, body_chars: number): Sql =>
	sql`SELECT ${listColumns(body_chars)} FROM mcp_calls WHERE ${condition}
		ORDER BY created_at DESC, id DESC LIMIT ${integer(limit)} OFFSET ${integer(offset)}`;

const withBodiesCut = (call: McpCall, body_chars: number): McpCall => ({
	...call,
	request_body: firstCharacters(call.request_body, body_chars),
	response_body: firstCharacters(call.response_body, body_chars),
});

const deleteCall = async (transaction: Transaction, one: Sql) => {
	const {forUpdate} = transaction.dialect;
	const row = await first(transaction, sql`SELECT ${countedCalls.columns} FROM mcp_calls WHERE ${one} ${forUpdate}`);
	if (!row) return undefined;
	const call = countedCalls.read(row);
	await transaction.run(sql`DELETE FROM mcp_calls WHERE ${one}`);
	await takeFromRollups(transaction, call);
	return {mcp_server_id: call.mcp_server_id, team_id: call.team_id};
};

const sumRollups = async (connection: Connection, team_id: string, {from, to, server_id}: RollupQuery) => {
	const ofServer = server_id === undefined ? sql`1 = 1` : sql`r.mcp_server_id = ${server_id}`;
	const rows = await connection.all(
		sql`SELECT MIN(r.tool_name) AS tool_name, substr(r.hour, 1, 10) AS date, r.status, r.bucket,
			SUM(r.calls) AS calls, SUM(r.duration_ms) AS duration_ms, SUM(r.cost_cents) AS cost_cents
			FROM mcp_servers s JOIN mcp_call_rollups r ON r.mcp_server_id = s.id
			WHERE s.team_id = ${team_id} AND r.hour >= ${storedInstant(from)} AND r.hour < ${storedInstant(to)} AND ${ofServer}
			GROUP BY r.tool_key, substr(r.hour, 1, 10), r.status, r.bucket`,
	);
	return rows.map(rollupSums.read);
};

export const createCallStore = (connection: Connection): CallStore => {
	const one = (team_ids: readonly string[], id: string) => sql`id = ${id} AND team_id IN ${list(team_ids)}`;
	return {
		list: async (team_id, filter, {body_chars, ...page}) => {
			const condition = matching(team_id, filter);
			const rows = await connection.all(selectPage(condition, page, body_chars));
			const data = rows.map((row) => withBodiesCut(readCall(row), body_chars));
			return {...page, data, total: await countCalls(connection, condition)};
		},
		count: async (team_id, filter) => countCalls(connection, matching(team_id, filter)),
		get: async (team_ids, id) => {
			const select = sql`SELECT ${mcpCalls.columns} FROM mcp_calls WHERE ${one(team_ids, id)}`;
			const row = await first(connection, select);
			return row && readCall(row);
		},
		delete: async (team_ids, id) => connection.write(async (transaction) => deleteCall(transaction, one(team_ids, id))),
		rollups: async (team_id, query): Promise<readonly RollupSum[]> => sumRollups(connection, team_id, query),
	};
};
