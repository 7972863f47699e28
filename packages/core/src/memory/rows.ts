import {DomainError} from '../errors.ts';
import type {Page, PageRequest} from '../values/page.ts';

/** What goes in or out of the store: nobody outside holds a reference into it. */
export const copyOf = <T>(row: T): T => structuredClone(row);

export const rowsWhere = <T>(table: ReadonlyMap<string, T>, holds: (row: T) => boolean): T[] =>
	[...table.values()].filter(holds);

export const firstWhere = <T>(table: ReadonlyMap<string, T>, holds: (row: T) => boolean): T | undefined =>
	rowsWhere(table, holds).at(0);

export const deleteWhere = <T>(table: Map<string, T>, holds: (row: T) => boolean): number => {
	let deleted = 0;
	for (const [key, row] of table) {
		if (holds(row) && table.delete(key)) deleted += 1;
	}
	return deleted;
};

/** Replaces each row that holds; answers the new rows. */
export const updateWhere = <T>(table: Map<string, T>, holds: (row: T) => boolean, change: (row: T) => T): T[] => {
	const changed: T[] = [];
	for (const [key, row] of table) {
		if (!holds(row)) continue;
		const next = change(row);
		table.set(key, next);
		changed.push(next);
	}
	return changed;
};

/** The row with the fields that the change names; a field that is undefined keeps its value. */
export const merged = <T extends object>(row: T, change: {readonly [K in keyof T]?: T[K] | undefined}): T => {
	const named = Object.entries(change).filter(([, value]) => value !== undefined);
	return {...row, ...(Object.fromEntries(named) as Partial<T>)};
};

type Dated = Readonly<{created_at: string; id: string}>;

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const oldestFirst = (a: Dated, b: Dated): number =>
	compareText(a.created_at, b.created_at) || compareText(a.id, b.id);

export const newestFirst = (a: Dated, b: Dated): number => oldestFirst(b, a);

/** Orders by the named text fields, one after the other. */
export const by =
	<K extends string>(...fields: readonly K[]) =>
	(a: Readonly<Record<K, string>>, b: Readonly<Record<K, string>>): number => {
		for (const field of fields) {
			const order = compareText(a[field], b[field]);
			if (order !== 0) return order;
		}
		return 0;
	};

/** The page of rows that are sorted already. */
export const pageOf = <T>(sorted: readonly T[], {limit, offset}: PageRequest): Page<T> => ({
	data: sorted.slice(offset, offset + limit).map(copyOf),
	total: sorted.length,
	limit,
	offset,
});

/** The error for a value that must be unique and is not. */
export const taken = (path: string): DomainError =>
	new DomainError('resource_exists', {details: [{path, message: 'is taken'}]});
