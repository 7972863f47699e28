import type {CallFilter, CallStore, McpCall} from '@signalbox/core';
import {compressedColumns} from '../compressed-bytes.ts';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import type {Dialect} from '../dialect.ts';
import {newestRows} from '../page.ts';
import {and, list, type Sql, sql} from '../sql.ts';
import {type Row, storedInstant} from '../table.ts';
import {callsWithoutBodies, countedCalls, mcpCalls} from './calls.table.ts';
import {foldCalls, foldFirst} from './fold-rollups.ts';
import {takeFromRollups} from './rollups.ts';
import {sumRollups} from './sum-rollups.ts';

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

/** Calls are of their server's team, which is asked for once: the index that has a server's calls in order knows no team. */
const ofServer = (team_id: string, server_id: string): Sql =>
	sql`mcp_server_id = ${server_id}
		AND EXISTS (SELECT 1 FROM mcp_servers s WHERE s.id = ${server_id} AND s.team_id = ${team_id})`;

const matching = ({isText}: Dialect, team_id: string, filter: CallFilter): Sql => {
	const {server_id} = filter;
	const conditions = [server_id === undefined ? sql`team_id = ${team_id}` : ofServer(team_id, server_id)];
	if (filter.method !== undefined) conditions.push(isText('method', filter.method));
	if (filter.tool_name !== undefined) conditions.push(isText('tool_name', filter.tool_name));
	if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`);
	if (filter.from !== undefined) conditions.push(sql`created_at >= ${storedInstant(filter.from)}`);
	if (filter.to !== undefined) conditions.push(sql`created_at < ${storedInstant(filter.to)}`);
	return and(conditions);
};

const listColumns = (body_chars: number): Sql =>
	sql`${callsWithoutBodies.columns}, ${compressedColumns('request_body', body_chars)}, ${compressedColumns('response_body', body_chars)}`;

const withBodiesCut = (call: McpCall, body_chars: number): McpCall => ({
	...call,
	request_body: firstCharacters(call.request_body, body_chars),
	response_body: firstCharacters(call.response_body, body_chars),
});

/** Then the call is in the rollups, and its row says nothing of others. Before it is locked: all lock in one order. */
const foldWith = async (transaction: Transaction, one: Sql): Promise<void> => {
	if (!transaction.dialect.foldsLater) return;
	// One that is there now was appended with all that its group adds.
	if (await first(transaction, sql`SELECT id FROM mcp_calls WHERE ${one}`)) await foldCalls(transaction);
};

const deleteCall = async (transaction: Transaction, one: Sql) => {
	const {forUpdate} = transaction.dialect;
	await foldWith(transaction, one);
	const row = await first(transaction, sql`SELECT ${countedCalls.columns} FROM mcp_calls WHERE ${one} ${forUpdate}`);
	if (!row) return undefined;
	const call = countedCalls.read(row);
	await transaction.run(sql`DELETE FROM mcp_calls WHERE ${one}`);
	await takeFromRollups(transaction, call);
	return {mcp_server_id: call.mcp_server_id, team_id: call.team_id};
};

export const createCallStore = (connection: Connection): CallStore => {
	const {dialect} = connection;
	const one = (team_ids: readonly string[], id: string) => sql`id = ${id} AND team_id IN ${list(team_ids)}`;
	return {
		list: async (team_id, filter, {body_chars, ...page}) => {
			const condition = matching(dialect, team_id, filter);
			const selection = {table: mcpCalls.name, columns: listColumns(body_chars), condition};
			const {data, ...bounds} = await newestRows(connection, selection, page);
			return {...bounds, data: data.map((row) => withBodiesCut(readCall(row), body_chars))};
		},
		count: async (team_id, filter) =>
			count(connection, sql`SELECT COUNT(*) AS count FROM mcp_calls WHERE ${matching(dialect, team_id, filter)}`),
		get: async (team_ids, id) => {
			const select = sql`SELECT ${mcpCalls.columns} FROM mcp_calls WHERE ${one(team_ids, id)}`;
			const row = await first(connection, select);
			return row && readCall(row);
		},
		delete: async (team_ids, id) => connection.write(async (transaction) => deleteCall(transaction, one(team_ids, id))),
		sums: async (team_id, query) => {
			await foldFirst(connection);
			return sumRollups(connection, team_id, query);
		},
	};
};
