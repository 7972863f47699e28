import {integer, raw, type Sql, sql} from './sql.ts';

/** So many bytes of a column, under its name. SQLite's substr of an empty BLOB is NULL, so the column itself stands in. */
export const beginningOf = (column: string, bytes: Sql): Sql =>
	sql`coalesce(substr(${raw(column)}, 1, ${bytes}), ${raw(column)}) AS ${raw(column)}`;

/** No UTF-8 character is longer than that. */
export const bytesPerCharacter = 4;

/**
 * The beginning of a text kept as bytes: so many of them hold all the characters that are asked for.
 * @param characters Default: all.
 */
export const headOf = (column: string, characters?: number): Sql =>
	characters === undefined ? raw(column) : beginningOf(column, integer(characters * bytesPerCharacter));
