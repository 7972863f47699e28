import {DomainError, type Stores} from '@signalbox/core';
import {first} from './connection.ts';
import type {DatabaseParts} from './database-parts.ts';
import type {DriverName} from './drivers/driver.ts';
import {migrate, newerMigrations, pendingMigrations} from './migrations/migrate.ts';
import {createSharing, type Sharing} from './sharing/create-sharing.ts';
import {raw} from './sql.ts';
import {createStores} from './stores.ts';

export type DatabaseOptions = Readonly<{
	/**
	 * `sqlite:<path>`, `sqlite::memory:` for one that is gone when it is closed, or `mysql://user:password@host:port/database`
	 * for a database of MySQL or MariaDB that is there, empty at first. `?ssl-mode=REQUIRED` encrypts the connection,
	 * `?ssl-mode=VERIFY_IDENTITY` also verifies whom it leads to;
	 * `?connections=` says how many are open at once for reads and writes, default 10. Presence and writers that are busy take
	 * up to four more.
	 */
	url: string;
	/** Refuse a file that is not there (ENOENT), instead of making it. Default: false. */
	existing?: boolean;
	/** Milliseconds that the store's clock is ahead of the database's. Default: 0. Tests move it. */
	clockOffset?: () => number;
	/** For a file. Default: node:sqlite, or sqlite3 where that cannot be loaded. The first one a process opens decides for all. */
	driver?: DriverName;
}>;

export type SqlDatabase = Readonly<{
	stores: Stores;
	/** What processes on this database share besides. */
	sharing: Sharing;
	/** Applies what is pending; in a file all of it or nothing. Any number of processes may do so at once. */
	migrate(): Promise<void>;
	/** Names of the migrations that were not applied yet, in order. */
	pending(): Promise<readonly string[]>;
	/** Names of the migrations that a newer release applied: this one may misread what is there. */
	newer(): Promise<readonly string[]>;
	/** @throws service_unavailable when the database does not answer, or its file is no longer where it was. */
	ping(): Promise<void>;
	/**
	 * Writes a consistent copy, readable by its owner only, while everything goes on. The file must not exist yet; a copy
	 * that failed is removed. Once this resolves, the copy is on the disk.
	 * @throws service_unavailable for one that is closed, or whose file is no longer where it was; Error for a database of MySQL or MariaDB, which have tools for it.
	 */
	backup(file: string): Promise<void>;
	/** Writes what waits, then lets go of the database. Calls after it fail. */
	close(): Promise<void>;
}>;

const connect = async ({
	url,
	clockOffset = () => 0,
	existing = false,
	driver,
}: DatabaseOptions): Promise<DatabaseParts> => {
	const storage = /^sqlite:(?:\/\/)?(?<storage>.+)$/s.exec(url)?.groups?.storage;
	// Each is loaded only where it is used.
	if (storage) return (await import('./open-sqlite.ts')).openSqlite(storage, {existing, clockOffset, driver});
	if (url.startsWith('mysql:')) return (await import('./open-mysql.ts')).openMysql(url, clockOffset);
	// The address may hold a password: only its beginning is repeated.
	const known = 'sqlite:<path>, sqlite::memory: or mysql://user:password@host:port/database';
	throw new Error(`database URL: ${known} expected, not ${url.split(':')[0]}:...`);
};

/** What callers get of an engine's parts. */
export const assembleDatabase = ({connection, writers, presence, backup, drain, look}: DatabaseParts): SqlDatabase => {
	let closing: Promise<void> | undefined;
	const close = async (): Promise<void> => {
		await drain();
		await presence.leave();
		await connection.close();
	};
	/** A copy has a connection of its own, which would open the file anew, whoever has it by now. */
	const refuseOnceClosed = (): void => {
		if (closing) throw new DomainError('service_unavailable', {message: 'The database is closed.'});
	};
	return {
		stores: createStores(connection, writers, presence),
		sharing: createSharing(connection),
		migrate: async () => migrate(connection),
		pending: async () => pendingMigrations(connection),
		newer: async () => newerMigrations(connection),
		ping: async () => {
			await look?.();
			await first(connection, raw('SELECT 1'));
		},
		backup: async (file) => {
			refuseOnceClosed();
			await backup(file);
		},
		close: async () => {
			closing ??= close();
			return closing;
		},
	};
};

/**
 * Opens a database; makes the file and its folder if they are missing, unless it must be `existing`. Migrate it before use. Open the databases of a
 * process on one thread: the write gate and the choice of the SQLite library are made there.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<SqlDatabase> =>
	assembleDatabase(await connect(options));
