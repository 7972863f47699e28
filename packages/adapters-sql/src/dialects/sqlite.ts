import type {Dialect} from '../dialect.ts';
import type {TableDefinition} from '../migrations/definition.ts';
import {and, join, raw, type Sql, type SqlValue, sql} from '../sql.ts';
import {addedColumn, type ColumnTypes, createIndex, indexName, linesOf} from './schema.ts';

const sqliteTypes: ColumnTypes = {
	id: 'TEXT',
	code: 'TEXT',
	name: 'TEXT',
	text: 'TEXT',
	instant: 'TEXT',
	flag: 'INTEGER',
	integer: 'INTEGER',
	sequence: 'INTEGER',
	bytes: 'BLOB',
};

const createSqliteTable = (table: TableDefinition): readonly Sql[] => {
	const {name, key, is_clustered = false, indexes = [], indexes_where_set = {}} = table;
	// STRICT refuses a value of the wrong type instead of keeping it. A table whose key is more than an id is its own index:
	// half the pages to write.
	const options = key.length > 1 || is_clustered ? 'STRICT, WITHOUT ROWID' : 'STRICT';
	const partial = Object.entries(indexes_where_set).flatMap(([column, ofColumn]) =>
		ofColumn.map((index) => raw(`${createIndex({table: name, columns: index})} WHERE ${column} IS NOT NULL`)),
	);
	return [
		raw(`CREATE TABLE ${name} (${linesOf(sqliteTypes, table).join(', ')}) ${options}`),
		...indexes.map((index) => raw(createIndex({table: name, columns: index}))),
		...partial,
	];
};

export const sqliteDialect: Dialect = {
	now: (offset_ms) => sql`strftime('%Y-%m-%d %H:%M:%f', 'now', ${`${(offset_ms / 1000).toFixed(3)} seconds`})`,
	forUpdate: raw(''),
	claim: raw(''),
	foldsLater: false,
	lockRows: () => undefined,
	lockNumbers: () => undefined,
	addOrInsert: ({table, key, sums, insert}) => {
		const additions = sums.map((column) => raw(`${column} = ${table.texts[0]}.${column} + excluded.${column}`));
		return sql`${insert} ON CONFLICT (${raw(key.join(', '))}) DO UPDATE SET ${join(additions, ', ')}`;
	},
	setOrInsert: ({key, sets, insert}) => {
		const changes = sets.map((column) => raw(`${column} = excluded.${column}`));
		return sql`${insert} ON CONFLICT (${raw(key.join(', '))}) DO UPDATE SET ${join(changes, ', ')}`;
	},
	changeEach: ({table, key, sets, condition, rows}) =>
		rows.map((row) => {
			const equal = (column: string, value: SqlValue | undefined): Sql => sql`${raw(column)} = ${value ?? null}`;
			const changed = sets.map((column, index) => equal(column, row[key.length + index]));
			const named = key.map((column, index) => equal(column, row[index]));
			return sql`UPDATE ${table} SET ${join(changed, ', ')} WHERE ${and(named)} AND ${condition}`;
		}),
	fields: (json) => sql`(SELECT key AS name, value FROM json_each(${json}))`,
	isAfter: ([first, second], [one, two]) => sql`(${raw(first)}, ${raw(second)}) > (${one}, ${two})`,
	updateFrom: ({table, column, value, rows, on}) =>
		sql`UPDATE ${raw(table)} SET ${raw(column)} = ${value} FROM ${rows} f WHERE ${on}`,
	createTable: createSqliteTable,
	addColumn: (added) => addedColumn(sqliteTypes, added),
	addIndex: ({texts = [], where_set, ...added}) => {
		const where = where_set === undefined ? '' : ` WHERE ${where_set} IS NOT NULL`;
		return raw(`${createIndex({...added, columns: [...added.columns, ...texts]})}${where}`);
	},
	isText: (column, text) => sql`${raw(column)} = ${text}`,
	addFlaggedIndex: () => undefined,
	isSet: (column) => raw(`${column} IS NOT NULL`),
	distinctKeys: ({table, flag, column, where_set}) => {
		const nextOf = (value: 0 | 1, isNext: string) =>
			`SELECT MIN(t.${column}) AS next FROM ${table} t
				WHERE t.${where_set} IS NOT NULL AND t.${flag} = ${value} AND t.${column} ${isNext}`;
		const next = (isNext: string) => `(SELECT MIN(next) FROM (${nextOf(0, isNext)} UNION ALL ${nextOf(1, isNext)}))`;
		// The index is asked for the next key again and again.
		return raw(`(WITH RECURSIVE passed (${column}) AS (
			SELECT ${next(">= ''")} UNION ALL
			SELECT ${next(`> passed.${column}`)} FROM passed WHERE passed.${column} IS NOT NULL)
			SELECT ${column} FROM passed WHERE ${column} IS NOT NULL)`);
	},
	updateWhereIn: ({table, set, column, values}) =>
		sql`UPDATE ${raw(table)} SET ${set} WHERE ${raw(column)} IN (${values})`,
	deleteWhereIn: ({table, column, values}) => sql`DELETE FROM ${raw(table)} WHERE ${raw(column)} IN (${values})`,
	dropIndex: (index) => raw(`DROP INDEX ${indexName(index)}`),
	findTable: (name) => sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = ${name}`,
	findColumn: (table, column) => sql`SELECT name FROM pragma_table_info(${table}) WHERE name = ${column}`,
	findIndex: (index) => sql`SELECT name FROM sqlite_master WHERE type = 'index' AND name = ${indexName(index)}`,
};
