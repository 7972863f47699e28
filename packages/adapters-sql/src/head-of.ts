import {integer, raw, type Sql, sql} from './sql.ts';

/**
 * The beginning of a text kept as bytes, under the name of its column. No UTF-8 character is longer than four bytes, so
 * that many hold all that is asked for. SQLite's substr of an empty BLOB is NULL, so the column itself stands in.
 */
export const headOf = (column: string, characters: number): Sql =>
	sql`coalesce(substr(${raw(column)}, 1, ${integer(characters * 4)}), ${raw(column)}) AS ${raw(column)}`;
