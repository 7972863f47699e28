import type {Connection as Client, QueryError, ResultSetHeader, RowDataPacket} from 'mysql2';
import {chunkedInserts} from './drivers/chunked-insert.ts';
import {scriptOf, weightOf} from './mysql-script.ts';
import type {Session} from './session.ts';
import {type Sql, type SqlValue, textOf} from './sql.ts';
import type {Row} from './table.ts';

type Answer = RowDataPacket[] | ResultSetHeader;

/** What a statement answered: rows, or how many it changed. */
export type Answered = Readonly<{rows: readonly Row[]; changed: number}>;

export type MysqlSession = Session &
	Readonly<{
		/** Runs statements in their order up to the first that fails, in one way to the server, without preparing them. */
		together(statements: readonly Sql[]): Promise<readonly Answered[]>;
	}>;

/** A server takes 16 MiB in one packet unless it is told otherwise. */
const mostBytes = 8 * 1024 * 1024;

/** A statement on its way costs more than one more that is kept prepared. */
const anySize = Array.from({length: 64}, (_, index) => 64 - index);

type Rows = readonly (readonly SqlValue[])[];

/** Rows that go into one packet together; one at least. */
const packets = function* (rows: Rows): Generator<Rows> {
	let start = 0;
	let bytes = 0;
	for (const [index, row] of rows.entries()) {
		const more = weightOf(row);
		if (index > start && bytes + more > mostBytes) {
			yield rows.slice(start, index);
			start = index;
			bytes = 0;
		}
		bytes += more;
	}
	yield rows.slice(start);
};

/** Whether one INSERT holds them. */
export const isOneInsert = (rows: Rows): boolean => rows.length <= anySize.length && [...packets(rows)].length === 1;

const answered = (answer: Answer): Answered =>
	Array.isArray(answer) ? {rows: answer, changed: 0} : {rows: [], changed: answer.affectedRows};

/** A connection of mysql2, past Sequelize. What binds values is prepared once and kept, unless it goes with others. */
export const mysqlSession = (client: Client): MysqlSession => {
	const ask = async (text: string, values: readonly SqlValue[]): Promise<Answer> =>
		new Promise((resolve, reject) => {
			const settle = (error: QueryError | null, answer: Answer) => (error ? reject(error) : resolve(answer));
			if (values.length === 0) client.query<Answer>(text, settle);
			else client.execute<Answer>(text, [...values], settle);
		});
	const askFor = async (statement: Sql): Promise<Answered> => answered(await ask(textOf(statement), statement.values));
	return {
		all: async (statement) => (await askFor(statement)).rows,
		run: async (statement) => (await askFor(statement)).changed,
		together: async (statements) => {
			const [only] = statements;
			if (only && statements.length === 1) return [await askFor(only)];
			const answers = await ask(scriptOf(statements, client), []);
			return (answers as unknown as readonly Answer[]).map(answered);
		},
		insert: async (into, rows) => {
			for (const packet of packets(rows)) {
				for (const {text, values} of chunkedInserts(into, packet, anySize)) await ask(text, values);
			}
		},
		close: async () => new Promise((resolve, reject) => client.end((error) => (error ? reject(error) : resolve()))),
	};
};
