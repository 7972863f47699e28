import {durationBucketOf, hourOf} from '@signalbox/core';
import {type Connection, first, type Transaction} from '../connection.ts';
import {integer, paddedList, type Sql, sql} from '../sql.ts';
import type {Table} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {type CountedCall, dayRollups, hourRollups, type Rollup, rollupDeltas} from './calls.table.ts';

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

type Count = Omit<Rollup, 'tool_key'>;

/** What one call counts for. */
const countOf = ({created_at, duration_ms, ...call}: CountedCall): Count => ({
	mcp_server_id: call.mcp_server_id,
	since: hourOf(created_at),
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
const groupOf = ({mcp_server_id, since, status, bucket, tool_name}: Count): string =>
	`${mcp_server_id} ${since} ${status} ${bucket} ${tool_name}`;

const add = (sum: Writable<Rollup>, {calls, duration_ms, cost_cents}: Count): void => {
	sum.calls += calls;
	sum.duration_ms += duration_ms;
	sum.cost_cents += cost_cents;
};

const sumUp = (counts: Iterable<Count>): Sums => {
	const sums: Sums = new Map();
	for (const count of counts) {
		const group = groupOf(count);
		const sum = sums.get(group);
		if (sum) add(sum, count);
		else sums.set(group, {...count, tool_key: textKeyOf(count.tool_name)});
	}
	return sums;
};

const byGroup = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** In one order, so that two who count at once do not wait for each other. */
const inOrder = (sums: Sums): readonly Rollup[] => [...sums].sort(byGroup).map(([, sum]) => sum);

/** Counts the calls in. To be run in the transaction that inserts them. @returns how many rows wait more to be folded in. */
export const addToRollups = async (transaction: Transaction, calls: readonly CountedCall[]): Promise<number> => {
	const sums = sumUp(calls.map(countOf));
	await transaction.later(rollupDeltas.insert([...sums.values()]));
	return sums.size;
};

/** Counts a call out again. To be run in the transaction that deletes it. */
export const takeFromRollups = async (transaction: Transaction, call: CountedCall): Promise<void> => {
	const {calls, duration_ms, cost_cents, ...count} = countOf(call);
	const taken = {calls: -calls, duration_ms: -duration_ms, cost_cents: -cost_cents};
	await transaction.run(rollupDeltas.insert([{...count, ...taken, tool_key: textKeyOf(count.tool_name)}]));
};

const addSums = (transaction: Transaction, {table, column}: Level, sums: Sums): Sql =>
	transaction.dialect.addOrInsert({
		table: table.name,
		key: ['mcp_server_id', column, 'tool_key', 'status', 'bucket'],
		sums: ['calls', 'duration_ms', 'cost_cents'],
		insert: table.insert(inOrder(sums)),
	});

const deleteEmpty = ({table}: Level, {mcp_server_id, since, tool_key, status, bucket}: Rollup): Sql =>
	sql`DELETE FROM ${table.name} WHERE mcp_server_id = ${mcp_server_id} AND ${table.set({since})}
		AND tool_key = ${tool_key} AND status = ${status} AND bucket = ${bucket} AND calls <= 0`;

/** More than are left of the writers that fold, each after a quarter of it. */
const foldedAtOnce = 1024;

/** After how many rows of its own a writer folds. */
export const foldAfter = foldedAtOnce / 4;

/** Adds to the rollups what waits beside them. What another one is just folding in is left to it. */
export const foldRollups = async (transaction: Transaction): Promise<void> => {
	const rows = await transaction.all(
		sql`SELECT seq, ${rollupDeltas.columns} FROM ${rollupDeltas.name}
			ORDER BY seq LIMIT ${integer(foldedAtOnce)} ${transaction.dialect.claim}`,
	);
	if (rows.length === 0) return;
	await transaction.later(
		sql`DELETE FROM ${rollupDeltas.name} WHERE seq IN ${paddedList(rows.map(({seq}) => Number(seq)))}`,
	);
	const deltas = rows.map(rollupDeltas.read);
	const hasLess = deltas.some(({calls}) => calls < 0);
	for (const level of [hours, days]) {
		// Hours as they are read are whole.
		const sums = sumUp(deltas.map((delta) => ({...delta, since: level.sinceOf(delta.since)})));
		await transaction.later(addSums(transaction, level, sums));
		if (hasLess) for (const sum of sums.values()) await transaction.later(deleteEmpty(level, sum));
	}
};

/** The same in a transaction of its own; nothing is written where nothing waits. */
export const foldWaiting = async (connection: Connection): Promise<void> => {
	if ((await first(connection, sql`SELECT seq FROM ${rollupDeltas.name} LIMIT 1`)) === undefined) return;
	await connection.write(foldRollups);
};
