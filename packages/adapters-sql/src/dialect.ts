import type {AddedColumn, AddedIndex, FlaggedIndex, TableDefinition} from './migrations/definition.ts';
import type {Sql, SqlValue} from './sql.ts';

export type Addition = Readonly<{
	table: Sql;
	key: readonly string[];
	/** Columns that are added to what the row has. */
	sums: readonly string[];
	/** The whole INSERT up to its last value. */
	insert: Sql;
}>;

export type Replacement = Readonly<{
	key: readonly string[];
	/** Columns that take the place of what the row has. */
	sets: readonly string[];
	/** The whole INSERT up to its last value. */
	insert: Sql;
}>;

export type RowChanges = Readonly<{
	table: Sql;
	key: readonly string[];
	sets: readonly string[];
	/** What else holds of a row that is changed. */
	condition: Sql;
	/** Of each row, once, the values of its key and then those that are set. The last of its key tells it from the others. */
	rows: readonly (readonly SqlValue[])[];
}>;

/**
 * Everything in which SQLite differs from MySQL and MariaDB ("MySQL" below means both), and nothing else: all other SQL
 * of this package is the part that they share.
 *
 * - No statement uses RETURNING: MySQL has none, MariaDB not for UPDATE. A guarded UPDATE is followed by a SELECT.
 * - No decision leans on an isolation level: what was read is judged again by the UPDATE, or held by `forUpdate`.
 * - Tables and columns are never quoted, so none is a reserved word of either (`key` is `variable_key`).
 * - How each is connected to (FOUND_ROWS, instants as text, retries after a deadlock) stands in sqlite-connection.ts and
 *   mysql-connection.ts; what their errors mean, in translate-error.ts.
 */
export type Dialect = Readonly<{
	/** The database's time plus an offset in milliseconds, as a value that compares with a stored instant. */
	now(offset_ms: number): Sql;
	/** Ends a SELECT whose rows nobody may change before this transaction ends. SQLite has one writer, so nobody can. */
	forUpdate: Sql;
	/**
	 * Ends a SELECT of what is free, of which any will do: what another transaction has locked is passed over instead of
	 * waited for.
	 */
	claim: Sql;
	/** Whether what calls add to the rollups stands in their rows until it is folded in: where each statement is a way to a server. */
	foldsLater: boolean;
	/** The statement that holds the rows with these ids, a list or a SELECT, for this transaction. SQLite needs none. */
	lockRows(table: string, ids: Sql): Sql | undefined;
	/**
	 * The statement that holds numbers for this transaction, which are rows of that table only while they are of use.
	 * SQLite needs none.
	 */
	lockNumbers(table: string, numbers: readonly number[]): Sql | undefined;
	/** Inserts rows, or adds to those whose key exists. */
	addOrInsert(addition: Addition): Sql;
	/** Inserts rows, or sets columns of those whose key exists. */
	setOrInsert(replacement: Replacement): Sql;
	/** The statements that change rows, each to values of its own: few where a statement costs a way to the server. */
	changeEach(changes: RowChanges): readonly Sql[];
	/** The fields of a JSON object of texts and nulls, each a row with `name` and `value`, as a table in FROM. */
	fields(json: string): Sql;
	/** Holds behind that place in the order of two columns, in the way in which an index of them is entered there. */
	isAfter(columns: readonly [string, string], place: readonly [SqlValue, SqlValue]): Sql;
	/** Sets a column of a table to a value of `f`, a table in FROM, where they belong together. */
	updateFrom(update: Readonly<{table: string; column: string; value: Sql; rows: Sql; on: Sql}>): Sql;
	/** The statements that make a table. */
	createTable(table: TableDefinition): readonly Sql[];
	/** The statement that gives a table one more column. */
	addColumn(added: AddedColumn): Sql;
	/** The statement that gives a table one more index. MySQL keeps of a `text` in one only the head. */
	addIndex(added: AddedIndex): Sql;
	/** Whether a column of the type `text` that stands in an index holds that text. */
	isText(column: string, text: string): Sql;
	/**
	 * The statement that makes one, and the column of its flag: it is there once that was done, also when a later migration
	 * dropped the index. SQLite has the index whose place it takes.
	 */
	addFlaggedIndex(index: FlaggedIndex): Readonly<{flag: string; change: Sql}> | undefined;
	/** Holds where that column is set, which a flagged index says of it: the index is used. */
	isSet(column: string): Sql;
	/**
	 * A derived table of the values of an index's second column behind a flag, each once, where another column is set:
	 * however many rows have the same one. MySQL passes them over by itself.
	 */
	distinctKeys(of: Readonly<{table: string; flag: string; column: string; where_set: string}>): Sql;
	/** Changes the rows in which a column has one of the values that a SELECT of one `value` answers. */
	updateWhereIn(update: Readonly<{table: string; set: Sql; column: string; values: Sql}>): Sql;
	/** Deletes the rows in which a column has one of the values that a SELECT of one `value` answers. */
	deleteWhereIn(deletion: Readonly<{table: string; column: string; values: Sql}>): Sql;
	dropIndex(index: AddedIndex): Sql;
	/** Answers a row if there is a table of that name. */
	findTable(name: string): Sql;
	/** Answers a row if that table has that column. */
	findColumn(table: string, column: string): Sql;
	/** Answers a row if that table has that index. */
	findIndex(index: AddedIndex): Sql;
}>;
