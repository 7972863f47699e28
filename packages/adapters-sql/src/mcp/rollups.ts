import {durationBucketOf, hourOf} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {sql} from '../sql.ts';
import type {Table} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {type CountedCall, dayRollups, hourRollups, type Rollup} from './calls.table.ts';

/** Metrics of a month are sums over days, and over the hours of its first and its last one. */
export type Level = Readonly<{
	table: Table<Rollup>;
	/** The column that says since when. */
	column: 'hour' | 'day';
	sinceOf(instant: string): string;
}>;

/** The day of an instant, UTC. */
export const dateOf = (instant: string): string => instant.slice(0, 10);

export const hours: Level = {table: hourRollups, column: 'hour', sinceOf: hourOf};
export const days: Level = {table: dayRollups, column: 'day', sinceOf: dateOf};

const levels = [hours, days];

const rollupOf = ({sinceOf}: Level, {created_at, duration_ms, ...call}: CountedCall): Rollup => ({
	mcp_server_id: call.mcp_server_id,
	since: sinceOf(created_at),
	tool_key: textKeyOf(call.tool_name),
	status: call.status,
	bucket: durationBucketOf(duration_ms),
	tool_name: call.tool_name,
	calls: 1,
	duration_ms,
	cost_cents: call.cost_cents,
});

/** What calls of one rollup have in common. The name comes last: it alone may hold a blank. */
const groupOf = ({sinceOf}: Level, {mcp_server_id, created_at, status, duration_ms, tool_name}: CountedCall): string =>
	`${mcp_server_id} ${sinceOf(created_at)} ${status} ${durationBucketOf(duration_ms)} ${tool_name}`;

type Sum = {calls: number; duration_ms: number; cost_cents: number};

const byGroup = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const sumUp = (level: Level, calls: readonly CountedCall[]): readonly Rollup[] => {
	const groups = new Map<string, Readonly<{first: CountedCall; sum: Sum}>>();
	for (const call of calls) {
		const group = groupOf(level, call);
		const {sum} = groups.get(group) ?? {};
		if (sum) {
			sum.calls += 1;
			sum.duration_ms += call.duration_ms;
			sum.cost_cents += call.cost_cents;
		} else {
			groups.set(group, {first: call, sum: {calls: 1, duration_ms: call.duration_ms, cost_cents: call.cost_cents}});
		}
	}
	// In one order, so that two who count at once do not wait for each other.
	return [...groups].sort(byGroup).map(([, {first, sum}]) => ({...rollupOf(level, first), ...sum}));
};

/** Counts the calls in. To be run in the transaction that inserts them. */
export const addToRollups = async (transaction: Transaction, calls: readonly CountedCall[]): Promise<void> => {
	for (const level of levels) {
		const {table, column} = level;
		await transaction.later(
			transaction.dialect.addOrInsert({
				table: table.name,
				key: ['mcp_server_id', column, 'tool_key', 'status', 'bucket'],
				sums: ['calls', 'duration_ms', 'cost_cents'],
				insert: table.insert(sumUp(level, calls)),
			}),
		);
	}
};

const takeFrom = async (transaction: Transaction, {table, ...level}: Level, call: CountedCall): Promise<void> => {
	const {mcp_server_id, since, tool_key, status, bucket, duration_ms, cost_cents} = rollupOf({table, ...level}, call);
	const one = sql`mcp_server_id = ${mcp_server_id} AND ${table.set({since})} AND tool_key = ${tool_key}
		AND status = ${status} AND bucket = ${bucket}`;
	await transaction.run(
		sql`UPDATE ${table.name} SET calls = calls - 1, duration_ms = duration_ms - ${duration_ms},
			cost_cents = cost_cents - ${cost_cents} WHERE ${one}`,
	);
	await transaction.run(sql`DELETE FROM ${table.name} WHERE ${one} AND calls <= 0`);
};

/** Counts a call out again. To be run in the transaction that deletes it. */
export const takeFromRollups = async (transaction: Transaction, call: CountedCall): Promise<void> => {
	for (const level of levels) await takeFrom(transaction, level, call);
};
