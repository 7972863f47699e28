import {DatabaseSync} from 'node:sqlite';
import mysql from 'mysql2/promise';

type Cell = string | number | bigint | null | Uint8Array;

/** A database beside its stores: whole statements, and the few expressions in which the engines differ. */
export type SeedEngine = Readonly<{
	name: string;
	/** Answers the rows that the statement has, if any. */
	query(statement: string): Promise<readonly Readonly<Record<string, Cell>>[]>;
	columnsOf(table: string): Promise<readonly string[]>;
	/** A table with the numbers from 0 to below `count` in its column `i`. */
	numbers(count: number): string;
	/** An id of that kind, which grows with the number. */
	id(kind: number, number: string): string;
	/** That many seconds before the seeding began, as instants are stored. */
	ago(seconds: string): string;
	/** The whole hour of a stored instant. */
	hourOf(instant: string): string;
	bytes(text: string): string;
	concat(...parts: readonly string[]): string;
	/** Leaves the database as one is that was filled by and by. */
	settle(): Promise<void>;
	close(): Promise<void>;
}>;

const onlyRows = /^(SELECT|PRAGMA|EXPLAIN)/;

/** Nothing reads it meanwhile, and a machine that stops seeds again: so it may do without what makes commits durable. */
const fast = ['PRAGMA foreign_keys = OFF', 'PRAGMA synchronous = OFF', 'PRAGMA cache_size = -400000'];

const now = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ');

export const openSqliteSeed = (file: string): SeedEngine => {
	const database = new DatabaseSync(file);
	for (const pragma of fast) database.exec(pragma);
	const began = now();
	const query = async (statement: string) => {
		if (onlyRows.test(statement)) return database.prepare(statement).all() as Readonly<Record<string, Cell>>[];
		database.exec(statement);
		return [];
	};
	return {
		name: 'sqlite',
		query,
		columnsOf: async (table) =>
			(await query(`SELECT name FROM pragma_table_info('${table}')`)).map(({name}) => String(name)),
		numbers: (count) =>
			`(WITH RECURSIVE series (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM series WHERE i < ${count - 1}) SELECT i FROM series)`,
		id: (kind, number) => `printf('%08x-%04x-7000-8000-%012x', ${number}, ${kind}, ${number})`,
		ago: (seconds) => `strftime('%Y-%m-%d %H:%M:%f', '${began}', '-' || (${seconds}) || ' seconds')`,
		hourOf: (instant) => `substr(${instant}, 1, 13) || ':00:00.000'`,
		bytes: (text) => `CAST(${text} AS BLOB)`,
		concat: (...parts) => parts.join(' || '),
		// Nothing gives it statistics in production either.
		settle: async () => {},
		close: async () => database.close(),
	};
};

export const openMariadbSeed = async (url: string): Promise<SeedEngine> => {
	const connection = await mysql.createConnection({uri: url});
	for (const setting of ['foreign_key_checks', 'unique_checks']) await connection.query(`SET ${setting} = 0`);
	const began = now();
	const query = async (statement: string) => {
		const [rows] = await connection.query(statement);
		return Array.isArray(rows) ? (rows as Readonly<Record<string, Cell>>[]) : [];
	};
	const tablesOf = async () =>
		query('SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()');
	return {
		name: 'mariadb',
		query,
		columnsOf: async (table) => {
			const ofTable = `table_schema = DATABASE() AND table_name = '${table}' AND is_generated = 'NEVER'`;
			const columns = await query(`SELECT column_name AS name FROM information_schema.columns WHERE ${ofTable}`);
			return columns.map(({name}) => String(name));
		},
		numbers: (count) => `(SELECT seq AS i FROM seq_0_to_${count - 1})`,
		id: (kind, number) => {
			const hex = (digits: number) => `LPAD(LOWER(HEX(${number})), ${digits}, '0')`;
			return `CONCAT(${hex(8)}, '-${kind.toString(16).padStart(4, '0')}-7000-8000-', ${hex(12)})`;
		},
		ago: (seconds) => `CAST('${began}' AS DATETIME(3)) - INTERVAL (${seconds}) SECOND`,
		hourOf: (instant) => `DATE_FORMAT(${instant}, '%Y-%m-%d %H:00:00.000')`,
		bytes: (text) => text,
		concat: (...parts) => `CONCAT(${parts.join(', ')})`,
		// The server does so by itself, some seconds after so many changes.
		settle: async () => {
			const names = (await tablesOf()).map(({name}) => String(name));
			await query(`ANALYZE TABLE ${names.join(', ')}`);
		},
		close: async () => connection.end(),
	};
};
