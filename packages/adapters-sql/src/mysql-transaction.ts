import type {Transaction} from './connection.ts';
import type {Dialect} from './dialect.ts';
import {weightOf} from './mysql-script.ts';
import type {Answered, MysqlSession} from './mysql-session.ts';
import {join, raw, type Sql, type SqlValue, sql} from './sql.ts';
import {transactionOn, translated} from './transactions.ts';

/** What weighs more goes by itself, prepared: bytes take two digits each in a text, which the server reads one by one. */
const lightest = 16 * 1024;

/** What waits is sent once it weighs so much: a server takes 16 MiB in one packet unless it is told otherwise. */
const mostWaiting = 1024 * 1024;

/** Statements that wait take the way of the next one that is asked. */
const createQueue = (session: MysqlSession) => {
	let waiting: Sql[] = [];
	let weight = 0;
	const ask = async (statements: readonly Sql[]): Promise<readonly Answered[]> => {
		const before = waiting;
		[waiting, weight] = [[], 0];
		const all = [...before, ...statements];
		return all.length === 0 ? [] : (await session.together(all)).slice(before.length);
	};
	const later = async (statement: Sql): Promise<void> => {
		const more = weightOf(statement.values);
		if (weight + more > mostWaiting) await ask([]);
		waiting.push(statement);
		weight += more;
	};
	return {ask, later};
};

/** A transaction in which nothing takes a way to the server that need not; `commit` sends what is left, and then ends it. */
export const waitingTransaction = (
	session: MysqlSession,
	dialect: Dialect,
	clockOffset: () => number,
): Transaction & Readonly<{commit(): Promise<void>}> => {
	const {ask, later} = createQueue(session);
	const light = async (statement: Sql): Promise<void> => {
		if (weightOf(statement.values) <= lightest) return later(statement);
		await ask([]);
		await session.run(statement);
	};
	const insert = async (into: Sql, rows: readonly (readonly SqlValue[])[]) => {
		if (rows.reduce((sum, row) => sum + weightOf(row), 0) > lightest) {
			await ask([]);
			return session.insert(into, rows);
		}
		const tuples = rows.map((row) => sql`(${join(row, ', ')})`);
		return later(sql`${into} ${join(tuples, ', ')}`);
	};
	return {
		...transactionOn(session, dialect, clockOffset),
		all: async (statement) => (await translated(ask([statement])))[0]?.rows ?? [],
		run: async (statement) => (await translated(ask([statement])))[0]?.changed ?? 0,
		each: async (statements) => (await translated(ask(statements))).map(({rows}) => rows),
		later: async (statement) => translated(light(statement)),
		insert: async (table, records) => {
			if (records.length > 0) await translated(insert(table.into, records.map(table.tuple)));
		},
		commit: async () => {
			await translated(ask([raw('COMMIT')]));
		},
	};
};
