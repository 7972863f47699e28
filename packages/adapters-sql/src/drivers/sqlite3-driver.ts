import type {SqliteDriver} from './driver.ts';
import {positional, withoutNames} from './positional.ts';
import {openSqlite3Session} from './sqlite3-session.ts';

/** The native module. Loaded only when asked for: it is an optional dependency, missing where nothing could compile it. */
export const loadSqlite3 = async (): Promise<SqliteDriver> => {
	const {default: sqlite3} = await import('sqlite3');
	class Database extends sqlite3.Database {
		override run(sql: string, ...rest: readonly unknown[]): this {
			return super.run(withoutNames(sql), ...rest.map(positional));
		}

		override all(sql: string, ...rest: readonly unknown[]): this {
			return super.all(withoutNames(sql), ...rest.map(positional));
		}
	}
	const {OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE} = sqlite3;
	const open = async (storage: string) => openSqlite3Session((settle) => new sqlite3.Database(storage, settle));
	return {
		name: 'sqlite3',
		module: {Database, OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE},
		open,
		openHere: open,
	};
};
