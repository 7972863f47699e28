import type {Page, PageRequest} from '@signalbox/core';
import {count, type Reader} from './connection.ts';
import {integer, raw, type Sql, sql} from './sql.ts';
import type {Table} from './table.ts';

/** One page of the rows that match, newest first by `by` (default: created_at), then id. */
export const newestPage = async <T>(
	reader: Reader,
	selection: Readonly<{table: Table<T>; condition: Sql; by?: Sql}>,
	{limit, offset}: PageRequest,
): Promise<Page<T>> => {
	const {table, condition, by = raw('created_at')} = selection;
	const rows = await reader.all(
		sql`SELECT ${table.columns} FROM ${table.name} WHERE ${condition}
			ORDER BY ${by} DESC, id DESC LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
	);
	const total = await count(reader, sql`SELECT COUNT(*) AS count FROM ${table.name} WHERE ${condition}`);
	return {data: rows.map(table.read), total, limit, offset};
};
