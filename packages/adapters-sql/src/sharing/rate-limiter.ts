import {type RateLimit, type RateLimiter, type RateVerdict, takeToken, verdictOf} from '@signalbox/core';
import {type Connection, storeNow, type Transaction} from '../connection.ts';
import {createGroupQueue} from '../group-queue.ts';
import {integer, paddedList, sql} from '../sql.ts';
import {defineTable, number, text} from '../table.ts';
import {textKeyOf} from '../text-key.ts';

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

type Take = Readonly<{bucket_key: string; limit: RateLimit}>;

/** Takes that share a transaction. */
const mostTakes = 64;

const purgedAtOnce = 500;

/** Empty since 1970: as full as a bucket can be. */
const fresh = {level: 0, at_ms: 0, full_at_ms: 0};

/** Holds the rows for this transaction, and makes those that are missing: parallel takes of a fresh key queue at it too. */
const holdBuckets = async (transaction: Transaction, keys: readonly string[]): Promise<Map<string, Bucket>> => {
	const {addOrInsert} = transaction.dialect;
	const insert = buckets.insert(keys.map((bucket_key) => ({bucket_key, ...fresh})));
	await transaction.run(addOrInsert({table: buckets.name, key: ['bucket_key'], sums: ['level'], insert}));
	const rows = await transaction.all(
		sql`SELECT ${buckets.columns} FROM rate_buckets WHERE bucket_key IN ${paddedList(keys)} ${transaction.dialect.forUpdate}`,
	);
	return new Map(rows.map(buckets.read).map((bucket) => [bucket.bucket_key, bucket]));
};

/** One after the other, as if each were alone. */
const takeEach = async (transaction: Transaction, takes: readonly Take[]): Promise<readonly RateVerdict[]> => {
	// In one order, so that no two transactions wait for each other.
	const keys = [...new Set(takes.map(({bucket_key}) => bucket_key))].toSorted();
	const held = await holdBuckets(transaction, keys);
	const now = Date.parse(await storeNow(transaction));
	const verdicts = takes.map(({bucket_key, limit}) => {
		const {level, at_ms: at, full_at_ms: full_at} = held.get(bucket_key) ?? {...fresh, bucket_key};
		const take = takeToken({level, at, full_at}, limit, now);
		held.set(bucket_key, {bucket_key, level: take.bucket.level, at_ms: now, full_at_ms: take.bucket.full_at});
		return verdictOf(take);
	});
	const sets = ['level', 'at_ms', 'full_at_ms'];
	const insert = buckets.insert([...held.values()]);
	await transaction.run(transaction.dialect.setOrInsert({key: ['bucket_key'], sets, insert}));
	return verdicts;
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

/** Token buckets in the database, by its clock. Takes of the same moment share a transaction. */
export const createSqlRateLimiter = (connection: Connection): SqlRateLimiter => {
	const queue = createGroupQueue<Take, RateVerdict>(
		async (takes) => {
			const verdicts = await connection.write(async (transaction) => takeEach(transaction, takes));
			return verdicts.map((value) => ({status: 'fulfilled', value}));
		},
		{max_items: mostTakes},
	);
	return {
		take: async (key, limit) => queue.push({bucket_key: textKeyOf(key), limit}),
		purge: async () => purgeBuckets(connection),
	};
};
