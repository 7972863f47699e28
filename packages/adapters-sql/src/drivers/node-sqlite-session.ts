import {DatabaseSync, type StatementSync} from 'node:sqlite';
import type {Session} from '../session.ts';
import {textOf} from '../sql.ts';
import type {Row} from '../table.ts';
import {chunkedInserts} from './chunked-insert.ts';
import {createStatementCache} from './statement-cache.ts';

/** Primary result codes of SQLite by the names that sqlite3 gives them. */
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

const named = (error: unknown): Error => {
	if (!(error instanceof Error)) return new Error(String(error));
	if ('code' in error && error.code === 'ERR_INVALID_STATE') return new Error('SQLITE_MISUSE: Database is closed');
	const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
	if (errcode === undefined) return error;
	const code = codes[errcode & 0xff] ?? 'SQLITE_ERROR';
	return Object.assign(new Error(`${code}: ${error.message}`), {code, errno: errcode & 0xff});
};

const attempt = <T>(work: () => T): T => {
	try {
		return work();
	} catch (error) {
		throw named(error);
	}
};

/** A connection of the SQLite inside Node. Synchronous: its statements run on the calling thread, at the moment of the call. */
export const openNodeSession = async (storage: string): Promise<Session> => {
	const database = attempt(() => new DatabaseSync(storage));
	const kept = createStatementCache((text) => database.prepare(text));
	const prepared = (text: string): StatementSync => kept.get(text) ?? database.prepare(text);
	return {
		all: async (statement) => attempt(() => prepared(textOf(statement)).all(...statement.values) as Row[]),
		run: async (statement) => attempt(() => Number(prepared(textOf(statement)).run(...statement.values).changes)),
		insert: async (into, rows) => {
			for (const {text, values} of chunkedInserts(into, rows)) attempt(() => prepared(text).run(...values));
		},
		close: async () => {
			kept.clear();
			attempt(() => database.close());
		},
	};
};
