import type {Session} from '../session.ts';
import type {SqlValue} from '../sql.ts';
import type {SqliteDriver} from './driver.ts';
import {positional} from './positional.ts';
import {openSessionThread} from './session-thread.ts';

type Callback = (this: {lastID: number; changes: number}, error: Error | null, rows?: readonly unknown[]) => void;

const bindable = (value: unknown): SqlValue => {
	if (value === undefined) return null;
	return typeof value === 'boolean' ? Number(value) : (value as SqlValue);
};

/** The statement without the names that Sequelize binds by: see positional.ts. */
const statementOf = (sql: string, parameters: unknown) => ({
	texts: sql.split(/\$\d+/),
	values: (positional(parameters) as readonly unknown[]).map(bindable),
});

/** The part of sqlite3's API that Sequelize calls, over a session. */
class CallbackDatabase {
	readonly filename: string;
	#opening: Promise<Session>;

	constructor(filename: string, open: () => Promise<Session>, callback: (error: Error | null) => void) {
		this.filename = filename;
		this.#opening = open();
		this.#settle(this.#opening, callback);
	}

	/** In a turn of its own, as with sqlite3: a chain of statements must not keep the event loop from turning. */
	#settle(work: Promise<unknown>, callback: ((error: Error | null) => void) | undefined): void {
		work.then(
			() => callback && setImmediate(callback, null),
			(error) => callback && setImmediate(callback, error),
		);
	}

	serialize(work?: () => void): void {
		work?.();
	}

	run(sql: string, parameters: unknown = [], callback?: Callback): this {
		let changes = 0;
		const work = this.#opening.then(async (session) => {
			changes = await session.run(statementOf(sql, parameters));
		});
		this.#settle(work, (error) => callback?.call({lastID: 0, changes}, error, []));
		return this;
	}

	all(sql: string, parameters: unknown = [], callback?: Callback): this {
		if (typeof parameters === 'function') return this.all(sql, [], parameters as Callback);
		let rows: readonly unknown[] = [];
		const work = this.#opening.then(async (session) => {
			rows = await session.all(statementOf(sql, parameters));
		});
		this.#settle(work, (error) => callback?.call({lastID: 0, changes: 0}, error, rows));
		return this;
	}

	close(callback?: (error: Error | null) => void): void {
		this.#settle(
			this.#opening.then(async (session) => session.close()),
			callback,
		);
	}
}

/** The SQLite inside Node. Loaded only when asked for: a Node can be built without it. */
export const loadNodeSqlite = async (): Promise<SqliteDriver> => {
	const {openNodeSession} = await import('./node-sqlite-session.ts');
	const open = async (storage: string) =>
		storage === ':memory:' ? openNodeSession(storage) : openSessionThread(storage);
	class Database extends CallbackDatabase {
		constructor(filename: string, _mode: number, callback: (error: Error | null) => void) {
			super(filename, async () => open(filename), callback);
		}
	}
	return {
		name: 'node:sqlite',
		module: {Database, OPEN_READONLY: 1, OPEN_READWRITE: 2, OPEN_CREATE: 4},
		open,
		openHere: openNodeSession,
	};
};
