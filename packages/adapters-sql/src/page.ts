import type {Page, PageRequest} from '@signalbox/core';
import {count, type Reader} from './connection.ts';
import {integer, raw, type Sql, sql} from './sql.ts';
import type {Row, Table} from './table.ts';

type Selection = Readonly<{
	table: Sql;
	columns: Sql;
	condition: Sql;
	/** What the newest have most of. Default: created_at. */
	by?: Sql;
}>;

/** Where the rows of a page stand, from the end that is nearer: what lies before it has to be passed over. */
const placeOf = ({limit, offset}: PageRequest, total: number) => {
	const older = Math.max(0, total - offset - limit);
	return offset <= older
		? {order: raw('DESC'), limit: integer(limit), offset: integer(offset)}
		: {order: raw('ASC'), limit: integer(Math.min(limit, total - offset)), offset: integer(older)};
};

type Place = ReturnType<typeof placeOf>;

/**
 * Ids of a page come from an index that has all that is asked for; rows are read for those of the page only, not for those
 * that are passed over.
 */
const selectPage = (
	{table, columns, condition, by = raw('created_at')}: Selection,
	{order, limit, offset}: Place,
): Sql =>
	sql`SELECT ${columns} FROM (SELECT id AS page_id FROM ${table} WHERE ${condition}
			ORDER BY ${by} ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}) page
		CROSS JOIN ${table} ON ${table}.id = page.page_id ORDER BY ${by} DESC, id DESC`;

/** One page of the rows that match, newest first, then by id. */
export const newestRows = async (reader: Reader, selection: Selection, page: PageRequest): Promise<Page<Row>> => {
	const {table, condition} = selection;
	const {limit, offset} = page;
	const countAll = async () => count(reader, sql`SELECT COUNT(*) AS count FROM ${table} WHERE ${condition}`);
	if (offset === 0) {
		const data = await reader.all(selectPage(selection, placeOf(page, Number.POSITIVE_INFINITY)));
		return {data, total: data.length < limit ? data.length : await countAll(), limit, offset};
	}
	const total = await countAll();
	const data = offset < total ? await reader.all(selectPage(selection, placeOf(page, total))) : [];
	return {data, total, limit, offset};
};

/** The same as records. */
export const newestPage = async <T>(
	reader: Reader,
	{table, ...selection}: Readonly<{table: Table<T>; condition: Sql; by?: Sql}>,
	page: PageRequest,
): Promise<Page<T>> => {
	const {data, ...bounds} = await newestRows(reader, {...selection, table: table.name, columns: table.columns}, page);
	return {...bounds, data: data.map(table.read)};
};
