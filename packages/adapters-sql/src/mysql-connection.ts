import {setTimeout as pause} from 'node:timers/promises';
import type {Connection, Transaction} from './connection.ts';
import type {Dialect} from './dialect.ts';
import {createMysqlDialect} from './dialects/mysql.ts';
import {type MysqlPool, openMysqlPool} from './mysql-pool.ts';
import {isOneInsert} from './mysql-session.ts';
import {waitingTransaction} from './mysql-transaction.ts';
import {raw, sql} from './sql.ts';
import {transactionOn, translated} from './transactions.ts';
import {isConflict, translateError} from './translate-error.ts';

export type MysqlSource = Readonly<{
	url: string;
	/** Milliseconds that the store's clock is ahead of the database's. */
	clockOffset: () => number;
	/** At most so many at once, and no more than the address says. Default: as many. */
	connections?: number;
	/** Nothing is read outside of a write: transactions begin by themselves, which spares a statement each. */
	writes_only?: boolean;
	/** Of this database, where it is known: nothing is asked then, and nothing connected before it is needed. */
	dialect?: Dialect;
}>;

/** A deadlock is resolved by the server, which lets one of two go on: the other one begins again. */
const mostAttempts = 10;

const begin = raw('START TRANSACTION');
const rollback = raw('ROLLBACK');

const connectionOn = (
	pool: MysqlPool,
	dialect: Dialect,
	{clockOffset, writes_only = false}: Pick<MysqlSource, 'clockOffset' | 'writes_only'>,
) => {
	const lend = async <T>(work: (transaction: Transaction, discard: () => void) => Promise<T>): Promise<T> =>
		pool.lend(async (session, discard) => work(transactionOn(session, dialect, clockOffset), discard));
	const writeOnce = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
		pool.lend(async (session, discard) => {
			const transaction = waitingTransaction(session, dialect, clockOffset);
			if (!writes_only) await transaction.later(begin);
			try {
				const result = await work(transaction);
				await transaction.commit();
				return result;
			} catch (error) {
				// A connection that might still be in a transaction is of no use to anybody.
				await session.all(rollback).catch(discard);
				throw error;
			}
		});
	return {lend, writeOnce};
};

/** Full jitter, so that the same two do not meet again. Milliseconds. */
const delayOf = (attempt: number): number => Math.random() * 2 ** attempt;

const dialectOf = async (pool: MysqlPool): Promise<Dialect> => {
	const [row] = await pool.lend(async ({all}) => all(raw('SELECT VERSION() AS version')));
	return createMysqlDialect(String(row?.version).includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin');
};

/** A database of MySQL or MariaDB. Each write is a transaction of its own: the server commits parallel ones together. */
export const connectMysql = async (source: MysqlSource): Promise<Connection> => {
	const {url, clockOffset, connections, writes_only} = source;
	const pool = openMysqlPool(url, connections, writes_only ? ['SET SESSION autocommit = 0'] : []);
	const dialect =
		source.dialect ??
		(await dialectOf(pool).catch(async (error) => {
			await pool.close();
			throw translateError(error);
		}));
	const {lend, writeOnce} = connectionOn(pool, dialect, source);
	const retried = async <T>(attemptIt: () => Promise<T>): Promise<T> => {
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await attemptIt();
			} catch (error) {
				if (!isConflict(error) || attempt === mostAttempts) throw error;
				await pause(delayOf(attempt));
			}
		}
	};
	const write: Connection['write'] = async (work) => retried(async () => writeOnce(work));
	return {
		dialect,
		now: () => dialect.now(clockOffset()),
		all: async (statement) => lend(async ({all}) => all(statement)),
		write,
		insert: async (table, records) => {
			const rows = records.map(table.tuple);
			if (writes_only || !isOneInsert(rows)) return write(async (transaction) => transaction.insert(table, records));
			return retried(async () => pool.lend(async (session) => translated(session.insert(table.into, rows))));
		},
		exclusive: async (work) =>
			lend(async (transaction, discard) => {
				// The server lets go of it when the connection ends, however that comes about.
				const lock = sql`CONCAT('signalbox.schema.', MD5(DATABASE()))`;
				const [row] = await transaction.all(sql`SELECT GET_LOCK(${lock}, 600) AS is_held`);
				if (Number(row?.is_held) !== 1) throw new Error('another process changes the schema for more than ten minutes');
				try {
					return await work(transaction);
				} finally {
					await transaction.all(sql`SELECT RELEASE_LOCK(${lock})`).catch(discard);
				}
			}),
		close: pool.close,
	};
};

/** For what is written one group at a time, and read by others. */
export const connectMysqlWriter = async (source: Pick<MysqlSource, 'url' | 'clockOffset'>): Promise<Connection> =>
	connectMysql({...source, connections: 1, writes_only: true});
