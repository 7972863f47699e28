import {setTimeout as pause} from 'node:timers/promises';
import {DomainError} from '@signalbox/core';
import type {Connection, Transaction} from './connection.ts';
import {sqliteDialect} from './dialects/sqlite.ts';
import type {SqliteDriver} from './drivers/driver.ts';
import {createGroupQueue} from './group-queue.ts';
import {reopenedSession} from './reopened-session.ts';
import type {Hosting, Session} from './session.ts';
import {sql} from './sql.ts';
import {enableWal, prepareReader, prepareWriter} from './sqlite-settings.ts';
import {commitTogether, transactionOn, translated, type Work} from './transactions.ts';
import type {WriteGate} from './write-gate.ts';

export type SqliteSource = Readonly<{
	/** Path of the file, or `:memory:`. */
	storage: string;
	driver: SqliteDriver;
	gate: WriteGate;
	/** Milliseconds that the store's clock is ahead of the database's. */
	clockOffset: () => number;
}>;

export type SqliteConnection = Connection &
	Readonly<{
		/** The thread of what writes, where it has one. */
		thread?: Hosting | undefined;
		/** Writes a consistent copy into an empty file, while reads and writes go on. */
		copyTo(file: string): Promise<void>;
	}>;

export const memoryStorage = ':memory:';

/** Writes that share one commit at most: others, on other threads, want their turn. */
const maxGroup = 64;

const createWriter = (begin: () => Promise<Transaction>, gate: WriteGate) => {
	const queue = createGroupQueue<Work, unknown>(
		async (works) => gate.run(async () => commitTogether(await begin(), works)),
		{max_items: maxGroup},
	);
	return {
		write: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => queue.push(work) as Promise<T>,
		drained: queue.drained,
	};
};

const isLocked = (error: unknown): boolean =>
	error instanceof DomainError && error.cause instanceof Error && /SQLITE_BUSY/.test(error.cause.message);

const lockPauseMs = 20;

/** Tries again while somebody else has the lock, for so many milliseconds. */
const untilUnlocked = async <T>(work: () => Promise<T>, patienceMs: number): Promise<T> => {
	const deadline = performance.now() + patienceMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isLocked(error) || performance.now() > deadline) throw error;
			await pause(lockPauseMs);
		}
	}
};

/** Closes what was opened when the rest of the opening fails. */
const openSession = async (
	{storage, driver}: SqliteSource,
	prepare: (session: Session) => Promise<void>,
): Promise<Session & Partial<Hosting>> => {
	const session = await translated(driver.open(storage));
	try {
		await translated(prepare(session));
		return session;
	} catch (error) {
		// What failed is what is told.
		await session.close().catch(() => undefined);
		throw error;
	}
};

/** For how long another program is waited out that writes to a file which is not in WAL mode yet, as one that was just restored. */
const walPatienceMs = 60_000;

const openWriter = async (source: SqliteSource): Promise<Session & Partial<Hosting>> =>
	openSession(source, async (session) => {
		await prepareWriter(session);
		if (source.storage !== memoryStorage)
			await untilUnlocked(async () => translated(enableWal(session)), walPatienceMs);
	});

const openReader = async (source: SqliteSource): Promise<Session> => openSession(source, prepareReader);

/** A long copy on a connection of its own holds nobody up. */
const copyFile = async ({storage, driver}: SqliteSource, file: string): Promise<void> => {
	const session = await translated(driver.open(storage));
	await translated(session.all(sql`VACUUM INTO ${file}`)).finally(session.close);
};

/** For how long another process's migration is waited out: on a large database it outlasts what an ordinary write waits. */
const migrationPatienceMs = 600_000;

/** A write transaction is the lock: of several processes that start at once, the others wait. */
const exclusively =
	(write: Connection['write']): Connection['exclusive'] =>
	async (work) =>
		untilUnlocked(async () => write(work), migrationPatienceMs);

/** A database in memory is its one connection: a read beside a transaction would see what may yet be rolled back. */
const connectMemory = async (source: SqliteSource): Promise<SqliteConnection> => {
	const session = await openWriter(source);
	const transaction = transactionOn(session, sqliteDialect, source.clockOffset);
	const {write, drained} = createWriter(async () => transaction, source.gate);
	return {
		dialect: transaction.dialect,
		now: transaction.now,
		all: async (statement) => write(async ({all}) => all(statement)),
		write,
		insert: async (table, records) => write(async (transaction) => transaction.insert(table, records)),
		exclusive: exclusively(write),
		close: async () => drained().then(session.close),
		copyTo: async (file) => {
			await source.gate.run(async () => transaction.all(sql`VACUUM INTO ${file}`));
		},
	};
};

const connectFile = async (source: SqliteSource): Promise<SqliteConnection> => {
	const writer = await reopenedSession(async () => openWriter(source));
	const reader = await reopenedSession(async () => openReader(source)).catch(async (error) => {
		await writer.close();
		throw error;
	});
	const over = (session: Session): Transaction => transactionOn(session, sqliteDialect, source.clockOffset);
	const {write, drained} = createWriter(async () => over(await writer.current()), source.gate);
	const {dialect, now} = over(await reader.current());
	return {
		thread: writer.thread,
		dialect,
		now,
		all: async (statement) => over(await reader.current()).all(statement),
		write,
		insert: async (table, records) => write(async (transaction) => transaction.insert(table, records)),
		exclusive: exclusively(write),
		close: async () => {
			await drained();
			await reader.close();
			await writer.close();
		},
		copyTo: async (file) => copyFile(source, file),
	};
};

/**
 * A SQLite database. Transactions queue for the one connection that writes, and those that wait together are committed
 * together. Reads have a connection of their own.
 */
export const connectSqlite = async (source: SqliteSource): Promise<SqliteConnection> =>
	source.storage === memoryStorage ? connectMemory(source) : connectFile(source);
