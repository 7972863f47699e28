import type {AddedColumn, ColumnType, TableDefinition} from './migrations/definition.ts';
import {join, raw, type Sql, sql} from './sql.ts';

type Addition = Readonly<{
	table: Sql;
	key: readonly string[];
	/** Columns that are added to what the row has. */
	sums: readonly string[];
	/** The whole INSERT up to its last value. */
	insert: Sql;
}>;

type Replacement = Readonly<{
	key: readonly string[];
	/** Columns that take the place of what the row has. */
	sets: readonly string[];
	/** The whole INSERT up to its last value. */
	insert: Sql;
}>;

/**
 * Everything in which SQLite differs from MySQL and MariaDB, and nothing else: all other SQL of this package is the part
 * that they share. The notes say what the MySQL side has to put there.
 *
 * - No statement uses RETURNING: MySQL has none, MariaDB not for UPDATE. A guarded UPDATE is followed by a SELECT.
 * - No decision leans on an isolation level: what was read is judged again by the UPDATE, or held by `forUpdate`.
 * - Tables and columns are never quoted, so none is a reserved word of either (`key` is `variable_key`).
 * - MySQL must count matched rows, as SQLite does, not changed ones: connect with the flag FOUND_ROWS, and with
 *   `dateStrings`, since instants are read as text.
 */
export type Dialect = Readonly<{
	/**
	 * The database's time plus an offset in milliseconds, as a value that compares with a stored instant.
	 * MySQL: `UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND`.
	 */
	now(offset_ms: number): Sql;
	/**
	 * Ends a SELECT whose rows nobody may change before this transaction ends. SQLite has one writer, so nobody can.
	 * MySQL: `FOR UPDATE`.
	 */
	forUpdate: Sql;
	/** The statement that holds one row for this transaction. SQLite needs none. MySQL: `SELECT ... WHERE id = ? FOR UPDATE`. */
	lockRow(table: string, id: string): Sql | undefined;
	/** Inserts rows, or adds to those whose key exists. MySQL: `ON DUPLICATE KEY UPDATE a = a + VALUES(a)`. */
	addOrInsert(addition: Addition): Sql;
	/** Inserts rows, or sets columns of those whose key exists. MySQL: `ON DUPLICATE KEY UPDATE a = VALUES(a)`. */
	setOrInsert(replacement: Replacement): Sql;
	/**
	 * The arrays of a JSON array as the rows of a table, to be named in FROM, with their `place` from 0 on. Their order in a
	 * join is kept by CROSS JOIN and LEFT JOIN. MySQL: `JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, ...))`.
	 */
	records(json: string, columns: readonly string[]): Sql;
	/** The statements that make a table. */
	createTable(table: TableDefinition): readonly Sql[];
	/** The statement that gives a table one more column, the same in MySQL. */
	addColumn(added: AddedColumn): Sql;
	/** Answers a row if there is a table of that name. MySQL: information_schema. */
	findTable(name: string): Sql;
}>;

/**
 * STRICT, so that a value of the wrong type is refused instead of kept. SQLite compares text byte for byte. MySQL: `id`
 * and `code` are VARCHAR ascii_bin, `name` is VARCHAR(320) utf8mb4_bin, `text` LONGTEXT utf8mb4_bin, `bytes` LONGBLOB,
 * `instant` DATETIME(3), `flag` TINYINT(1), `integer` BIGINT. Its _bin collations ignore trailing blanks: what a caller
 * chooses freely and a decision compares (tool names, idempotency keys) is therefore kept as a digest.
 */
const columnTypes: Readonly<Record<ColumnType, string>> = {
	id: 'TEXT',
	code: 'TEXT',
	name: 'TEXT',
	text: 'TEXT',
	instant: 'TEXT',
	flag: 'INTEGER',
	integer: 'INTEGER',
	bytes: 'BLOB',
};

const columnOf = (name: string, type: string): string => {
	const nullable = type.endsWith('?');
	return `${name} ${columnTypes[type.replace('?', '') as ColumnType]}${nullable ? '' : ' NOT NULL'}`;
};

const createTable = ({name, columns, key, ...rest}: TableDefinition): readonly Sql[] => {
	const lines = [
		...Object.entries(columns).map(([column, type]) => columnOf(column, type)),
		`PRIMARY KEY (${key.join(', ')})`,
		...(rest.unique ?? []).map((unique) => `UNIQUE (${unique.join(', ')})`),
		...Object.entries(rest.belongs_to ?? {}).map(
			([column, table]) => `FOREIGN KEY (${column}) REFERENCES ${table} (id) ON DELETE CASCADE`,
		),
	];
	// A table that is its own index where the key is more than an id: half the pages to write. MySQL: always so.
	const options = key.length > 1 || rest.is_clustered ? 'STRICT, WITHOUT ROWID' : 'STRICT';
	const createIndex = (index: readonly string[]): string =>
		`CREATE INDEX ${name}_by_${index.join('_')} ON ${name} (${index.join(', ')})`;
	const indexes = (rest.indexes ?? []).map((index) => raw(createIndex(index)));
	// MySQL: the whole index. Queries name the column in their WHERE either way.
	const partial = Object.entries(rest.indexes_where_set ?? {}).flatMap(([column, ofColumn]) =>
		ofColumn.map((index) => raw(`${createIndex(index)} WHERE ${column} IS NOT NULL`)),
	);
	return [raw(`CREATE TABLE ${name} (${lines.join(', ')}) ${options}`), ...indexes, ...partial];
};

export const sqliteDialect: Dialect = {
	now: (offset_ms) => sql`strftime('%Y-%m-%d %H:%M:%f', 'now', ${`${(offset_ms / 1000).toFixed(3)} seconds`})`,
	forUpdate: raw(''),
	lockRow: () => undefined,
	addOrInsert: ({table, key, sums, insert}) => {
		const additions = sums.map((column) => raw(`${column} = ${table.texts[0]}.${column} + excluded.${column}`));
		return sql`${insert} ON CONFLICT (${raw(key.join(', '))}) DO UPDATE SET ${join(additions, ', ')}`;
	},
	setOrInsert: ({key, sets, insert}) => {
		const changes = sets.map((column) => raw(`${column} = excluded.${column}`));
		return sql`${insert} ON CONFLICT (${raw(key.join(', '))}) DO UPDATE SET ${join(changes, ', ')}`;
	},
	records: (json, columns) => {
		const values = columns.map((column, index) => `, value ->> ${index} AS ${column}`);
		return sql`(SELECT key AS place${raw(values.join(''))} FROM json_each(${json}))`;
	},
	createTable,
	addColumn: ({table, column, type, initially}) =>
		raw(`ALTER TABLE ${table} ADD COLUMN ${columnOf(column, type)} DEFAULT ${initially ?? 'NULL'}`),
	findTable: (name) => sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = ${name}`,
};
