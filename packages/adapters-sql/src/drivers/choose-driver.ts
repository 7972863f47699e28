import type {DriverName, SqliteDriver} from './driver.ts';
import {loadNodeSqlite} from './node-sqlite-driver.ts';
import {loadSqlite3} from './sqlite3-driver.ts';

const loaders: Readonly<Record<DriverName, () => Promise<SqliteDriver>>> = {
	'node:sqlite': loadNodeSqlite,
	sqlite3: loadSqlite3,
};

const loadPreferred = async (): Promise<SqliteDriver> => loadNodeSqlite().catch(loadSqlite3);

let chosen: Promise<SqliteDriver> | undefined;

/**
 * The one SQLite library of this process: node:sqlite, the faster one, unless this Node was built without it. Two of them
 * in one process drop each other's file locks (POSIX locks belong to the process, and closing any descriptor of a file gives
 * up all of them): committed rows then vanish without an error. So the first choice holds for as long as the process lives.
 * @throws Error when another library than `wanted` was chosen before.
 */
export const chooseDriver = async (wanted?: DriverName): Promise<SqliteDriver> => {
	chosen ??= wanted === undefined ? loadPreferred() : loaders[wanted]();
	const choice = chosen;
	const driver = await choice.catch((error) => {
		// What could not be loaded has touched no file: another may still be chosen.
		if (chosen === choice) chosen = undefined;
		throw error;
	});
	if (wanted !== undefined && driver.name !== wanted) {
		throw new Error(
			`This process already uses ${driver.name}, so it cannot use ${wanted}: two SQLite libraries in one process corrupt each other's locks.`,
		);
	}
	return driver;
};
