import type {DomainEvent} from '@signalbox/core';
import {type Connection, first} from '../connection.ts';
import {integer, paddedList, raw, sql} from '../sql.ts';
import type {Row} from '../table.ts';

/** What one process published at about the same time. */
export type SignalRow = Readonly<{
	/** Rows become visible in another order than that of their numbers, and a number may never be used. */
	seq: number;
	/** Who published. */
	origin: string;
	events: readonly DomainEvent[];
}>;

/** What processes on one database tell each other. A row is kept for a minute, until the next `purge`. */
export type SignalLog = Readonly<{
	/** @param events A JSON array of domain events. */
	append(origin: string, events: string): Promise<void>;
	/** Number of the newest row; 0 when there is none. */
	newest(): Promise<number>;
	/** The first rows after that number, and those of the `missing` numbers that are there by now; in the order of their numbers. */
	read(after: number, missing: readonly number[]): Promise<readonly SignalRow[]>;
	/** Deletes what is older than a minute, but for the newest row: its number must not be used again. @returns how many rows. */
	purge(): Promise<number>;
}>;

/** Rows of one reading: more are there after a reading that was late, and are read next. */
export const mostSignalRows = 200;

const keptMs = 60_000;

const readRow = ({seq, origin, events}: Row): SignalRow => ({
	seq: Number(seq),
	origin: String(origin),
	events: JSON.parse(String(events)),
});

export const createSignalLog = (connection: Connection): SignalLog => {
	// The database's own time: what one process adds to it in a test says nothing about the rows of others.
	const {now} = connection.dialect;
	const newest = async (): Promise<number> =>
		Number((await first(connection, raw('SELECT coalesce(max(seq), 0) AS seq FROM signal_log')))?.seq);
	return {
		append: async (origin, events) => {
			await connection.write(async (transaction) => {
				await transaction.run(
					sql`INSERT INTO signal_log (origin, events, written_at) VALUES (${origin}, ${events}, ${now(0)})`,
				);
			});
		},
		newest,
		read: async (after, missing) => {
			const late = missing.length === 0 ? raw('') : sql`OR seq IN ${paddedList(missing)}`;
			const rows = await connection.all(
				sql`SELECT seq, origin, events FROM signal_log WHERE seq > ${after} ${late}
					ORDER BY seq LIMIT ${integer(mostSignalRows)}`,
			);
			return rows.map(readRow);
		},
		purge: async () => {
			const isOld = sql`seq < ${await newest()} AND written_at < ${now(-keptMs)}`;
			// Mostly nothing is, and then nothing is written.
			if ((await first(connection, sql`SELECT seq FROM signal_log WHERE ${isOld} LIMIT 1`)) === undefined) return 0;
			return connection.write(async (transaction) => transaction.run(sql`DELETE FROM signal_log WHERE ${isOld}`));
		},
	};
};
