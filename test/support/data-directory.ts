import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {promisify} from 'node:util';
import {giveBackDatabase, takeDatabase} from './database-pool.ts';
import {engine} from './engine.ts';
import {type LogicalDatabase, logicalDatabase} from './mariadb.ts';
import {copySqliteTemplate} from './sqlite-template.ts';

type Row = Record<string, unknown>;

/**
 * On both engines tests know a database by the directory of its server: on SQLite it is the file in there, on MariaDB the
 * one that is named in there.
 */
const nameFile = (directory: string): string => join(directory, 'mariadb-database');

const findOnMariadb = async (directory: string): Promise<LogicalDatabase | undefined> =>
	readFile(nameFile(directory), 'utf8').then(logicalDatabase, () => undefined);

const onMariadb = async (directory: string): Promise<LogicalDatabase> => {
	const known = await findOnMariadb(directory);
	if (known) return known;
	const taken = await takeDatabase();
	await writeFile(nameFile(directory), taken.name);
	return taken;
};

const onSqlite = <T>(directory: string, work: (database: DatabaseSync) => T): T => {
	const database = new DatabaseSync(join(directory, 'signalbox.db'), {timeout: 10_000});
	try {
		return work(database);
	} finally {
		database.close();
	}
};

/** For the server of a test, which finds its schema there. */
export const makeDataDirectory = async (purpose: string): Promise<string> => {
	const directory = await mkdtemp(join(tmpdir(), `signalbox-${purpose}-`));
	if (engine === 'sqlite') await copySqliteTemplate(join(directory, 'signalbox.db'));
	return directory;
};

/** Removes it with its database. */
export const removeDataDirectory = async (directory: string): Promise<void> => {
	const database = engine === 'mariadb' ? await findOnMariadb(directory) : undefined;
	if (database) await giveBackDatabase(database);
	await rm(directory, {recursive: true, force: true});
};

const keyOf = (use: string): string => `test:${createHash('sha256').update(use).digest('base64')}`;

/** What a server on that directory is told of its database. */
export const databaseVariables = async (directory: string): Promise<Readonly<Record<string, string>>> => {
	if (engine === 'sqlite') return {};
	const database = await onMariadb(directory);
	return {
		// Many servers of tests share one that takes 151.
		DATABASE_URL: `${database.url}?connections=2`,
		// Servers on a shared database do not make them.
		SIGNALBOX_MASTER_KEYS: keyOf('master'),
		SIGNALBOX_JWT_KEYS: keyOf('jwt'),
	};
};

/** Reads the database of a server, which may run meanwhile. */
export const rowsOf = async (directory: string, select: string): Promise<readonly Row[]> =>
	engine === 'mariadb'
		? ((await (await onMariadb(directory)).query(select)) as Row[])
		: onSqlite(directory, (database) => database.prepare(select).all());

/** The number that a query answers under the name `count`. */
export const countIn = async (directory: string, select: string): Promise<number> =>
	Number((await rowsOf(directory, select))[0]?.count);

export const tablesOf = async (directory: string): Promise<readonly string[]> => {
	const rows = await rowsOf(
		directory,
		engine === 'mariadb'
			? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
			: "SELECT name FROM sqlite_master WHERE type = 'table'",
	);
	return rows.map(({name}) => String(name));
};

/** `ok`, or the first thing that the engine finds wrong. */
export const integrityOf = async (directory: string): Promise<string> => {
	if (engine === 'sqlite') return String((await rowsOf(directory, 'PRAGMA integrity_check'))[0]?.integrity_check);
	const checked = await rowsOf(directory, `CHECK TABLE ${(await tablesOf(directory)).join(', ')}`);
	const wrong = checked.find(({Msg_text}) => Msg_text !== 'OK');
	return wrong ? `${wrong.Table}: ${wrong.Msg_text}` : 'ok';
};

const inAnotherProcess = `
	const {DatabaseSync} = require('node:sqlite');
	const [file, statement, ...values] = process.argv.slice(1);
	console.log(new DatabaseSync(file, {timeout: 10_000}).prepare(statement).run(...values).changes);
`;

/**
 * Changes one row behind the back of a server, which may run in this process: no wait for a lock must keep that server
 * from letting go of it.
 * @throws Error when the statement changed none, or more.
 */
export const changeRow = async (directory: string, statement: string, ...values: string[]): Promise<void> => {
	const change = async (): Promise<number> => {
		if (engine === 'mariadb') {
			const {affectedRows} = (await (await onMariadb(directory)).query(statement, values)) as {affectedRows: number};
			return affectedRows;
		}
		const args = ['-e', inAnotherProcess, join(directory, 'signalbox.db'), statement, ...values];
		return Number((await promisify(execFile)(process.execPath, args)).stdout);
	};
	const changed = await change();
	if (changed !== 1) throw new Error(`${changed} rows changed`);
};
