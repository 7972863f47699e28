import {QueryTypes, Sequelize} from 'sequelize';
import type {Connection, Reader, Transaction} from './connection.ts';
import {sqliteDialect} from './dialect.ts';
import type {SqliteDriver} from './drivers/driver.ts';
import {createGroupQueue} from './group-queue.ts';
import {raw, render, type Sql, sql} from './sql.ts';
import type {Row} from './table.ts';
import {translateError} from './translate-error.ts';
import type {WriteGate} from './write-gate.ts';

export type SqliteSource = Readonly<{
	/** Path of the file, or `:memory:`. */
	storage: string;
	driver: SqliteDriver;
	gate: WriteGate;
	/** Milliseconds that the store's clock is ahead of the database's. */
	clockOffset: () => number;
}>;

export const memoryStorage = ':memory:';

/** Milliseconds that other processes that write are waited for. */
const busyTimeout = 'busy_timeout = 10000';

/** 4 MiB of 4 KiB pages: a larger log makes the write that must fold it back stall. */
const checkpointPages = 1024;

/** Writes that share one commit at most: others, on other threads, want their turn. */
const maxGroup = 64;

const connect = ({storage, driver}: SqliteSource): Sequelize =>
	new Sequelize({
		dialect: 'sqlite',
		dialectModule: driver.module,
		storage,
		logging: false,
		// Waiting is the busy timeout's; Sequelize's own retries would multiply it.
		retry: {max: 1},
	});

const ask = async (sequelize: Sequelize, statement: Sql): Promise<readonly Row[]> => {
	const {text, bind} = render(statement);
	return sequelize.query<Row>(text, {type: QueryTypes.SELECT, raw: true, bind: [...bind]}).catch((error) => {
		throw translateError(error);
	});
};

const change = async (sequelize: Sequelize, statement: Sql): Promise<number> => {
	const {text, bind} = render(statement);
	// The one query type whose answer is the number of changed rows whatever the statement.
	return sequelize.query(text, {type: QueryTypes.BULKUPDATE, bind: [...bind]}).catch((error) => {
		throw translateError(error);
	});
};

const prepare = async (sequelize: Sequelize, pragmas: readonly string[]): Promise<void> => {
	for (const pragma of pragmas) await ask(sequelize, raw(`PRAGMA ${pragma}`));
};

const writerPragmas = [
	'synchronous = FULL',
	'foreign_keys = ON',
	`wal_autocheckpoint = ${checkpointPages}`,
	`journal_size_limit = ${checkpointPages * 4096}`,
];

/** The busy timeout does not cover this change of mode, which several processes may attempt at their start. */
const enableWal = async (sequelize: Sequelize): Promise<void> => {
	const retry = {max: 100, match: [/SQLITE_BUSY/], backoffBase: 20};
	await sequelize.query('PRAGMA journal_mode = WAL', {retry});
};

type Work = (transaction: Transaction) => Promise<unknown>;

/** One work among others of a transaction: it fails alone. Rejects when the whole transaction is lost. */
const runInSavepoint = async (transaction: Transaction, work: Work): Promise<PromiseSettledResult<unknown>> => {
	await transaction.all(raw('SAVEPOINT work'));
	try {
		const value = await work(transaction);
		await transaction.all(raw('RELEASE work'));
		return {status: 'fulfilled', value};
	} catch (reason) {
		// Rejects when SQLite has rolled back everything by itself (a full disk): then none of the works may count as done.
		await transaction.all(raw('ROLLBACK TO work'));
		await transaction.all(raw('RELEASE work'));
		return {status: 'rejected', reason};
	}
};

const runAll = async (transaction: Transaction, works: readonly Work[]) => {
	const [only] = works;
	if (works.length === 1 && only) return [{status: 'fulfilled', value: await only(transaction)} as const];
	const results: PromiseSettledResult<unknown>[] = [];
	for (const work of works) results.push(await runInSavepoint(transaction, work));
	return results;
};

/**
 * All works in one IMMEDIATE transaction (a deferred one that reads first could not be turned into a writing one), each
 * in its own savepoint, one commit for all.
 */
const commitTogether = async (transaction: Transaction, works: readonly Work[]) => {
	await transaction.all(raw('BEGIN IMMEDIATE'));
	try {
		const results = await runAll(transaction, works);
		await transaction.all(raw('COMMIT'));
		return results;
	} catch (error) {
		// It may be gone already; either way none is open afterwards.
		await transaction.all(raw('ROLLBACK')).catch(() => undefined);
		throw error;
	}
};

const createWriter = (transaction: Transaction, gate: WriteGate) => {
	const queue = createGroupQueue<Work, unknown>(
		async (works) => gate.run(async () => commitTogether(transaction, works)),
		{max_items: maxGroup},
	);
	return {
		write: async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => queue.push(work) as Promise<T>,
		drained: queue.drained,
	};
};

export type SqliteConnection = Connection &
	Readonly<{
		/** Writes a consistent copy into an empty file, while reads and writes go on. */
		copyTo(file: string): Promise<void>;
	}>;

/** A long copy on a connection of its own holds nobody up. */
const copyFile = async (source: SqliteSource, file: string): Promise<void> => {
	const sequelize = connect(source);
	try {
		await ask(sequelize, sql`VACUUM INTO ${file}`);
	} finally {
		await sequelize.close();
	}
};

type Opened = Readonly<{reader: Sequelize; writer: Sequelize; close(): Promise<void>}>;

/** One connection that reads and one that writes; a database in memory is its one connection. */
const openBoth = async (source: SqliteSource): Promise<Opened> => {
	const inMemory = source.storage === memoryStorage;
	const writer = connect(source);
	const reader = inMemory ? writer : connect(source);
	const close = async () => {
		for (const connection of new Set([reader, writer])) await connection.close();
	};
	try {
		await prepare(writer, [busyTimeout]);
		if (!inMemory) await enableWal(writer);
		await prepare(writer, writerPragmas);
		if (!inMemory) await prepare(reader, [busyTimeout, 'query_only = ON']);
	} catch (error) {
		await close();
		throw translateError(error);
	}
	return {reader, writer, close};
};

/**
 * A SQLite database. Sequelize would open a new connection for each transaction and close it afterwards, and would start
 * any number of them; here transactions queue for the one connection that writes, and those that wait together are
 * committed together.
 *
 * Statements go in as text with binds. That spares the models' overhead, and Sequelize's `PRAGMA table_info` before each
 * SELECT, which it runs for tables named in backticks.
 */
export const connectSqlite = async (source: SqliteSource): Promise<SqliteConnection> => {
	const {reader, writer, close} = await openBoth(source);
	const asking = (sequelize: Sequelize): Reader => ({
		dialect: sqliteDialect,
		now: () => sqliteDialect.now(source.clockOffset()),
		all: async (statement) => ask(sequelize, statement),
	});
	const transaction = {...asking(writer), run: async (statement: Sql) => change(writer, statement)};
	const {write, drained} = createWriter(transaction, source.gate);
	const own = {write, close: async () => drained().then(close)};
	if (reader !== writer) return {...asking(reader), ...own, copyTo: async (file) => copyFile(source, file)};
	return {
		...asking(reader),
		...own,
		// A read beside a transaction of the same connection would see what may yet be rolled back.
		all: async (statement) => write(async ({all}) => all(statement)),
		copyTo: async (file) => {
			await source.gate.run(async () => ask(writer, sql`VACUUM INTO ${file}`));
		},
	};
};
