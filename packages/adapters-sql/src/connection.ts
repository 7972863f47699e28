import type {Instant} from '@signalbox/core';
import type {Dialect} from './dialect.ts';
import {type Sql, sql} from './sql.ts';
import {type Row, readInstant, type Table} from './table.ts';

/** Something that can be asked. */
export type Reader = Readonly<{
	dialect: Dialect;
	/** The store's clock, for use inside a statement: the database's own time plus the offset the store was opened with. */
	now(): Sql;
	all(statement: Sql): Promise<readonly Row[]>;
}>;

/** Asks and changes; everything in it happens, or nothing. */
export type Transaction = Reader &
	Readonly<{
		/** @returns how many rows the statement changed. */
		run(statement: Sql): Promise<number>;
		/** Inserts many records of one kind in the way that is fastest here. */
		insert<T>(table: Pick<Table<T>, 'into' | 'tuple'>, records: readonly T[]): Promise<void>;
	}>;

/** A database. */
export type Connection = Reader &
	Readonly<{
		/** Resolves when what `work` did is durable. Writes that come in meanwhile may share one commit. Not to be nested. */
		write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
		close(): Promise<void>;
	}>;

export const first = async (reader: Reader, statement: Sql): Promise<Row | undefined> =>
	(await reader.all(statement)).at(0);

export const count = async (reader: Reader, statement: Sql): Promise<number> =>
	Number((await first(reader, statement))?.count ?? 0);

/** The store's clock. */
export const storeNow = async (reader: Reader): Promise<Instant> =>
	readInstant((await first(reader, sql`SELECT ${reader.now()} AS now`))?.now);
