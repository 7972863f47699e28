import {loadSqlite3} from '../../src/drivers/sqlite3-driver.ts';

/** It is an optional dependency, missing where nothing could compile it. */
export const isSqlite3Built = async (): Promise<boolean> =>
	loadSqlite3().then(
		() => true,
		() => false,
	);
