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
		/**
		 * Runs a statement before whatever is asked next, and before the end of the transaction: with it, where each statement
		 * takes a way to a server. That it fails is heard there, too, and nothing that follows it is done.
		 */
		later(statement: Sql): Promise<void>;
		/** Asks several things, none of which depends on what another one answers: in one way to the server, where it is one. */
		each(statements: readonly Sql[]): Promise<readonly (readonly Row[])[]>;
		/** Inserts many records of one kind in the way that is fastest here, which may be later. */
		insert<T>(table: Pick<Table<T>, 'into' | 'tuple'>, records: readonly T[]): Promise<void>;
	}>;

/** A database. */
export type Connection = Reader &
	Readonly<{
		/** Resolves when what `work` did is durable. Writes that come in meanwhile may share one commit. Not to be nested. */
		write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
		/** Inserts records of one kind, all or none; durable when it resolves. In one way to a server, if one statement holds them. */
		insert<T>(table: Pick<Table<T>, 'into' | 'tuple'>, records: readonly T[]): Promise<void>;
		/**
		 * Runs a change of the schema while no other process makes one. All of it or nothing where the database can do that:
		 * MySQL commits each such statement.
		 */
		exclusive<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
		close(): Promise<void>;
	}>;

export const first = async (reader: Reader, statement: Sql): Promise<Row | undefined> =>
	(await reader.all(statement)).at(0);

export const count = async (reader: Reader, statement: Sql): Promise<number> =>
	Number((await first(reader, statement))?.count ?? 0);

/** The store's clock. */
export const storeNow = async (reader: Reader): Promise<Instant> =>
	readInstant((await first(reader, sql`SELECT ${reader.now()} AS now`))?.now);
