import type {McpCallEntry, RollupSum} from '@signalbox/core';
import {bytes, type Codecs, defineTable, instant, json, nullable, number, text} from '../table.ts';

/** What the rollups count, and whose it is. */
export type CountedCall = Pick<
	McpCallEntry,
	'mcp_server_id' | 'team_id' | 'tool_name' | 'status' | 'duration_ms' | 'cost_cents' | 'created_at'
>;

const counted: Codecs<CountedCall> = {
	mcp_server_id: text(),
	team_id: text(),
	tool_name: text(),
	status: text(),
	duration_ms: number,
	cost_cents: number,
	created_at: instant,
};

export const countedCalls = defineTable<CountedCall>('mcp_calls', counted);

/** What is looked at in a call that is written. */
export type WrittenCall = CountedCall & Pick<McpCallEntry, 'id' | 'approval_id'>;

const written: Codecs<WrittenCall> = {...counted, id: text(), approval_id: nullable(text())};

export const writtenCalls = defineTable<WrittenCall>('mcp_calls', written);

/** Begins with the columns of a written call, so that one can be read off its tuple. */
const withoutBodies: Codecs<Omit<McpCallEntry, 'request_body' | 'response_body'>> = {
	...written,
	method: text(),
	status_code: number,
	error_message: text(),
	source_ip: text(),
	headers: json(),
};

export const callsWithoutBodies = defineTable('mcp_calls', withoutBodies);

export const mcpCalls = defineTable<McpCallEntry>('mcp_calls', {
	...withoutBodies,
	request_body: bytes,
	response_body: bytes,
});

/** Sums of the calls of one server, tool, hour, outcome and duration bucket. */
export type Rollup = Omit<RollupSum, 'date'> & Readonly<{mcp_server_id: string; hour: string; tool_key: string}>;

export const rollups = defineTable<Rollup>('mcp_call_rollups', {
	mcp_server_id: text(),
	hour: instant,
	tool_key: text(),
	status: text(),
	bucket: number,
	tool_name: text(),
	calls: number,
	duration_ms: number,
	cost_cents: number,
});

/** Rollups summed over servers and the hours of a day. */
export const rollupSums = defineTable<RollupSum>('mcp_call_rollups', {
	tool_name: text(),
	date: text(),
	status: text(),
	bucket: number,
	calls: number,
	duration_ms: number,
	cost_cents: number,
});
