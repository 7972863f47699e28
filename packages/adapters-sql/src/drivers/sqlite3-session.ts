import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Database, Statement} from 'sqlite3';
import type {Session} from '../session.ts';
import {type SqlValue, textOf} from '../sql.ts';
import type {Row} from '../table.ts';
import {chunkedInserts} from './chunked-insert.ts';
import {createStatementCache} from './statement-cache.ts';

type Settle<T> = (error: Error | null, value: T) => void;

const called = async <T>(call: (settle: Settle<T>) => void): Promise<T> =>
	new Promise((resolve, reject) => {
		call((error, value) => (error ? reject(error) : resolve(value)));
	});

type Bound = readonly SqlValue[];

const runOn = async (target: Pick<Statement, 'run'>, values: Bound): Promise<number> =>
	new Promise((resolve, reject) => {
		target.run(values, function (error) {
			if (error) reject(error);
			else resolve(this.changes);
		});
	});

const prepare = async (database: Database, text: string): Promise<Statement> =>
	new Promise((resolve, reject) => {
		const statement = database.prepare(text, (error: Error | null) => (error ? reject(error) : resolve(statement)));
	});

const finalize = async (preparing: Promise<Statement>): Promise<void> => {
	const statement = await preparing.catch(() => undefined);
	// Whoever got it before it was dropped calls it within this turn.
	await nextTurn();
	if (statement) await called<void>((settle) => statement.finalize(() => settle(null)));
};

/** Statements of one connection, prepared the first time and kept. */
const sessionOver = (database: Database): Session => {
	const kept = createStatementCache(
		async (text) => prepare(database, text),
		(statement) => void finalize(statement),
	);
	const prepared = async (text: string): Promise<Statement | undefined> =>
		kept.get(text)?.catch((error) => {
			kept.forget(text);
			throw error;
		});
	const run = async (text: string, values: Bound): Promise<number> => {
		const statement = await prepared(text);
		if (statement) return runOn(statement, values);
		return called((settle) =>
			database.run(text, values, function (error) {
				settle(error, this?.changes ?? 0);
			}),
		);
	};
	return {
		all: async (asked) => {
			const text = textOf(asked);
			const statement = await prepared(text);
			return called<Row[]>((settle) =>
				statement ? statement.all(asked.values, settle) : database.all(text, asked.values, settle),
			);
		},
		run: async (statement) => run(textOf(statement), statement.values),
		insert: async (into, rows) => {
			for (const {text, values} of chunkedInserts(into, rows)) await run(text, values);
		},
		close: async () => {
			// SQLite does not close while a statement is left.
			await Promise.all(kept.clear().map(finalize));
			await called<void>((settle) => database.close((error) => settle(error)));
		},
	};
};

/** A connection of sqlite3. Its statements run on libuv's threads. */
export const openSqlite3Session = async (connect: (settle: Settle<void>) => Database): Promise<Session> => {
	const database = await new Promise<Database>((resolve, reject) => {
		const opened = connect((error) => (error ? reject(error) : resolve(opened)));
	});
	return sessionOver(database);
};
