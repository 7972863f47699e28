import {mkdir, open, realpath, rm} from 'node:fs/promises';
import path from 'node:path';
import type {Connection} from './connection.ts';
import type {DatabaseParts} from './database-parts.ts';
import {chooseDriver} from './drivers/choose-driver.ts';
import type {DriverName, SqliteDriver} from './drivers/driver.ts';
import {createLocalWriters, createThreadedWriters, threadedLog} from './fast-writers.ts';
import {createFilePresence} from './file-presence.ts';
import {type FileWatch, watchFile} from './file-watch.ts';
import {alwaysPresent} from './presence.ts';
import {connectSqlite, memoryStorage, type SqliteConnection} from './sqlite-connection.ts';
import type {FastWriters} from './stores.ts';
import {createGateMemory, createWriteGate, gateOfFile, reservePlace} from './write-gate.ts';

type FileOptions = Readonly<{existing: boolean; clockOffset: () => number; driver: DriverName | undefined}>;

/** Makes file and folder if they are missing, for their owner only: it holds digests of passwords and what was called. */
const prepareFile = async (storage: string): Promise<string> => {
	await mkdir(path.dirname(storage), {recursive: true, mode: 0o700});
	const made = await open(storage, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EEXIST') throw error;
	});
	await made?.close();
	return realpath(storage);
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

const openMemory = async (driver: SqliteDriver, clockOffset: () => number): Promise<DatabaseParts> => {
	const gateMemory = createGateMemory();
	const gate = createWriteGate(gateMemory, reservePlace(gateMemory));
	const connection = await connectSqlite({storage: memoryStorage, driver, gate, clockOffset});
	const {writers, drain} = createLocalWriters(connection);
	return {connection, writers, presence: alwaysPresent, backup: async (file) => backUp(connection, file), drain};
};

/** What threads of their own write. */
const guarded = ({callLog, webhooks, fire}: FastWriters, {guard}: FileWatch): FastWriters => ({
	callLog: {...callLog, append: guard(callLog.append)},
	webhooks: {...webhooks, accept: guard(webhooks.accept), settle: guard(webhooks.settle), lease: guard(webhooks.lease)},
	fire: guard(fire),
});

const openFile = async (file: string, driver: SqliteDriver, clockOffset: () => number): Promise<DatabaseParts> => {
	const {memory, gate} = gateOfFile(file);
	const connection = await connectSqlite({storage: file, driver, gate, clockOffset});
	const {thread} = connection;
	const data = {storage: file, driver: driver.name, gate: memory};
	const callLog = threadedLog(connection, data, thread);
	const {writers, drain} = createThreadedWriters({connection, data, clockOffset, callLog, thread});
	const presence = createFilePresence(async () => driver.openHere(await prepareFile(`${file}.lock`)));
	const watch = await watchFile(file);
	return {
		connection: {...connection, write: watch.guard(connection.write) as Connection['write']},
		writers: guarded(writers, watch),
		presence,
		backup: async (to) => {
			// A copy opens the file anew: another one, or one that it would make, where ours is gone.
			await watch.look();
			await backUp(connection, to);
		},
		look: watch.look,
		drain: async () => {
			watch.stop();
			await drain();
		},
	};
};

export const openSqlite = async (storage: string, options: FileOptions): Promise<DatabaseParts> => {
	const {existing, clockOffset} = options;
	const driver = await chooseDriver(options.driver);
	if (storage === memoryStorage) return openMemory(driver, clockOffset);
	return openFile(await (existing ? realpath(storage) : prepareFile(storage)), driver, clockOffset);
};
