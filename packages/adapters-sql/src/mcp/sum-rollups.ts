import {type CallStore, type CallSums, plusSeconds} from '@signalbox/core';
import type {Connection} from '../connection.ts';
import {join, paddedList, raw, type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {daySums, toolSums} from './calls.table.ts';
import {dateOf, days, hours, type Level} from './rollups.ts';

type Query = Parameters<CallStore['sums']>[1];
type Part = Readonly<{level: Level; from: string; to: string}>;

const startOf = (date: string): string => `${date}T00:00:00.000Z`;

const hoursBetween = (from: string, to: string): readonly Part[] =>
	from < to ? [{level: hours, from: storedInstant(from), to: storedInstant(to)}] : [];

/** The days that are asked for as a whole, and the hours before and after them. */
const partsOf = ({from, to}: Query): readonly Part[] => {
	if (from >= to) return [];
	const [beginning, end] = [from === startOf(dateOf(from)) ? from : plusSeconds(from, 24 * 3600), to].map(dateOf);
	if (beginning === undefined || end === undefined || beginning >= end) return hoursBetween(from, to);
	const whole = {level: days, from: beginning, to: end};
	return [...hoursBetween(from, startOf(beginning)), whole, ...hoursBetween(startOf(end), to)];
};

/** Servers are named one by one: so the key of each finds the hours or days that are asked for, and passes over no others. */
const selectPart = (servers: Sql, {level: {table, column}, from, to}: Part): Sql => {
	const since = raw(column);
	const date = sql`substr(${since}, 1, 10)`;
	return sql`SELECT ${date} AS date, ${date} AS one_date, tool_key, status, bucket, calls, duration_ms, cost_cents
		FROM ${table.name} WHERE mcp_server_id IN ${servers} AND ${since} >= ${from} AND ${since} < ${to}`;
};

const sumUp = (rollups: Sql, group: Sql): Sql =>
	sql`SELECT ${group}, SUM(calls) AS calls, SUM(duration_ms) AS duration_ms, SUM(cost_cents) AS cost_cents,
		MIN(one_date) AS one_date FROM (${rollups}) p GROUP BY ${group}`;

/** Each part is summed up by itself: what they are put together of is short. */
const sumUpAll = (parts: readonly Sql[], group: Sql): Sql => {
	const summed = parts.map((part) => sumUp(part, group));
	return sumUp(join(summed, ' UNION ALL '), group);
};

/** One name of each group is read, by the key: databases group rows with texts of any length on their disk. */
const withNames = (groups: Sql, servers: Sql): Sql => {
	const name = sql`SELECT r.tool_name FROM mcp_servers s JOIN mcp_call_day_rollups r ON r.mcp_server_id = s.id
		WHERE s.id IN ${servers} AND r.day = g.one_date AND r.tool_key = g.tool_key LIMIT 1`;
	return sql`SELECT (${name}) AS tool_name, g.status, g.bucket, g.calls, g.duration_ms, g.cost_cents FROM (${groups}) g`;
};

const findServers = async (connection: Connection, team_id: string, {server_id}: Query): Promise<readonly string[]> => {
	const ofTeam = sql`team_id = ${team_id}`;
	const which = server_id === undefined ? ofTeam : sql`${ofTeam} AND id = ${server_id}`;
	return (await connection.all(sql`SELECT id FROM mcp_servers WHERE ${which}`)).map(({id}) => String(id));
};

export const sumRollups = async (connection: Connection, team_id: string, query: Query): Promise<CallSums> => {
	const ids = await findServers(connection, team_id, query);
	const servers = paddedList(ids);
	const parts = partsOf(query).map((part) => selectPart(servers, part));
	if (ids.length === 0 || parts.length === 0) return {by_tool: [], by_day: []};
	const [tools, dates] = await Promise.all([
		connection.all(withNames(sumUpAll(parts, raw('tool_key, status, bucket')), servers)),
		connection.all(sumUpAll(parts, raw('date, status'))),
	]);
	return {by_tool: tools.map(toolSums.read), by_day: dates.map(daySums.read)};
};
