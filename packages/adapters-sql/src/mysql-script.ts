import type {Connection as Client} from 'mysql2';
import type {Sql, SqlValue} from './sql.ts';

/** Of the connection: what it puts before a quote is an escape by the `sql_mode` that it begins with. */
type Quoting = Pick<Client, 'escape'>;

const hexOf = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('hex');

const literal = (value: SqlValue, quoting: Quoting): string => {
	if (value === null) return 'NULL';
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? quoting.escape(value) : `x'${hexOf(value)}'`;
};

const write = ({texts, values}: Sql, quoting: Quoting): string => {
	let text = texts[0] ?? '';
	for (const [index, value] of values.entries()) text += `${literal(value, quoting)}${texts[index + 1]}`;
	return text;
};

/** Statements as one text, which the server runs in their order up to the first that fails. */
export const scriptOf = (statements: readonly Sql[], quoting: Quoting): string =>
	statements.map((statement) => write(statement, quoting)).join(';\n');

/** Characters and bytes that these take in a statement, about. */
export const weightOf = (values: readonly SqlValue[]): number => {
	let weight = 0;
	for (const value of values) if (value !== null && typeof value !== 'number') weight += value.length;
	return weight;
};
