import type {SqliteDriver} from './driver.ts';

/** The native module. Loaded only when asked for: it is an optional dependency, missing where nothing could compile it. */
export const loadSqlite3 = async (): Promise<SqliteDriver> => {
	const {default: module} = await import('sqlite3');
	return {name: 'sqlite3', module};
};
