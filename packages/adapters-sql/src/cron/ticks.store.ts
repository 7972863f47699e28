import type {CronTickStore, DueJob, Fired, Firing} from '@signalbox/core';
import {type Connection, first, storeNow} from '../connection.ts';
import {and, integer, sql} from '../sql.ts';
import {readInstant, storedInstant} from '../table.ts';
import {dueJobs} from './jobs.table.ts';

/** Writes a group of firings as one transaction. Resolves when it is durable. */
export type TickWriter = (firings: readonly Firing[]) => Promise<readonly Fired[]>;

const readDue = async (connection: Connection, ...[limit, before]: Parameters<CronTickStore['due']>) => {
	const now = before?.now ?? (await storeNow(connection));
	const dueNow = [sql`is_enabled = 1`, sql`next_run_at <= ${storedInstant(now)}`];
	if (before !== undefined) {
		const {next_run_at, id} = before.last;
		dueNow.push(connection.dialect.isAfter(['next_run_at', 'id'], [storedInstant(next_run_at), id]));
	}
	const rows = await connection.all(
		sql`SELECT ${dueJobs.columns} FROM cron_jobs WHERE ${and(dueNow)} ORDER BY next_run_at, id LIMIT ${integer(limit)}`,
	);
	return {now, jobs: rows.map((row): DueJob => dueJobs.read(row))};
};

export const createCronTickStore = (connection: Connection, write: TickWriter): CronTickStore => ({
	now: async () => storeNow(connection),
	due: async (...page) => readDue(connection, ...page),
	fire: async (firings) => (firings.length === 0 ? [] : write(firings)),
	nextDue: async () => {
		const soonest = sql`is_enabled = 1 AND next_run_at IS NOT NULL ORDER BY next_run_at LIMIT 1`;
		const next = await first(connection, sql`SELECT next_run_at FROM cron_jobs WHERE ${soonest}`);
		return next && readInstant(next.next_run_at);
	},
});
