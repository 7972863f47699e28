import type {AddedColumn, AddedIndex, ColumnType, TableDefinition} from '../migrations/definition.ts';
import {raw, type Sql} from '../sql.ts';

/** How a database spells what a column holds. */
export type ColumnTypes = Readonly<Record<ColumnType, string>>;

const columnOf = (types: ColumnTypes, name: string, type: string): string => {
	const nullable = type.endsWith('?');
	return `${name} ${types[type.replace('?', '') as ColumnType]}${nullable ? '' : ' NOT NULL'}`;
};

export const addedColumn = (types: ColumnTypes, {table, column, type, initially}: AddedColumn): Sql =>
	raw(`ALTER TABLE ${table} ADD COLUMN ${columnOf(types, column, type)} DEFAULT ${initially ?? 'NULL'}`);

/** What a table holds, in the words that both have for it. */
export const linesOf = (
	types: ColumnTypes,
	{name, columns, key, unique = [], belongs_to = {}}: TableDefinition,
): string[] => [
	...Object.entries(columns).map(([column, type]) => columnOf(types, column, type)),
	`PRIMARY KEY (${key.join(', ')})`,
	// By the columns in its name an error says what was taken.
	...unique.map((each) => `CONSTRAINT ${name}_unique_${each.join('_')} UNIQUE (${each.join(', ')})`),
	...Object.entries(belongs_to).map(
		([column, table]) => `FOREIGN KEY (${column}) REFERENCES ${table} (id) ON DELETE CASCADE`,
	),
];

export const indexName = ({table, columns, name}: AddedIndex): string => name ?? `${table}_by_${columns.join('_')}`;

export const createIndex = (index: AddedIndex): string =>
	`CREATE INDEX ${indexName(index)} ON ${index.table} (${index.columns.join(', ')})`;

/** SQLite compares text byte for byte. */
