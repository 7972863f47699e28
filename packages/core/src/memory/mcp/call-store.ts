import type {CallFilter, McpCall} from '../../mcp/model/call.ts';
import type {CallSums, DaySum, ToolSum} from '../../mcp/model/metrics.ts';
import {durationBucketOf} from '../../mcp/rules/duration-histogram.ts';
import type {CallStore} from '../../ports/index.ts';
import {firstCharacters} from '../../values/first-characters.ts';
import {hourOf} from '../../values/instant.ts';
import {type CallRow, compositeKey, type MemoryDatabase} from '../database.ts';
import {copyOf, newestFirst, pageOf, rowsWhere} from '../rows.ts';

const callOf = ({team_id: _, ...call}: CallRow): McpCall => copyOf(call);

const matches = (call: CallRow, filter: CallFilter): boolean =>
	(filter.server_id === undefined || call.mcp_server_id === filter.server_id) &&
	(filter.method === undefined || call.method === filter.method) &&
	(filter.tool_name === undefined || call.tool_name === filter.tool_name) &&
	(filter.status === undefined || call.status === filter.status) &&
	(filter.from === undefined || call.created_at >= filter.from) &&
	(filter.to === undefined || call.created_at < filter.to);

const withBodiesCut = (call: McpCall, body_chars: number): McpCall => ({
	...call,
	request_body: firstCharacters(call.request_body, body_chars),
	response_body: firstCharacters(call.response_body, body_chars),
});

const toolSumOf = ({tool_name, status, duration_ms, cost_cents}: CallRow): ToolSum => {
	const bucket = durationBucketOf(duration_ms);
	return {tool_name, status, bucket, calls: 1, duration_ms, cost_cents};
};

const daySumOf = ({created_at, status, duration_ms}: CallRow): DaySum => ({
	date: created_at.slice(0, 10),
	status,
	calls: 1,
	duration_ms,
});

const total = <K extends string>(rows: readonly Readonly<Record<K, number>>[], field: K): number =>
	rows.reduce((sum, row) => sum + row[field], 0);

const addUp = <S extends Pick<DaySum, 'calls' | 'duration_ms'>>(alike: readonly S[]): S => ({
	...(alike[0] as S),
	calls: total(alike, 'calls'),
	duration_ms: total(alike, 'duration_ms'),
});

/** They are summed from the entries each time: they cannot drift from them. */
const sumUp = (calls: readonly CallRow[]): CallSums => {
	const tools = Map.groupBy(calls.map(toolSumOf), ({tool_name, status, bucket}) =>
		compositeKey(tool_name, status, String(bucket)),
	);
	const days = Map.groupBy(calls.map(daySumOf), ({date, status}) => compositeKey(date, status));
	return {
		by_tool: Array.from(tools.values(), (alike) => ({...addUp(alike), cost_cents: total(alike, 'cost_cents')})),
		by_day: Array.from(days.values(), addUp),
	};
};

export const createCallStore = (db: MemoryDatabase): CallStore => {
	const select = (team_id: string, filter: CallFilter) =>
		rowsWhere(db.calls, (call) => call.team_id === team_id && matches(call, filter));
	const find = (team_ids: readonly string[], id: string) => {
		const call = db.calls.get(id);
		return call !== undefined && team_ids.includes(call.team_id) ? call : undefined;
	};
	return {
		list: async (team_id, filter, {body_chars, ...page}) => {
			const {data, ...bounds} = pageOf(select(team_id, filter).sort(newestFirst), page);
			return {...bounds, data: data.map((call) => withBodiesCut(callOf(call), body_chars))};
		},
		count: async (team_id, filter) => select(team_id, filter).length,
		get: async (team_ids, id) => {
			const call = find(team_ids, id);
			return call === undefined ? undefined : callOf(call);
		},
		delete: async (team_ids, id) => {
			const call = find(team_ids, id);
			if (call === undefined) return undefined;
			db.calls.delete(id);
			return {mcp_server_id: call.mcp_server_id, team_id: call.team_id};
		},
		sums: async (team_id, {from, to, server_id}) => {
			const isWithin = ({created_at}: CallRow) => hourOf(created_at) >= from && hourOf(created_at) < to;
			const isAsked = (call: CallRow) => call.team_id === team_id && matches(call, {server_id}) && isWithin(call);
			return sumUp([...rowsWhere(db.calls, isAsked), ...rowsWhere(db.forgottenCalls, isAsked)]);
		},
	};
};
