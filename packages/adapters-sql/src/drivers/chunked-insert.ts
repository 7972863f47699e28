import type {Sql, SqlValue} from '../sql.ts';

type Tuples = readonly (readonly SqlValue[])[];

/** Rows of one INSERT: few sizes, so that all stay prepared. More rows gain nothing. */
const fewSizes = [32, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];

const chunksOf = function* (rows: Tuples, sizes: readonly number[]): Generator<Tuples> {
	let start = 0;
	for (const size of sizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
};

/** By what they begin with, which each table has once, and their number of rows. */
const written = new WeakMap<Sql, Map<number, string>>();

const writeInsert = ({texts}: Sql, rows: Tuples): string => {
	const tuple = `(${Array(rows[0]?.length).fill('?').join(', ')})`;
	return `${texts[0]} ${Array(rows.length).fill(tuple).join(', ')}`;
};

const insertText = (into: Sql, rows: Tuples): string => {
	const known = written.get(into) ?? new Map<number, string>();
	const text = known.get(rows.length) ?? writeInsert(into, rows);
	written.set(into, known.set(rows.length, text));
	return text;
};

/**
 * The INSERTs of these rows, and what each binds: a statement for a few rows costs less than one for each.
 * @param sizes Rows that an INSERT may have, falling, down to 1.
 */
export const chunkedInserts = function* (
	into: Sql,
	rows: Tuples,
	sizes: readonly number[] = fewSizes,
): Generator<Readonly<{text: string; values: readonly SqlValue[]}>> {
	for (const chunk of chunksOf(rows, sizes)) yield {text: insertText(into, chunk), values: chunk.flat()};
};
