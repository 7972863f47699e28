import {mkdir, open, realpath, rm} from 'node:fs/promises';
import path from 'node:path';
import type {CallLog, Stores} from '@signalbox/core';
import {type Connection, first} from './connection.ts';
import {createCronWorker, fireHere} from './cron/worker-writer.ts';
import {chooseDriver} from './drivers/choose-driver.ts';
import type {DriverName, SqliteDriver} from './drivers/driver.ts';
import {createGroupWriter, type WriteGroup} from './mcp/call-log/group-writer.ts';
import {createWorkerWriter} from './mcp/call-log/worker-writer.ts';
import {rowOf, writeCalls} from './mcp/call-log/write-calls.ts';
import {migrate, pendingMigrations} from './migrations/migrate.ts';
import {alwaysPresent, createPresence, type Presence} from './presence.ts';
import {raw} from './sql.ts';
import {connectSqlite, memoryStorage, type SqliteConnection} from './sqlite-connection.ts';
import {createStores, type FastWriters} from './stores.ts';
import {createGroupedWriter} from './webhook/grouped-writer.ts';
import {createWebhookWorker} from './webhook/worker-writer.ts';
import {writeWebhooksHere} from './webhook/writer.ts';
import {createGateMemory, createWriteGate, gateOfFile, reservePlace} from './write-gate.ts';

export type DatabaseOptions = Readonly<{
	/** `sqlite:<path>`, or `sqlite::memory:` for one that is gone when it is closed. */
	url: string;
	/** Refuse a file that is not there (ENOENT), instead of making it. Default: false. */
	existing?: boolean;
	/** Milliseconds that the store's clock is ahead of the database's. Default: 0. Tests move it. */
	clockOffset?: () => number;
	/** Default: node:sqlite, or sqlite3 where that cannot be loaded. The first database a process opens decides for all. */
	driver?: DriverName;
}>;

export type SqlDatabase = Readonly<{
	stores: Stores;
	/** Applies what is pending, all of it or nothing. Any number of processes may do so at once. */
	migrate(): Promise<void>;
	/** Names of the migrations that were not applied yet, in order. */
	pending(): Promise<readonly string[]>;
	/** @throws service_unavailable when the database does not answer. */
	ping(): Promise<void>;
	/**
	 * Writes a consistent copy, readable by its owner only, while everything goes on. The file must not exist yet; a copy
	 * that failed is removed. Once this resolves, the copy is on the disk.
	 */
	backup(file: string): Promise<void>;
	/** Writes what waits, then lets go of the file. Calls after it fail. */
	close(): Promise<void>;
}>;

type Log = CallLog & Readonly<{close(): Promise<void>}>;

const storageOf = (url: string): string => {
	const storage = /^sqlite:(?:\/\/)?(.+)$/s.exec(url)?.[1];
	// The address may hold a password: only its beginning is repeated.
	if (!storage)
		throw new Error(`database URL: sqlite:<path> or sqlite::memory: expected, not ${url.split(':')[0]}:...`);
	return storage;
};

/** Makes file and folder if they are missing, for their owner only: it holds digests of passwords and what was called. */
const prepareFile = async (storage: string): Promise<string> => {
	await mkdir(path.dirname(storage), {recursive: true, mode: 0o700});
	const made = await open(storage, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EEXIST') throw error;
	});
	await made?.close();
	return realpath(storage);
};

/** On this thread, through the connection that writes everything else. */
const writeHere =
	(connection: Connection): WriteGroup =>
	async (entries) =>
		connection.write(async (transaction) => writeCalls(transaction, entries.map(rowOf)));

const localLog = (connection: Connection): Log => {
	const {append, drained} = createGroupWriter(writeHere(connection));
	return {append, close: drained};
};

const threadedLog = (connection: Connection, data: Parameters<typeof createWorkerWriter>[0]['data']): Log => {
	const writer = createWorkerWriter({data, fallback: writeHere(connection)});
	const {append, drained} = createGroupWriter(writer.write);
	return {
		append,
		close: async () => {
			await drained();
			await writer.close();
		},
	};
};

type Opened = Readonly<{
	connection: SqliteConnection;
	writers: FastWriters;
	presence: Presence;
	/** Writes what waits. */
	drain(): Promise<void>;
}>;

const openMemory = async (driver: SqliteDriver, clockOffset: () => number): Promise<Opened> => {
	const gateMemory = createGateMemory();
	const gate = createWriteGate(gateMemory, reservePlace(gateMemory));
	const connection = await connectSqlite({storage: memoryStorage, driver, gate, clockOffset});
	const callLog = localLog(connection);
	const webhooks = createGroupedWriter(writeWebhooksHere(connection));
	return {
		connection,
		writers: {callLog, webhooks, fire: fireHere(connection)},
		presence: alwaysPresent,
		drain: async () => {
			await Promise.all([callLog.close(), webhooks.drained()]);
		},
	};
};

const openFile = async (file: string, driver: SqliteDriver, clockOffset: () => number): Promise<Opened> => {
	const {memory, gate} = gateOfFile(file);
	const connection = await connectSqlite({storage: file, driver, gate, clockOffset});
	const data = {storage: file, driver: driver.name, gate: memory};
	const callLog = threadedLog(connection, data);
	const worker = createWebhookWorker({data, fallback: writeWebhooksHere(connection), clockOffset});
	const webhooks = createGroupedWriter(worker.write);
	const cron = createCronWorker({data, fallback: fireHere(connection), clockOffset});
	const presence = createPresence(async () => driver.openHere(await prepareFile(`${file}.lock`)));
	return {
		connection,
		writers: {callLog, webhooks, fire: cron.fire},
		presence,
		drain: async () => {
			await Promise.all([callLog.close(), webhooks.drained().then(worker.close), cron.close()]);
			await presence.leave();
		},
	};
};

/** The copy holds what the database holds: it is made for its owner only. SQLite itself does not sync such a copy. */
const backUp = async (connection: SqliteConnection, file: string): Promise<void> => {
	const target = await open(file, 'wx', 0o600);
	try {
		await connection.copyTo(file);
		await target.sync();
	} catch (error) {
		// Half a copy would pass for a backup, and stand in the way of the next attempt.
		await rm(file, {force: true});
		throw error;
	} finally {
		await target.close();
	}
};

/**
 * Opens a database; makes the file and its folder if they are missing, unless it must be `existing`. Migrate it before use. Open the databases of a
 * process on one thread: the write gate and the choice of the SQLite library are made there.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<SqlDatabase> => {
	const {url, clockOffset = () => 0, existing = false} = options;
	const storage = storageOf(url);
	const driver = await chooseDriver(options.driver);
	const {connection, writers, presence, drain} =
		storage === memoryStorage
			? await openMemory(driver, clockOffset)
			: await openFile(await (existing ? realpath(storage) : prepareFile(storage)), driver, clockOffset);
	let closing: Promise<void> | undefined;
	return {
		stores: createStores(connection, writers, presence),
		migrate: async () => migrate(connection),
		pending: async () => pendingMigrations(connection),
		ping: async () => {
			await first(connection, raw('SELECT 1'));
		},
		backup: async (file) => backUp(connection, file),
		close: async () => {
			closing ??= drain().then(connection.close);
			return closing;
		},
	};
};
