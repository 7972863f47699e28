import {durationBucketOf, hourOf} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {type CountedCall, type Rollup, rollups} from './calls.table.ts';
import {toolKeyOf} from './tool-key.ts';

const rollupOf = ({created_at, duration_ms, ...call}: CountedCall): Rollup => ({
	mcp_server_id: call.mcp_server_id,
	hour: hourOf(created_at),
	tool_key: toolKeyOf(call.tool_name),
	status: call.status,
	bucket: durationBucketOf(duration_ms),
	tool_name: call.tool_name,
	calls: 1,
	duration_ms,
	cost_cents: call.cost_cents,
});

const plus = (a: Rollup, b: Rollup): Rollup => ({
	...a,
	calls: a.calls + b.calls,
	duration_ms: a.duration_ms + b.duration_ms,
	cost_cents: a.cost_cents + b.cost_cents,
});

const sumUp = (calls: readonly CountedCall[]): readonly Rollup[] => {
	const sums = new Map<string, Rollup>();
	for (const rollup of calls.map(rollupOf)) {
		const {mcp_server_id, hour, tool_key, status, bucket} = rollup;
		const key = [mcp_server_id, hour, tool_key, status, bucket].join(' ');
		const sum = sums.get(key);
		sums.set(key, sum ? plus(sum, rollup) : rollup);
	}
	return [...sums.values()];
};

/** Counts the calls in. To be run in the transaction that inserts them. */
export const addToRollups = (transaction: Transaction, calls: readonly CountedCall[]): Sql =>
	transaction.dialect.addOrInsert({
		table: rollups.name,
		key: ['mcp_server_id', 'hour', 'tool_key', 'status', 'bucket'],
		sums: ['calls', 'duration_ms', 'cost_cents'],
		insert: rollups.insert(sumUp(calls)),
	});

/** Counts a call out again. To be run in the transaction that deletes it. */
export const takeFromRollups = async (transaction: Transaction, call: CountedCall): Promise<void> => {
	const {mcp_server_id, hour, tool_key, status, bucket, duration_ms, cost_cents} = rollupOf(call);
	const one = sql`mcp_server_id = ${mcp_server_id} AND hour = ${storedInstant(hour)} AND tool_key = ${tool_key}
		AND status = ${status} AND bucket = ${bucket}`;
	await transaction.run(
		sql`UPDATE mcp_call_rollups SET calls = calls - 1, duration_ms = duration_ms - ${duration_ms},
			cost_cents = cost_cents - ${cost_cents} WHERE ${one}`,
	);
	await transaction.run(sql`DELETE FROM mcp_call_rollups WHERE ${one} AND calls <= 0`);
};
