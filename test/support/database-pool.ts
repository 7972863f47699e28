import {createHash} from 'node:crypto';
import {mkdir, readdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createLogicalDatabase, type LogicalDatabase, logicalDatabase, mariadbServer} from './mariadb.ts';

/** Where a run of the tests keeps what its files share, which it removes at its end. A file that runs alone shares nothing. */
export const sharedFolder = process.env.TEST_SHARED_FOLDER;

/** Of the server that is asked now: a test may have one of its own. */
const freeDatabases = async (folder: string): Promise<string> => {
	const free = join(folder, createHash('sha256').update(mariadbServer()).digest('hex').slice(0, 12));
	await mkdir(free, {recursive: true});
	return free;
};

/** To move its file away is to have it: of several who try, one succeeds. */
const claim = async (free: string, name: string): Promise<boolean> =>
	rename(join(free, name), `${join(free, name)}.taken`).then(
		() => true,
		() => false,
	);

/** An empty database on MariaDB, with the schema if there was one before: to make the schema takes a second. */
export const takeDatabase = async (): Promise<LogicalDatabase> => {
	if (sharedFolder === undefined) return createLogicalDatabase();
	const free = await freeDatabases(sharedFolder);
	for (const name of await readdir(free))
		if (!name.endsWith('.taken') && (await claim(free, name))) return logicalDatabase(name);
	const database = await createLogicalDatabase();
	await writeFile(join(free, `${database.name}.taken`), '');
	return database;
};

/** Nothing may use it any more. */
export const giveBackDatabase = async (database: LogicalDatabase): Promise<void> => {
	if (sharedFolder === undefined) return database.drop();
	await database.empty();
	const free = await freeDatabases(sharedFolder);
	await writeFile(join(free, database.name), '');
};

/** Drops all that were made on the server of the run. */
export const dropDatabases = async (folder: string): Promise<void> => {
	const names = new Set((await readdir(await freeDatabases(folder))).map((name) => name.replace('.taken', '')));
	for (const name of names) await logicalDatabase(name).drop();
};
