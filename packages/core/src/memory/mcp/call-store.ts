import type {CallFilter, McpCall} from '../../mcp/model/call.ts';
import type {RollupSum} from '../../mcp/model/metrics.ts';
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

const emptySumFor = ({tool_name, created_at, status, duration_ms}: CallRow): RollupSum => ({
	tool_name,
	date: created_at.slice(0, 10),
	status,
	bucket: durationBucketOf(duration_ms),
	calls: 0,
	duration_ms: 0,
	cost_cents: 0,
});

/** Rollups are summed from the entries each time: they cannot drift from them. */
const sumUp = (calls: readonly CallRow[]): readonly RollupSum[] => {
	const sums = new Map<string, RollupSum>();
	for (const call of calls) {
		const empty = emptySumFor(call);
		const key = compositeKey(empty.tool_name, empty.date, empty.status, String(empty.bucket));
		const sum = sums.get(key) ?? empty;
		sums.set(key, {
			...sum,
			calls: sum.calls + 1,
			duration_ms: sum.duration_ms + call.duration_ms,
			cost_cents: sum.cost_cents + call.cost_cents,
		});
	}
	return [...sums.values()];
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
		rollups: async (team_id, {from, to, server_id}) => {
			const isWithin = ({created_at}: CallRow) => hourOf(created_at) >= from && hourOf(created_at) < to;
			const isAsked = (call: CallRow) => call.team_id === team_id && matches(call, {server_id}) && isWithin(call);
			return sumUp([...rowsWhere(db.calls, isAsked), ...rowsWhere(db.forgottenCalls, isAsked)]);
		},
	};
};
