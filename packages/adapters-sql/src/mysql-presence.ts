import {setTimeout as pause} from 'node:timers/promises';
import {type MysqlPool, openMysqlPool} from './mysql-pool.ts';
import type {Presence} from './presence.ts';
import type {Session} from './session.ts';
import {join, raw, type Sql, sql} from './sql.ts';
import {translateError} from './translate-error.ts';

/** Processes that can be at work on one database at once, and a few more. */
const places = 64;

const lockOf = (place: number): Sql => sql`CONCAT('signalbox.present.', ${raw(String(place))}, '.', MD5(DATABASE()))`;
const door = sql`CONCAT('signalbox.present.door.', MD5(DATABASE()))`;

const allPlaces = Array.from({length: places}, (_, place) => place);

const isNobodyThere = async (session: Session): Promise<boolean> => {
	const free = join(
		allPlaces.map((place) => sql`IS_FREE_LOCK(${lockOf(place)})`),
		' AND ',
	);
	const [row] = await session.all(sql`SELECT ${free} AS is_free`);
	return Number(row?.is_free) === 1;
};

const takePlace = async (session: Session): Promise<void> => {
	for (const place of allPlaces) {
		const [row] = await session.all(sql`SELECT GET_LOCK(${lockOf(place)}, 0) AS is_held`);
		if (Number(row?.is_held) === 1) return;
	}
};

/** Milliseconds from the start of the server within which those who live have taken their places again. */
const returnMs = 3000;

const waitForReturns = async (session: Session): Promise<void> => {
	const [row] = await session.all(raw("SHOW GLOBAL STATUS LIKE 'Uptime'"));
	const left = returnMs - 1000 * Number(row?.Value);
	if (left > 0) await pause(left);
};

const enterWith = async (session: Session, work: () => Promise<void>): Promise<void> => {
	await waitForReturns(session);
	await session.all(sql`SELECT GET_LOCK(${door}, 600)`);
	if (await isNobodyThere(session)) await work();
	await takePlace(session);
	await session.all(sql`SELECT RELEASE_LOCK(${door})`);
};

/** Milliseconds between looks at whether the connection still is. */
const lookEveryMs = 1000;

const nothing = async (): Promise<void> => {};

const nap = async (signal: AbortSignal): Promise<void> => pause(lookEveryMs, undefined, {signal}).catch(nothing);

type Held = Readonly<{
	/** Rejects when the connection fails; resolves when the signal has aborted. */
	ended: Promise<void>;
}>;

/** Resolves once a place is held. */
const hold = async ({lend}: MysqlPool, take: (session: Session) => Promise<void>, signal: AbortSignal): Promise<Held> =>
	new Promise((resolve, reject) => {
		const ended = lend(async (session) => {
			await take(session);
			resolve({ended});
			while (!signal.aborted) {
				await nap(signal);
				await session.all(raw('DO 1'));
			}
		});
		ended.catch((error) => reject(translateError(error)));
	});

/** Takes a place again whenever the last one was lost. */
const keepHolding = async (pool: MysqlPool, {ended}: Held, signal: AbortSignal): Promise<void> => {
	await ended.catch(nothing);
	while (!signal.aborted) {
		await nap(signal);
		await hold(pool, takePlace, signal)
			.then(async (held) => held.ended)
			.catch(nothing);
	}
};

/**
 * Locks by name, which the server takes back when their connection ends, however it ends. A connection of its own holds
 * them, and one that was lost, as all are when the server itself dies, is made again within seconds. One that takes longer
 * counts as gone to a process that starts meanwhile, which ends its leases: what it delivers is delivered once more, as
 * at-least-once allows.
 */
export const createMysqlPresence = (url: string): Presence => {
	const leaving = new AbortController();
	let pool: MysqlPool | undefined;
	let entered: Promise<void> | undefined;
	const begin = async (work: () => Promise<void>): Promise<void> => {
		if (leaving.signal.aborted) throw new Error('The database was closed.');
		const opened = openMysqlPool(url, 1);
		pool = opened;
		const held = await hold(opened, async (session) => enterWith(session, work), leaving.signal);
		void keepHolding(opened, held, leaving.signal);
	};
	/** Whoever failed to enter is not there, and may try again. */
	const giveUp = async (error: unknown): Promise<never> => {
		entered = undefined;
		await pool?.close();
		throw error;
	};
	return {
		enter: async (work) => {
			entered ??= begin(work).catch(giveUp);
			await entered;
		},
		leave: async () => {
			leaving.abort();
			await pool?.close();
		},
	};
};
