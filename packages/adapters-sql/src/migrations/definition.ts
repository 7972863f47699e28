import type {Sql} from '../sql.ts';

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
	/** The key of its table by itself: a row that is inserted without it gets a number above those of the rows that are there. */
	| 'sequence'
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

/** An index of a table that is there already. */
export type AddedIndex = Readonly<{
	table: string;
	columns: readonly string[];
	/** Default: that of the table and the columns. No longer than 64 characters. */
	name?: string;
	/** Columns of the type `text` behind them: as much of each as the database can keep in an index. One index a column. */
	texts?: readonly string[];
	/**
	 * Only of the rows in which that column is set, where an index can be of some rows. Where none can, behind the column's
	 * flag, which is there already, unless the index begins with the column.
	 */
	where_set?: string;
}>;

/**
 * What takes the place of an index of the rows in which a column is set, where the database has no such index: one that
 * begins with a flag which says so. It replaces that of the same columns without the flag.
 */
export type FlaggedIndex = Readonly<{
	table: string;
	columns: readonly string[];
	where_set: string;
	/** No longer than 64 characters. */
	name: string;
}>;

export type Migration = Readonly<{
	name: string;
	tables?: readonly TableDefinition[];
	columns?: readonly AddedColumn[];
	indexes?: readonly AddedIndex[];
	flagged_indexes?: readonly FlaggedIndex[];
	/** What fills new tables from those that are there, unless they are full: in the SQL that all databases share. */
	fills?: readonly Sql[];
	/** Those that others made needless. */
	dropped_indexes?: readonly AddedIndex[];
}>;
