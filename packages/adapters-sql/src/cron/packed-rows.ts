import type {Dialect} from '../dialect.ts';
import {join, raw, type Sql, sql} from '../sql.ts';

/** A value that all rows have, or where it stands in what they have each: to its end without `length`. */
type Column = string | Readonly<{from: number; length: number | undefined}>;

/**
 * Rows under a name each, as the database takes them out of one text that is bound: thousands take one statement. What all
 * share is not repeated, and the rest stands side by side: an array for each row takes the database ten times as long to read.
 */
export type PackedRows = Readonly<{
	/** JSON: by the name of a row, what it does not share. */
	cells: string;
	size: number;
	columns: Readonly<Record<string, Column>>;
}>;

type Cells = readonly [name: string, ...values: readonly string[]];

const placesOf = (names: readonly string[], rows: readonly Cells[]): readonly (readonly [string, Column])[] => {
	const [first] = rows;
	let from = 1;
	return names.map((name, index) => {
		const value = first?.[index + 1] ?? '';
		if (rows.every((row) => row[index + 1] === value)) return [name, value];
		const column = {from, length: index === names.length - 1 ? undefined : value.length};
		from += value.length;
		return [name, column];
	});
};

/** As JSON.stringify writes an object of them, without making one. */
const objectOf = (fields: readonly (readonly [name: string, value: string])[]): string =>
	`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

/** @param rows Each begins with its name. The values of a column, but for the last one, are of one length. */
export const packRows = (names: readonly string[], rows: readonly Cells[]): PackedRows => {
	const places = placesOf(names, rows);
	const own = places.flatMap(([, column], index) => (typeof column === 'string' ? [] : [index + 1]));
	const cells = rows.map((row) => [row[0], own.map((index) => row[index]).join('')] as const);
	return {cells: objectOf(cells), size: rows.length, columns: Object.fromEntries(places)};
};

const cellOf = ([name, column]: readonly [string, Column]): Sql => {
	if (typeof column === 'string') return sql`, ${column} AS ${raw(name)}`;
	const end = column.length === undefined ? '' : `, ${column.length}`;
	return raw(`, SUBSTR(packed.value, ${column.from}${end}) AS ${name}`);
};

/** The rows as a table in FROM. Their order in a join is kept by CROSS JOIN and LEFT JOIN. */
export const tableOf = (dialect: Dialect, {cells, columns}: PackedRows): Sql =>
	sql`(SELECT packed.name AS name${join(Object.entries(columns).map(cellOf), '')} FROM ${dialect.fields(cells)} packed)`;

/** The rows that those names have, and all others. */
export const splitRows = (rows: PackedRows, names: ReadonlySet<string>) => {
	if (names.size === 0) return {named: {...rows, cells: '{}', size: 0}, others: rows};
	const fields = Object.entries<string>(JSON.parse(rows.cells));
	const rowsWhere = (isNamed: boolean): PackedRows => {
		const cells = fields.filter(([name]) => names.has(name) === isNamed);
		return {...rows, cells: objectOf(cells), size: cells.length};
	};
	return {named: rowsWhere(true), others: rowsWhere(false)};
};
