import {type Instant, instantOf, millisecondsOf, type Sealed} from '@signalbox/core';
import {join, raw, type Sql, type SqlValue, sql} from './sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/** How one field of a record is kept in one or more columns. */
export type Codec<T> = Readonly<{
	columns(field: string): readonly string[];
	write(value: T): readonly SqlValue[];
	read(columns: readonly unknown[]): T;
	/** The same where it is one column, without a list around it: a row of the log has a dozen of them. */
	one?: Readonly<{write(value: T): SqlValue; read(column: unknown): T}>;
}>;

const oneColumn = <T>(write: (value: T) => SqlValue, read: (column: unknown) => T): Codec<T> => ({
	columns: (field) => [field],
	write: (value) => [write(value)],
	read: ([column]) => read(column),
	one: {write, read},
});

const isExact = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `2026-01-31 09:30:00.000`: sorts as text, is a DATETIME(3) literal of MySQL, and is what the database's own now looks like. */
export const storedInstant = (instant: Instant): string => {
	// What the log writes thousands of times a second is an instant already; a filter may leave out the milliseconds.
	const exact = isExact.test(instant) ? instant : instantOf(millisecondsOf(instant));
	return `${exact.slice(0, 10)} ${exact.slice(11, 23)}`;
};

export const readInstant = (column: unknown): Instant => `${String(column).replace(' ', 'T')}Z`;

export const text = <T extends string = string>(): Codec<T> =>
	oneColumn<T>(
		(value) => value,
		(column) => column as T,
	);
export const number: Codec<number> = oneColumn((value) => value, Number);
export const flag: Codec<boolean> = oneColumn(Number, (column) => Number(column) === 1);
export const instant: Codec<Instant> = oneColumn(storedInstant, readInstant);
/** sqlite3 answers a Buffer, which is more than what was written: it prints, compares and becomes JSON in ways of its own. */
export const readBytes = (column: unknown): Uint8Array => {
	const {buffer, byteOffset, byteLength} = column as Uint8Array;
	return new Uint8Array(buffer, byteOffset, byteLength);
};

export const bytes: Codec<Uint8Array> = oneColumn((value) => value, readBytes);
/** JSON as text: a JSON column would come back parsed from one database and as text from the other. */
export const json = <T>(): Codec<T> =>
	oneColumn<T>(
		(value) => JSON.stringify(value),
		(column) => JSON.parse(String(column)) as T,
	);

/** The key that sealed it stands in its own column, so that key rotation can look for it. */
export const sealed: Codec<Sealed> = {
	columns: (field) => [`${field}_kid`, `${field}_data`],
	write: ({kid, data}) => [kid, data],
	read: ([kid, data]) => ({kid: String(kid), data: String(data)}),
};

const emptyAs =
	<E extends null | undefined>(empty: E) =>
	<T>({columns, write, read, one}: Codec<T>): Codec<T | E> => ({
		columns,
		write: (value) => (value === empty ? columns('').map(() => null) : write(value as T)),
		read: (stored) => (stored[0] === null ? empty : read(stored)),
		...(one && {
			one: {
				write: (value) => (value === empty ? null : one.write(value as T)),
				read: (column) => (column === null ? empty : one.read(column)),
			},
		}),
	});

export const nullable = emptyAs(null);
/** A field that is left out of the record when its column is null. */
export const optional = emptyAs(undefined);

/** For a field whose name is a reserved word of one of the databases. */
export const inColumn = <T>(column: string, codec: Codec<T>): Codec<T> => ({...codec, columns: () => [column]});

export type Codecs<T> = {readonly [K in keyof T]-?: Codec<T[K]>};

/** A table and the record that each of its rows holds. */
export type Table<T> = Readonly<{
	/** Its name. */
	name: Sql;
	/** Every column, for SELECT. */
	columns: Sql;
	/** The same, one by one, as a tuple has their values. */
	columnNames: readonly string[];
	/** Every column, of that alias. */
	columnsOf(alias: string): Sql;
	insert(records: readonly T[]): Sql;
	/** The INSERT up to its first tuple, and what a tuple binds. */
	into: Sql;
	tuple(record: T): readonly SqlValue[];
	/** The tuple of a row, which may have further columns: what goes to another thread is a third without their names. */
	tupleIn(row: Row): readonly SqlValue[];
	/** The record of a tuple, which may go on with further columns. */
	ofTuple(tuple: readonly SqlValue[]): T;
	/** `a = 1, b = 2` for UPDATE; a field that is undefined keeps its value. */
	set(change: {readonly [K in keyof T]?: T[K] | undefined}): Sql;
	read(row: Row): T;
}>;

/** The table for records that are tuples already: what goes to another thread is taken apart before. */
export const ofTuples = ({into}: Pick<Table<object>, 'into'>): Pick<Table<readonly SqlValue[]>, 'into' | 'tuple'> => ({
	into,
	tuple: (tuple) => tuple,
});

/** `place`: of its value in a tuple. */
type Column = Readonly<{name: string; place: number}>;

type Field = Readonly<{name: string; columns: readonly Column[]; codec: Codec<unknown>}>;

const fieldsOf = (codecs: readonly (readonly [field: string, codec: Codec<unknown>])[]): readonly Field[] => {
	let places = 0;
	return codecs.map(([name, codec]) => {
		const columns = codec.columns(name).map((column) => ({name: column, place: places++}));
		return {name, codec, columns};
	});
};

const readRecord = (fields: readonly Field[], valueIn: (column: Column) => unknown): Record<string, unknown> => {
	const record: Record<string, unknown> = {};
	for (const {name, columns, codec} of fields) {
		const [first] = columns;
		const value = codec.one && first ? codec.one.read(valueIn(first)) : codec.read(columns.map(valueIn));
		if (value !== undefined) record[name] = value;
	}
	return record;
};

export const defineTable = <T extends object>(name: string, codecs: Codecs<T>): Table<T> => {
	const fields = fieldsOf(Object.entries(codecs) as [string, Codec<unknown>][]);
	const names = fields.flatMap((field) => field.columns.map((column) => column.name));
	const columns = raw(names.join(', '));
	const into = raw(`INSERT INTO ${name} (${names.join(', ')}) VALUES`);
	const tuple = (record: T): readonly SqlValue[] => {
		const values: SqlValue[] = [];
		for (const {name: field, codec} of fields) {
			const value = record[field as keyof T];
			if (codec.one === undefined) values.push(...codec.write(value));
			else values.push(codec.one.write(value));
		}
		return values;
	};
	return {
		name: raw(name),
		columns,
		columnNames: names,
		columnsOf: (alias) => raw(names.map((column) => `${alias}.${column}`).join(', ')),
		into,
		tuple,
		tupleIn: (row) => names.map((column) => row[column] as SqlValue),
		ofTuple: (values) => readRecord(fields, ({place}) => values[place]) as T,
		insert: (records) =>
			sql`${into} ${join(
				records.map((record) => sql`(${join(tuple(record), ', ')})`),
				', ',
			)}`,
		set: (change) => {
			const changed = fields.filter((field) => change[field.name as keyof T] !== undefined);
			const assignments = changed.flatMap((field) => {
				const values = field.codec.write(change[field.name as keyof T]);
				return field.columns.map((column, index) => sql`${raw(column.name)} = ${values[index] ?? null}`);
			});
			return join(assignments, ', ');
		},
		read: (row) => readRecord(fields, (column) => row[column.name]) as T,
	};
};
