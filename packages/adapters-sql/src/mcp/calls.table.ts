import type {DaySum, McpCallEntry, ToolSum} from '@signalbox/core';
import {compressedBytes} from '../compressed-bytes.ts';
import {type Codecs, defineTable, flag, inColumn, instant, json, nullable, number, text} from '../table.ts';

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

const wholeCall: Codecs<McpCallEntry> = {
	...withoutBodies,
	request_body: compressedBytes,
	response_body: compressedBytes,
};

export const mcpCalls = defineTable('mcp_calls', wholeCall);

/** Sums of the calls of one server, tool, outcome and duration bucket since the beginning of an hour, or of a day. */
export type Rollup = ToolSum & Readonly<{mcp_server_id: string; since: string; tool_key: string}>;

/** What is summed up, or counted in. */
export type RollupCount = Omit<Rollup, 'tool_key'>;

const toolSum: Codecs<ToolSum> = {
	tool_name: text(),
	status: text(),
	bucket: number,
	calls: number,
	duration_ms: number,
	cost_cents: number,
};

const rollup = {mcp_server_id: text(), tool_key: text(), ...toolSum};

export const hourRollups = defineTable<Rollup>('mcp_call_rollups', {...rollup, since: inColumn('hour', instant)});
/** `since` is a date, like `2026-01-31`. */
export const dayRollups = defineTable<Rollup>('mcp_call_day_rollups', {...rollup, since: inColumn('day', text())});

/** One of a group's rows of each server says what all of them add to the rollups of that server. */
type Unfolded = Readonly<{unfolded: boolean | null; rollup_delta: readonly RollupCount[] | null}>;

const ofUnfolded: Codecs<Unfolded> = {unfolded: nullable(flag), rollup_delta: nullable(json())};

/** Calls as they are appended where the rollups come later. */
export const appendedCalls = defineTable<McpCallEntry & Unfolded>('mcp_calls', {...wholeCall, ...ofUnfolded});

export const unfoldedCalls = defineTable<Pick<McpCallEntry, 'id'> & Unfolded>('mcp_calls', {id: text(), ...ofUnfolded});

/** Rollups summed over servers and time. */
export const toolSums = defineTable<ToolSum>('mcp_call_rollups', toolSum);
export const daySums = defineTable<DaySum>('mcp_call_rollups', {
	date: text(),
	status: text(),
	calls: number,
	duration_ms: number,
});
