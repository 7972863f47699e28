import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';
import type {SqliteDriver} from './driver.ts';
import {positional, withoutNames} from './positional.ts';

type Callback = (this: {lastID: number; changes: number}, error: Error | null, rows?: unknown[]) => void;
type Outcome = Readonly<{rows: unknown[]; lastID: number; changes: number}>;

/** Primary result codes of SQLite by the names that sqlite3 gives them, which is what Sequelize looks at. */
const codes: Readonly<Record<number, string>> = {
	5: 'SQLITE_BUSY',
	6: 'SQLITE_LOCKED',
	7: 'SQLITE_NOMEM',
	8: 'SQLITE_READONLY',
	10: 'SQLITE_IOERR',
	13: 'SQLITE_FULL',
	14: 'SQLITE_CANTOPEN',
	15: 'SQLITE_PROTOCOL',
	19: 'SQLITE_CONSTRAINT',
};

const translate = (error: unknown): Error => {
	if (!(error instanceof Error)) return new Error(String(error));
	const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
	if (errcode === undefined) return error;
	const code = codes[errcode & 0xff] ?? 'SQLITE_ERROR';
	return Object.assign(new Error(`${code}: ${error.message}`), {code, errno: errcode & 0xff});
};

const bindable = (value: unknown): SQLInputValue => {
	if (value === undefined) return null;
	return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
};

const valuesOf = (parameters: unknown): readonly SQLInputValue[] =>
	(positional(parameters) as readonly unknown[]).map(bindable);

const runStatement = (statement: StatementSync, values: readonly SQLInputValue[]): Outcome => {
	const {lastInsertRowid, changes} = statement.run(...values);
	return {rows: [], lastID: Number(lastInsertRowid), changes: Number(changes)};
};

/** Statements kept prepared on a connection, and the longest one worth keeping. */
const keptStatements = 200;
const keptLength = 4096;

const createStatementCache = (database: DatabaseSync): ((sql: string) => StatementSync) => {
	const statements = new Map<string, StatementSync>();
	return (sql) => {
		const known = statements.get(sql);
		if (known) return known;
		const statement = database.prepare(withoutNames(sql));
		if (sql.length > keptLength) return statement;
		if (statements.size >= keptStatements) statements.delete(statements.keys().next().value ?? '');
		statements.set(sql, statement);
		return statement;
	};
};

/** The part of sqlite3's API that Sequelize calls, over node:sqlite: callbacks come later, as they do there. */
class CallbackDatabase {
	readonly filename: string;
	#connection: DatabaseSync | undefined;
	#prepare: ((sql: string) => StatementSync) | undefined;

	constructor(filename: string, connect: () => DatabaseSync, callback: (error: Error | null) => void) {
		this.filename = filename;
		this.#attempt(callback, () => {
			this.#connection = connect();
			this.#prepare = createStatementCache(this.#connection);
		});
	}

	#attempt(callback: ((error: Error | null) => void) | undefined, work: () => void): void {
		let failure: Error | null = null;
		try {
			work();
		} catch (error) {
			failure = translate(error);
		}
		if (callback) setImmediate(callback, failure);
	}

	#query(execute: (statement: StatementSync) => Outcome, sql: string, callback: Callback | undefined): this {
		let outcome: Outcome = {rows: [], lastID: 0, changes: 0};
		this.#attempt(
			(error) => callback?.call({lastID: outcome.lastID, changes: outcome.changes}, error, outcome.rows),
			() => {
				if (!this.#prepare) throw new Error('SQLITE_MISUSE: Database is closed');
				outcome = execute(this.#prepare(sql));
			},
		);
		return this;
	}

	serialize(work?: () => void): void {
		work?.();
	}

	run(sql: string, parameters: unknown = [], callback?: Callback): this {
		return this.#query((statement) => runStatement(statement, valuesOf(parameters)), sql, callback);
	}

	all(sql: string, parameters: unknown = [], callback?: Callback): this {
		if (typeof parameters === 'function') return this.all(sql, [], parameters as Callback);
		const read = (statement: StatementSync) => ({rows: statement.all(...valuesOf(parameters)), lastID: 0, changes: 0});
		return this.#query(read, sql, callback);
	}

	close(callback?: (error: Error | null) => void): void {
		this.#attempt(callback, () => {
			this.#prepare = undefined;
			this.#connection?.close();
			this.#connection = undefined;
		});
	}
}

/** The SQLite inside Node, for where sqlite3 could not be built. Synchronous: its statements run on the calling thread. */
export const loadNodeSqlite = async (): Promise<SqliteDriver> => {
	const {DatabaseSync: Connection} = await import('node:sqlite');
	class Database extends CallbackDatabase {
		constructor(filename: string, _mode: number, callback: (error: Error | null) => void) {
			super(filename, () => new Connection(filename), callback);
		}
	}
	return {name: 'node:sqlite', module: {Database, OPEN_READONLY: 1, OPEN_READWRITE: 2, OPEN_CREATE: 4}};
};
