import type {SqliteDriver} from './driver.ts';
import {openSqlite3Session} from './sqlite3-session.ts';

/** The native module. Loaded only when asked for: it is an optional dependency, missing where nothing could compile it. */
export const loadSqlite3 = async (): Promise<SqliteDriver> => {
	const {default: sqlite3} = await import('sqlite3');
	const open = async (storage: string) => openSqlite3Session((settle) => new sqlite3.Database(storage, settle));
	return {name: 'sqlite3', open, openHere: open};
};
