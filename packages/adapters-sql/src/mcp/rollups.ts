import {durationBucketOf, hourOf} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {type CountedCall, type Rollup, rollups} from './calls.table.ts';

const rollupOf = ({created_at, duration_ms, ...call}: CountedCall): Rollup => ({
	mcp_server_id: call.mcp_server_id,
	hour: hourOf(created_at),
	tool_key: textKeyOf(call.tool_name),
	status: call.status,
	bucket: durationBucketOf(duration_ms),
	tool_name: call.tool_name,
	calls: 1,
	duration_ms,
	cost_cents: call.cost_cents,
});

/** What calls of one rollup have in common. The name comes last: it alone may hold a blank. */
const groupOf = ({mcp_server_id, created_at, status, duration_ms, tool_name}: CountedCall): string =>
	`${mcp_server_id} ${hourOf(created_at)} ${status} ${durationBucketOf(duration_ms)} ${tool_name}`;

type Sum = {calls: number; duration_ms: number; cost_cents: number};

const sumUp = (calls: readonly CountedCall[]): readonly Rollup[] => {
	const groups = new Map<string, Readonly<{first: CountedCall; sum: Sum}>>();
	for (const call of calls) {
		const group = groupOf(call);
		const {sum} = groups.get(group) ?? {};
		if (sum) {
			sum.calls += 1;
			sum.duration_ms += call.duration_ms;
			sum.cost_cents += call.cost_cents;
		} else {
			groups.set(group, {first: call, sum: {calls: 1, duration_ms: call.duration_ms, cost_cents: call.cost_cents}});
		}
	}
	return [...groups.values()].map(({first, sum}) => ({...rollupOf(first), ...sum}));
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
