/** What a column holds; the dialect says how its database spells that. A `?` allows null. */
export type ColumnType =
	/** Identifier: up to 64 ASCII characters, compared byte for byte. */
	| 'id'
	/** Digest, slug, prefix, status and the like: up to 128 ASCII characters, compared byte for byte. */
	| 'code'
	/** Up to 320 characters of any script that are compared byte for byte: addresses, keys. */
	| 'name'
	/** Text of any length that is only read back. */
	| 'text'
	| 'instant'
	| 'flag'
	| 'integer'
	| 'bytes';

export type TableDefinition = Readonly<{
	name: string;
	columns: Readonly<Record<string, ColumnType | `${ColumnType}?`>>;
	key: readonly string[];
	/** Kept in the order of its key, also when that is only an id: for small rows that are looked up and changed by it. */
	is_clustered?: boolean;
	unique?: readonly (readonly string[])[];
	indexes?: readonly (readonly string[])[];
	/** Column to indexes of the rows in which it is not null, where the database can leave out the others. */
	indexes_where_set?: Readonly<Record<string, readonly (readonly string[])[]>>;
	/** Column to the table whose `id` it names; rows go with the row they name. */
	belongs_to?: Readonly<Record<string, string>>;
}>;

/** A column that a table of an earlier migration gets. */
export type AddedColumn = Readonly<{
	table: string;
	column: string;
	type: ColumnType | `${ColumnType}?`;
	/** What it holds in the rows that are there: a number, or null where the type allows it. */
	initially: number | null;
}>;

export type Migration = Readonly<{
	name: string;
	tables?: readonly TableDefinition[];
	columns?: readonly AddedColumn[];
}>;
