import {durationBucketOf, hourOf} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {sql} from '../sql.ts';
import type {Table} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {type CountedCall, dayRollups, hourRollups, type Rollup, type RollupCount} from './calls.table.ts';

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

/** What one call counts for. */
const countOf = ({created_at, duration_ms, ...call}: CountedCall): RollupCount => ({
	mcp_server_id: call.mcp_server_id,
	since: hourOf(created_at),
	status: call.status,
	bucket: durationBucketOf(duration_ms),
	tool_name: call.tool_name,
	calls: 1,
	duration_ms,
	cost_cents: call.cost_cents,
});

type Writable<T> = {-readonly [K in keyof T]: T[K]};

/** What calls of one rollup have in common. The name comes last: it alone may hold a blank. */
const groupOf = ({mcp_server_id, since, status, bucket, tool_name}: RollupCount): string =>
	`${mcp_server_id} ${since} ${status} ${bucket} ${tool_name}`;

const byGroup = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Sums of the counts of each group; in one order, so that two who count at once do not wait for each other. */
export const sumUp = (counts: readonly RollupCount[]): readonly RollupCount[] => {
	const sums = new Map<string, Writable<RollupCount>>();
	for (const count of counts) {
		const group = groupOf(count);
		const sum = sums.get(group);
		if (sum === undefined) {
			sums.set(group, {...count});
			continue;
		}
		sum.calls += count.calls;
		sum.duration_ms += count.duration_ms;
		sum.cost_cents += count.cost_cents;
	}
	return [...sums].sort(byGroup).map(([, sum]) => sum);
};

/** What calls add to the rollups of hours. */
export const countUp = (calls: readonly CountedCall[]): readonly RollupCount[] => sumUp(calls.map(countOf));

/** Adds sums of hours to the rollups. */
export const addToRollups = async (transaction: Transaction, hourSums: readonly RollupCount[]): Promise<void> => {
	// There are far fewer sums of hours than calls.
	const daySums = sumUp(hourSums.map((sum) => ({...sum, since: dateOf(sum.since)})));
	for (const [{table, column}, sums] of [
		[hours, hourSums],
		[days, daySums],
	] as const) {
		const rows = sums.map((sum) => ({...sum, tool_key: textKeyOf(sum.tool_name)}));
		await transaction.later(
			transaction.dialect.addOrInsert({
				table: table.name,
				key: ['mcp_server_id', column, 'tool_key', 'status', 'bucket'],
				sums: ['calls', 'duration_ms', 'cost_cents'],
				insert: table.insert(rows),
			}),
		);
	}
};

const takeFrom = async (transaction: Transaction, {table, sinceOf}: Level, count: RollupCount): Promise<void> => {
	const {mcp_server_id, since, status, bucket, tool_name, duration_ms, cost_cents} = count;
	const one = sql`mcp_server_id = ${mcp_server_id} AND ${table.set({since: sinceOf(since)})} AND tool_key = ${textKeyOf(tool_name)}
		AND status = ${status} AND bucket = ${bucket}`;
	await transaction.run(
		sql`UPDATE ${table.name} SET calls = calls - 1, duration_ms = duration_ms - ${duration_ms},
			cost_cents = cost_cents - ${cost_cents} WHERE ${one}`,
	);
	await transaction.run(sql`DELETE FROM ${table.name} WHERE ${one} AND calls <= 0`);
};

/** Counts a call out again. To be run in the transaction that deletes it. */
export const takeFromRollups = async (transaction: Transaction, call: CountedCall): Promise<void> => {
	for (const level of [hours, days]) await takeFrom(transaction, level, countOf(call));
};
