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

/** What one call counts for. */
const countOf = ({sinceOf}: Level, {created_at, duration_ms, ...call}: CountedCall): Omit<Rollup, 'tool_key'> => ({
	mcp_server_id: call.mcp_server_id,
	since: sinceOf(created_at),
	status: call.status,
	bucket: durationBucketOf(duration_ms),
	tool_name: call.tool_name,
	calls: 1,
	duration_ms,
	cost_cents: call.cost_cents,
});

type Sums = Map<string, Writable<Rollup>>;

type Writable<T> = {-readonly [K in keyof T]: T[K]};

/** What calls of one rollup have in common. The name comes last: it alone may hold a blank. */
const groupOf = ({mcp_server_id, since, status, bucket, tool_name}: Omit<Rollup, 'tool_key'>): string =>
	`${mcp_server_id} ${since} ${status} ${bucket} ${tool_name}`;

const add = (sum: Writable<Rollup>, {calls, duration_ms, cost_cents}: Omit<Rollup, 'tool_key'>): void => {
	sum.calls += calls;
	sum.duration_ms += duration_ms;
	sum.cost_cents += cost_cents;
};

const sumHours = (calls: readonly CountedCall[]): Sums => {
	const sums: Sums = new Map();
	for (const call of calls) {
		const one = countOf(hours, call);
		const group = groupOf(one);
		const sum = sums.get(group);
		if (sum) add(sum, one);
		else sums.set(group, {...one, tool_key: textKeyOf(one.tool_name)});
	}
	return sums;
};

/** Of the sums of hours: there are far fewer of them than calls. */
const sumDays = (hourSums: Sums): Sums => {
	const sums: Sums = new Map();
	for (const hour of hourSums.values()) {
		const one = {...hour, since: dateOf(hour.since)};
		const group = groupOf(one);
		const sum = sums.get(group);
		if (sum) add(sum, one);
		else sums.set(group, one);
	}
	return sums;
};

const byGroup = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** In one order, so that two who count at once do not wait for each other. */
const inOrder = (sums: Sums): readonly Rollup[] => [...sums].sort(byGroup).map(([, sum]) => sum);

/** Counts the calls in. To be run in the transaction that inserts them. */
export const addToRollups = async (transaction: Transaction, calls: readonly CountedCall[]): Promise<void> => {
	const hourSums = sumHours(calls);
	for (const [{table, column}, sums] of [
		[hours, hourSums],
		[days, sumDays(hourSums)],
	] as const) {
		await transaction.later(
			transaction.dialect.addOrInsert({
				table: table.name,
				key: ['mcp_server_id', column, 'tool_key', 'status', 'bucket'],
				sums: ['calls', 'duration_ms', 'cost_cents'],
				insert: table.insert(inOrder(sums)),
			}),
		);
	}
};

const takeFrom = async (transaction: Transaction, {table, ...level}: Level, call: CountedCall): Promise<void> => {
	const {mcp_server_id, since, status, bucket, tool_name, duration_ms, cost_cents} = countOf({table, ...level}, call);
	const one = sql`mcp_server_id = ${mcp_server_id} AND ${table.set({since})} AND tool_key = ${textKeyOf(tool_name)}
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
