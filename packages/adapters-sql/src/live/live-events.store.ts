import {
	instantOf,
	type LiveAudience,
	type LiveEvent,
	type LiveEventStore,
	millisecondsOf,
	type NumberedLiveEvent,
} from '@signalbox/core';
import {type Connection, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {integer, paddedList, raw, type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {type Listener, listeners, liveEvents, type Progress, progress, recordedEvents} from './live-events.table.ts';

/** One statement takes so many values, and no more. */
const insertedAtOnce = 500;

/** The only row there is. */
const row = 'events';

/** Takes so many numbers, and keeps others from taking any until this transaction is visible. @returns the last of them. */
const take = async (transaction: Transaction, count: number): Promise<number> => {
	const insert = progress.insert([{name: row, newest: count, forgotten: 0}]);
	const added = {table: progress.name, key: ['name'], sums: ['newest'], insert};
	await transaction.run(transaction.dialect.addOrInsert(added));
	return (await progressOf(transaction)).newest;
};

const progressOf = async (reader: Reader): Promise<Pick<Progress, 'newest' | 'forgotten'>> => {
	const found = await first(reader, sql`SELECT ${progress.columns} FROM live_progress WHERE name = ${row}`);
	return found === undefined ? {newest: 0, forgotten: 0} : progress.read(found);
};

const append = async (transaction: Transaction, events: readonly LiveEvent[]): Promise<void> => {
	const before = (await take(transaction, events.length)) - events.length;
	const recorded_at = await storeNow(transaction);
	const rows = events.map((event, index) => ({...event, seq: before + index + 1, recorded_at}));
	for (let at = 0; at < rows.length; at += insertedAtOnce)
		await transaction.run(recordedEvents.insert(rows.slice(at, at + insertedAtOnce)));
};

/**
 * The first ones for the team, and the first ones for the user besides. In one statement, so of one moment: what the second
 * half saw and the first one could not would be left out for good.
 */
const eventsAfter = ({team_id, user_id}: LiveAudience, seq: number, limit: number): Sql => {
	const half = (condition: Sql, name: string): Sql =>
		sql`SELECT * FROM (SELECT ${liveEvents.columns} FROM live_events WHERE ${condition} AND seq > ${seq}
			ORDER BY seq LIMIT ${integer(limit)}) ${raw(name)}`;
	const ofUser = sql`user_id = ${user_id} AND (team_id IS NULL OR team_id <> ${team_id})`;
	return sql`${half(sql`team_id = ${team_id}`, 'of_team')} UNION ALL ${half(ofUser, 'of_user')}`;
};

const firstOf = (events: readonly NumberedLiveEvent[], limit: number): readonly NumberedLiveEvent[] =>
	events.toSorted((a, b) => a.seq - b.seq).slice(0, limit);

/** Holds the rows of the listeners for this transaction, and makes those that are missing. */
const holdListeners = async (transaction: Transaction, ids: readonly string[]): Promise<readonly Listener[]> => {
	const {dialect} = transaction;
	const missing = ids.map((audience_id) => ({audience_id, since_seq: null, until_at: instantOf(0)}));
	const insert = listeners.insert(missing);
	const keep = {key: ['audience_id'], sets: ['audience_id'], insert};
	await transaction.run(dialect.setOrInsert(keep));
	const rows = await transaction.all(
		sql`SELECT ${listeners.columns} FROM live_listeners WHERE audience_id IN ${paddedList(ids)} ${dialect.forUpdate}`,
	);
	return rows.map(listeners.read);
};

const newestOf = (known: readonly (number | null)[]): number | undefined =>
	known.includes(null) ? undefined : Math.max(...(known as readonly number[]));

const listen = async (
	transaction: Transaction,
	ids: readonly string[],
	seconds: number,
): Promise<number | undefined> => {
	const held = await holdListeners(transaction, ids);
	const now = await storeNow(transaction);
	const until_at = instantOf(millisecondsOf(now) + seconds * 1000);
	const renewed = held.map((each) => ({...each, since_seq: each.until_at > now ? each.since_seq : null, until_at}));
	const insert = listeners.insert(renewed);
	const sets = ['since_seq', 'until_at'];
	await transaction.run(transaction.dialect.setOrInsert({key: ['audience_id'], sets, insert}));
	return newestOf(renewed.map(({since_seq}) => since_seq));
};

const confirm = async (transaction: Transaction, ids: readonly string[]): Promise<number | undefined> => {
	const held = await holdListeners(transaction, ids);
	const now = await storeNow(transaction);
	if (!held.every(({until_at}) => until_at > now)) return undefined;
	// Taking none waits for those who take some: what they record is visible before it is said that nothing is missing.
	const newest = await take(transaction, 0);
	await transaction.run(
		sql`UPDATE live_listeners SET since_seq = ${newest} WHERE audience_id IN ${paddedList(ids)} AND since_seq IS NULL`,
	);
	return newest;
};

const forget = async (transaction: Transaction): Promise<void> => {
	const newest = await take(transaction, 1);
	await transaction.run(sql`UPDATE live_progress SET forgotten = ${newest} WHERE name = ${row}`);
};

/** The last of the oldest ones that may go; they are old in the order of their numbers. */
const lastOld = async (connection: Connection, seconds: number, limit: number): Promise<number | undefined> => {
	const edge = storedInstant(instantOf(millisecondsOf(await storeNow(connection)) - seconds * 1000));
	const oldest = sql`SELECT seq, recorded_at FROM live_events WHERE seq > 0 ORDER BY seq LIMIT ${integer(limit)}`;
	const found = await first(
		connection,
		sql`SELECT max(seq) AS seq FROM (${oldest}) oldest WHERE recorded_at < ${edge}`,
	);
	const seq = found?.seq ?? undefined;
	return seq === undefined ? undefined : Number(seq);
};

const purge = async (connection: Connection, seconds: number, limit: number): Promise<number> => {
	const isOver = sql`until_at <= ${connection.now()}`;
	// Mostly nothing is, and then nothing is written.
	if (await first(connection, sql`SELECT audience_id FROM live_listeners WHERE ${isOver} LIMIT 1`))
		await connection.write(async (transaction) => transaction.run(sql`DELETE FROM live_listeners WHERE ${isOver}`));
	const last = await lastOld(connection, seconds, limit);
	if (last === undefined) return 0;
	return connection.write(async (transaction) => {
		await transaction.run(
			sql`UPDATE live_progress SET forgotten = ${last} WHERE name = ${row} AND forgotten < ${last}`,
		);
		return transaction.run(sql`DELETE FROM live_events WHERE seq <= ${last}`);
	});
};

export const createLiveEventStore = (connection: Connection): LiveEventStore => ({
	append: async (events) => {
		if (events.length > 0) await connection.write(async (transaction) => append(transaction, events));
	},
	after: async (audience, seq, limit) => {
		const rows = await connection.all(eventsAfter(audience, seq, limit));
		// Asked after the reading: whatever was deleted before it shows here.
		const {newest, forgotten} = await progressOf(connection);
		return seq < forgotten || seq > newest ? undefined : firstOf(rows.map(liveEvents.read), limit);
	},
	listen: async (ids, seconds) => connection.write(async (transaction) => listen(transaction, ids.toSorted(), seconds)),
	confirm: async (ids) => connection.write(async (transaction) => confirm(transaction, ids.toSorted())),
	listeners: async () => {
		// The newest first: who hears of it looks, and finds at least that.
		const {newest} = await progressOf(connection);
		const live = await connection.all(sql`SELECT audience_id FROM live_listeners WHERE until_at > ${connection.now()}`);
		return {ids: live.map(({audience_id}) => String(audience_id)), newest};
	},
	forget: async () => {
		await connection.write(forget);
	},
	purge: async (seconds, limit) => purge(connection, seconds, limit),
});
