import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {type DriverName, openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import {createLogicalDatabase, mariadbIsMissing} from '../test/support/mariadb.ts';

/** What keeps the rows: a library of SQLite, or MariaDB over a socket. */
export type Engine = DriverName | 'mariadb';

/** What keeps the records of ours where it is measured beside others. */
export const engineNames = ['sqlite', 'mariadb'] as const;
export type EngineName = (typeof engineNames)[number];

/** The value of --engine. @throws Error that says what it takes. */
export const engineIn = (name: string): EngineName => {
	const engine = engineNames.find((each) => each === name);
	if (engine === undefined) throw new Error(`--engine takes one of ${engineNames.join(' | ')}`);
	return engine;
};

/** Those of them that can be measured here; says why MariaDB is not among them. */
export const measurable = async <T extends Engine | EngineName>(engines: readonly T[]): Promise<readonly T[]> => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) console.log(`MariaDB is not measured: ${missing}`);
	return engines.filter((engine) => engine !== 'mariadb' || missing === undefined);
};

const withUrl = async <T>(engine: Engine, work: (url: string) => Promise<T>): Promise<T> => {
	if (engine === 'mariadb') {
		const logical = await createLogicalDatabase();
		return work(logical.url).finally(logical.drop);
	}
	const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-bench-'));
	return work(`sqlite:${path.join(folder, 'bench.db')}`).finally(async () =>
		rm(folder, {recursive: true, force: true}),
	);
};

/** Works on a fresh and migrated database, which is gone afterwards. */
export const withDatabase = async <T>(engine: Engine, work: (database: SqlDatabase) => Promise<T>): Promise<T> =>
	withUrl(engine, async (url) => {
		const database = await openDatabase({url, ...(engine !== 'mariadb' && {driver: engine})});
		try {
			await database.migrate();
			return await work(database);
		} finally {
			await database.close();
		}
	});
