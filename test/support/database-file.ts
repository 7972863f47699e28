import {DatabaseSync} from 'node:sqlite';

/** Reads the file of a server, which runs in another process or not at all. */
export const withDatabase = <T>(file: string, read: (database: DatabaseSync) => T): T => {
	const database = new DatabaseSync(file);
	try {
		return read(database);
	} finally {
		database.close();
	}
};

export const rowsOf = (database: DatabaseSync, select: string): Record<string, unknown>[] =>
	database.prepare(select).all();

/** `ok`, or the first thing that SQLite finds wrong. */
export const integrityOf = (database: DatabaseSync): string =>
	String(rowsOf(database, 'PRAGMA integrity_check')[0]?.integrity_check);
