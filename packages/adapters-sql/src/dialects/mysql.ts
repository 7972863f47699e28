import type {Dialect, RowChanges} from '../dialect.ts';
import type {AddedIndex, FlaggedIndex, TableDefinition} from '../migrations/definition.ts';
import {and, integer, join, raw, type Sql, type SqlValue, sql} from '../sql.ts';
import {addedColumn, type ColumnTypes, createIndex, indexName, linesOf} from './schema.ts';

/** DATETIME, not TIMESTAMP, which ends in 2038. An index takes no more than 3,072 bytes: four for each character. */
const mysqlTypes: ColumnTypes = {
	id: 'VARCHAR(64)',
	code: 'VARCHAR(128)',
	name: 'VARCHAR(320)',
	text: 'LONGTEXT',
	instant: 'DATETIME(3)',
	flag: 'TINYINT(1)',
	integer: 'BIGINT',
	sequence: 'BIGINT AUTO_INCREMENT',
	bytes: 'LONGBLOB',
};

/**
 * Compares byte for byte, trailing blanks too: MariaDB's and MySQL's name of it. One for all text: where two meet in a
 * comparison, no index serves it.
 */
export type Collation = 'utf8mb4_nopad_bin' | 'utf8mb4_0900_bin';

/** One statement, and none if the table is there: MySQL commits at each, so that a migration may find itself half done. */
const createMysqlTable = (table: TableDefinition, collation: Collation): readonly Sql[] => {
	const {name, indexes = [], indexes_where_set = {}} = table;
	// There are no partial indexes. Queries name the column in their WHERE either way.
	const all = [...indexes, ...Object.values(indexes_where_set).flat()];
	const lines = [
		...linesOf(mysqlTypes, table),
		...all.map((index) => `KEY ${indexName({table: name, columns: index})} (${index.join(', ')})`),
	];
	const options = `ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`;
	return [raw(`CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}) ${options}`)];
};

/** Characters of a text that stand in an index, in a column of their own. */
const headLength = 128;

const headColumn = (column: string): string => `${column}_head`;

const flag = (column: string): string => `${column}_is_set`;

/** One statement, which is done as a whole or not at all. */
const addMysqlIndex = ({texts = [], where_set, ...added}: AddedIndex): Sql => {
	if (where_set !== undefined && where_set !== added.columns[0])
		return raw(createIndex({...added, columns: [flag(where_set), ...added.columns]}));
	if (texts.length === 0) return raw(createIndex(added));
	const heads = texts.map(
		(text) => `ADD COLUMN ${headColumn(text)} VARCHAR(${headLength}) AS (LEFT(${text}, ${headLength})) STORED`,
	);
	const columns = [...added.columns, ...texts.map(headColumn)];
	return raw(`ALTER TABLE ${added.table} ${heads.join(', ')}, ADD INDEX ${indexName(added)} (${columns.join(', ')})`);
};

/** The head of a longer text is as long as a head may be: a shorter one is the whole. */
const isMysqlText = (column: string, text: string): Sql => {
	const head = raw(headColumn(column));
	if (text.length < headLength) return sql`${head} = ${text}`;
	return sql`${head} = LEFT(${text}, ${integer(headLength)}) AND ${raw(column)} = ${text}`;
};

/** One statement, which is done as a whole or not at all. */
const addMysqlFlaggedIndex = ({table, columns, where_set, name}: FlaggedIndex) => {
	const flagged = [flag(where_set), ...columns].join(', ');
	const column = `${flag(where_set)} TINYINT(1) AS (IF(${where_set} IS NULL, NULL, 1)) STORED`;
	const replaced = indexName({table, columns});
	const change = raw(
		`ALTER TABLE ${table} ADD COLUMN ${column}, ADD INDEX ${name} (${flagged}), DROP INDEX ${replaced}`,
	);
	return {flag: flag(where_set), change};
};

const insertOr = (insert: Sql, changes: readonly string[]): Sql =>
	sql`${insert} ON DUPLICATE KEY UPDATE ${raw(changes.join(', '))}`;

const isSame = (a: SqlValue | undefined, b: SqlValue | undefined): boolean =>
	a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0);

/** The value of one column in each row; that of all, where they have the same. */
const changedTo = (place: Sql, values: readonly SqlValue[]): Sql => {
	const [first = null] = values;
	return values.every((value) => isSame(value, first)) ? sql`${first}` : sql`ELT(${place}, ${join(values, ', ')})`;
};

/** Joined with a derived table of the values it takes twice as long: texts of any length are kept in a file there. */
const changeMysqlRows = ({table, key, sets, condition, rows}: RowChanges): Sql => {
	const last = key.length - 1;
	const place = sql`FIELD(${raw(key[last] ?? '')}, ${join(
		rows.map((row) => row[last] ?? null),
		', ',
	)})`;
	const changes = sets.map((column, index) => {
		const values = rows.map((row) => row[key.length + index] ?? null);
		return sql`${raw(column)} = ${changedTo(place, values)}`;
	});
	// By `(a, b) IN ((?, ?))` MariaDB would read the whole table.
	const named = rows.map((row) => and(key.map((column, index) => sql`${raw(column)} = ${row[index] ?? null}`)));
	return sql`UPDATE ${table} SET ${join(changes, ', ')} WHERE (${join(named, ' OR ')}) AND ${condition}`;
};

/** It takes no names of fields out of an object: the names go in as values. */
const fieldsOf = (json: string, collation: Collation): Sql => {
	const fields = JSON.stringify(Object.entries(JSON.parse(json)));
	const columns = ['name', 'value'].map(
		(name, index) => `${name} VARCHAR(256) COLLATE ${collation} PATH '$[${index}]'`,
	);
	const table = sql`JSON_TABLE(${fields}, '$[*]' COLUMNS (${raw(columns.join(', '))})) fields`;
	return sql`(SELECT name, value FROM ${table})`;
};

const ofThisDatabase = raw('table_schema = DATABASE()');

/** What changes and asks for the schema. */
const schemaStatements = (collation: Collation) =>
	({
		createTable: (table) => createMysqlTable(table, collation),
		addColumn: (added) => addedColumn(mysqlTypes, added),
		addIndex: addMysqlIndex,
		addFlaggedIndex: addMysqlFlaggedIndex,
		dropIndex: (index) => raw(`DROP INDEX ${indexName(index)} ON ${index.table}`),
		findTable: (name) =>
			sql`SELECT table_name FROM information_schema.tables WHERE ${ofThisDatabase} AND table_name = ${name}`,
		findColumn: (table, column) =>
			sql`SELECT column_name FROM information_schema.columns
			WHERE ${ofThisDatabase} AND table_name = ${table} AND column_name = ${column}`,
		findIndex: (index) =>
			sql`SELECT index_name FROM information_schema.statistics
			WHERE ${ofThisDatabase} AND table_name = ${index.table} AND index_name = ${indexName(index)}`,
	}) satisfies Partial<Dialect>;

export const createMysqlDialect = (collation: Collation): Dialect => ({
	// Its result has as many digits as SQLite's text, in production without an addition.
	now: (offset_ms) =>
		offset_ms === 0
			? raw('UTC_TIMESTAMP(3)')
			: sql`CAST(UTC_TIMESTAMP(3) + INTERVAL ${integer(Math.round(offset_ms) * 1000)} MICROSECOND AS DATETIME(3))`,
	forUpdate: raw('FOR UPDATE'),
	claim: raw('FOR UPDATE SKIP LOCKED'),
	foldsLater: true,
	// In one order, so that two who lock several do not wait for each other.
	lockRows: (table, ids) => sql`SELECT id FROM ${raw(table)} WHERE id IN ${ids} ORDER BY id FOR UPDATE`,
	lockNumbers: (table, numbers) => {
		const rows = numbers.map((number) => `(${number})`);
		return raw(
			`INSERT INTO ${table} (number) VALUES ${rows.join(', ')} ON DUPLICATE KEY UPDATE number = VALUES(number)`,
		);
	},
	addOrInsert: ({sums, insert}) =>
		insertOr(
			insert,
			sums.map((column) => `${column} = ${column} + VALUES(${column})`),
		),
	setOrInsert: ({sets, insert}) =>
		insertOr(
			insert,
			sets.map((column) => `${column} = VALUES(${column})`),
		),
	changeEach: (changes) => [changeMysqlRows(changes)],
	fields: (json) => fieldsOf(json, collation),
	isAfter: ([first, second], [one, two]) =>
		sql`${raw(first)} >= ${one} AND (${raw(first)} > ${one} OR ${raw(second)} > ${two})`,
	updateFrom: ({table, column, value, rows, on}) =>
		sql`UPDATE ${raw(table)} JOIN ${rows} f ON ${on} SET ${raw(`${table}.${column}`)} = ${value}`,
	isText: isMysqlText,
	isSet: (column) => raw(`${flag(column)} = 1`),
	distinctKeys: ({table, flag: second, column, where_set}) => {
		const keysOf = (value: 0 | 1) =>
			`SELECT ${column} FROM ${table} WHERE ${flag(where_set)} = 1 AND ${second} = ${value}
				GROUP BY ${flag(where_set)}, ${second}, ${column}`;
		return raw(`(${keysOf(0)} UNION ${keysOf(1)})`);
	},
	// A subquery in its WHERE would have it read the whole table.
	updateWhereIn: ({table, set, column, values}) =>
		sql`UPDATE ${raw(table)} JOIN (${values}) named ON ${raw(`${table}.${column}`)} = named.value SET ${set}`,
	deleteWhereIn: ({table, column, values}) =>
		sql`DELETE ${raw(table)} FROM ${raw(table)} JOIN (${values}) named ON ${raw(`${table}.${column}`)} = named.value`,
	...schemaStatements(collation),
});
