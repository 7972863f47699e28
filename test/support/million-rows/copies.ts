import type {SeedEngine} from './seed-engine.ts';

/** Rows made of one that is there already: what is not set they have in common with it. */
export type Copies = Readonly<{
	table: string;
	/** Which row is copied. Left out: there is none, and every column is set. */
	of?: string;
	count: number;
	/** Columns, in terms of the number `i`, from 0 to below `count`, and of what is joined. */
	set: Readonly<Record<string, string>>;
	/** More tables, joined to the number. */
	joined?: string;
}>;

/** One INSERT for all. */
export const insertCopies = async (engine: SeedEngine, {table, of, count, set, joined = ''}: Copies): Promise<void> => {
	const columns = of === undefined ? Object.keys(set) : await engine.columnsOf(table);
	const values = columns.map((column) => set[column] ?? `original.${column}`);
	const original = of === undefined ? '' : `JOIN (SELECT * FROM ${table} WHERE ${of} LIMIT 1) original`;
	await engine.query(
		`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${engine.numbers(count)} n ${original} ${joined}`,
	);
};
