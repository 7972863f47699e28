import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {type DatabaseOptions, openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import {chooseDriver} from '../../src/drivers/choose-driver.ts';
import {connectSqlite, type SqliteConnection} from '../../src/sqlite-connection.ts';
import {gateOfFile} from '../../src/write-gate.ts';

/** A folder that is gone after `remove`. */
export const temporaryFolder = async (): Promise<Readonly<{folder: string; remove(): Promise<void>}>> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-sql-'));
	return {folder, remove: async () => rm(folder, {recursive: true, force: true})};
};

type Teardown = Readonly<{teardown(work: () => Promise<void>): void}>;

/** A migrated database in a file of its own; closed and removed when the test ends. */
export const openTemporary = async (
	t: Teardown,
	options: Omit<DatabaseOptions, 'url'> = {},
): Promise<Readonly<{database: SqlDatabase; file: string; folder: string}>> => {
	const {folder, remove} = await temporaryFolder();
	const file = path.join(folder, 'signalbox.db');
	const database = await openDatabase({...options, url: `sqlite:${file}`});
	t.teardown(async () => {
		await database.close();
		await remove();
	});
	await database.migrate();
	return {database, file, folder};
};

/** Another connection to the file of a database, for statements of its own; closed when the test ends. */
export const connectTo = async (t: Teardown, file: string): Promise<SqliteConnection> => {
	const {gate} = gateOfFile(file);
	const connection = await connectSqlite({storage: file, driver: await chooseDriver(), gate, clockOffset: () => 0});
	t.teardown(connection.close);
	return connection;
};
