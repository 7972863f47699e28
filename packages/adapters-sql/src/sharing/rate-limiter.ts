import {
	type RateLimit,
	type RateLimiter,
	type RateVerdict,
	type TokenBucket,
	takeAhead,
	takeToken,
	verdictOf,
} from '@signalbox/core';
import {type Connection, storeNow, type Transaction} from '../connection.ts';
import {createGroupQueue} from '../group-queue.ts';
import {integer, paddedList, sql} from '../sql.ts';
import {defineTable, number, text} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {createReserve, type Filling, type Reserve} from './reserve.ts';

export type SqlRateLimiter = RateLimiter &
	Readonly<{
		/** Deletes what need not be kept. @returns how many rows. */
		purge(): Promise<number>;
	}>;

type Bucket = Readonly<{bucket_key: string; level: number; at_ms: number; full_at_ms: number}>;

const buckets = defineTable<Bucket>('rate_buckets', {
	bucket_key: text(),
	level: number,
	at_ms: number,
	full_at_ms: number,
});

type Take = Readonly<{key: string; bucket_key: string; limit: RateLimit}>;

/** Takes that share a transaction. */
const mostTakes = 64;

const purgedAtOnce = 500;

/** Empty since 1970: as full as a bucket can be. */
const fresh: TokenBucket = {level: 0, at: 0, full_at: 0};

const rowOf = ([bucket_key, {level, at, full_at}]: readonly [string, TokenBucket]): Bucket => ({
	bucket_key,
	level,
	at_ms: at,
	full_at_ms: full_at,
});

/** Holds the rows for this transaction, and makes those that are missing: parallel takes of a fresh key queue at it too. */
const holdBuckets = async (transaction: Transaction, keys: readonly string[]): Promise<Map<string, TokenBucket>> => {
	const {addOrInsert} = transaction.dialect;
	const insert = buckets.insert(keys.map((bucket_key) => rowOf([bucket_key, fresh])));
	await transaction.run(addOrInsert({table: buckets.name, key: ['bucket_key'], sums: ['level'], insert}));
	const rows = await transaction.all(
		sql`SELECT ${buckets.columns} FROM rate_buckets WHERE bucket_key IN ${paddedList(keys)} ${transaction.dialect.forUpdate}`,
	);
	const held = rows.map(buckets.read);
	return new Map(
		held.map(({bucket_key, level, at_ms: at, full_at_ms}) => [bucket_key, {level, at, full_at: full_at_ms}]),
	);
};

type Filled = Readonly<{take: Take; filling: Filling}>;

type Expected = Pick<Reserve, 'expected'>;

/** For what is expected after the last of some takes of one key. */
const takeForNext = (held: Map<string, TokenBucket>, takes: readonly Take[], {expected}: Expected): readonly Filled[] =>
	takes.slice(-1).map((take) => {
		const {key, bucket_key, limit} = take;
		const {bucket, ...ahead} = takeAhead(held.get(bucket_key) ?? fresh, limit, expected(key, takes.length));
		held.set(bucket_key, bucket);
		return {take, filling: {...ahead, resets_at_ms: bucket.full_at}};
	});

/** One after the other, as if each were alone; then, of each key, for those that are expected next. */
const takeEach = async (transaction: Transaction, takes: readonly Take[], reserve: Expected) => {
	const byKey = Map.groupBy(takes, ({bucket_key}) => bucket_key);
	// In one order, so that no two transactions wait for each other.
	const held = await holdBuckets(transaction, [...byKey.keys()].toSorted());
	const now = Date.parse(await storeNow(transaction));
	const verdicts = takes.map(({bucket_key, limit}) => {
		const take = takeToken(held.get(bucket_key) ?? fresh, limit, now);
		held.set(bucket_key, take.bucket);
		return verdictOf(take);
	});
	const filled = [...byKey.values()].flatMap((ofKey) => takeForNext(held, ofKey, reserve));
	const sets = ['level', 'at_ms', 'full_at_ms'];
	const insert = buckets.insert(Array.from(held, rowOf));
	await transaction.run(transaction.dialect.setOrInsert({key: ['bucket_key'], sets, insert}));
	return {verdicts, filled};
};

/**
 * Deletes buckets that are full again, which says the same as no bucket: found without a lock, judged anew with one. All of
 * them are read for it: those that are there were used within minutes, and an index would have to be written with each take.
 */
const purgeBuckets = async (connection: Connection): Promise<number> => {
	const isFull = sql`full_at_ms <= ${Date.parse(await storeNow(connection))}`;
	const full = await connection.all(
		sql`SELECT bucket_key FROM rate_buckets WHERE ${isFull} LIMIT ${integer(purgedAtOnce)}`,
	);
	if (full.length === 0) return 0;
	const keys = full.map(({bucket_key}) => String(bucket_key)).toSorted();
	const purged = await connection.write(async (transaction) =>
		transaction.run(sql`DELETE FROM rate_buckets WHERE bucket_key IN ${paddedList(keys)} AND ${isFull}`),
	);
	return keys.length < purgedAtOnce ? purged : purged + (await purgeBuckets(connection));
};

/**
 * Token buckets in the database, by its clock. Takes of the same moment share a transaction; where they come in quick
 * succession and much is left, tokens are taken ahead of them. `now` is the clock by which these last: milliseconds, never
 * backwards.
 */
export const createSqlRateLimiter = (connection: Connection, now?: () => number): SqlRateLimiter => {
	const reserve = createReserve(now);
	const askFor = async (takes: readonly Take[]): Promise<readonly RateVerdict[]> => {
		const {verdicts, filled} = await connection.write(async (transaction) => takeEach(transaction, takes, reserve));
		for (const {take, filling} of filled) reserve.fill(take.key, take.limit, filling);
		return verdicts;
	};
	/** By key. */
	const coming = new Map<string, Promise<void>>();
	/** Takes for those that come next, before there are none left. */
	const takeMore = async (take: Take, wanted: number): Promise<void> => {
		const others = {expected: () => wanted - 1};
		const {verdicts, filled} = await connection.write(async (transaction) => takeEach(transaction, [take], others));
		if (!verdicts[0]?.allowed) return;
		for (const {filling} of filled) reserve.fill(take.key, take.limit, {...filling, tokens: filling.tokens + 1});
	};
	const takeHeld = (key: string, limit: RateLimit): RateVerdict | undefined => {
		const verdict = reserve.take(key, limit);
		const wanted = verdict === undefined ? 0 : reserve.runningOut(key);
		if (wanted > 0) {
			// That it fails is heard by whoever comes when there are none left.
			const more = takeMore({key, bucket_key: textKeyOf(key), limit}, wanted).catch(() => undefined);
			coming.set(
				key,
				more.finally(() => coming.delete(key)),
			);
		}
		return verdict;
	};
	const queue = createGroupQueue<Take, RateVerdict>(
		async (takes) => {
			await Promise.all(takes.map(({key}) => coming.get(key)));
			// What those before them took ahead, while these waited.
			const held = takes.map(({key, limit}) => reserve.take(key, limit));
			const others = takes.filter((_, index) => held[index] === undefined);
			const asked = (others.length > 0 ? await askFor(others) : []).values();
			return held.map((verdict) => ({status: 'fulfilled', value: verdict ?? (asked.next().value as RateVerdict)}));
		},
		{max_items: mostTakes},
	);
	return {
		take: (key, limit) => takeHeld(key, limit) ?? queue.push({key, bucket_key: textKeyOf(key), limit}),
		purge: async () => purgeBuckets(connection),
	};
};
