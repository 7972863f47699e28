import {type ExecutionLeaseStore, type OverdueExecution, plusSeconds} from '@signalbox/core';
import {type Reader, storeNow, type Transaction} from '../connection.ts';
import {integer, type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {endExecution, recordOf} from './end-execution.ts';
import {executions} from './executions.table.ts';

type Cause = OverdueExecution['cause'];

/** What is overdue for that reason, and how many seconds after it was watched for the last time. */
const kindsAt = (now: string, lost_seconds: number): Readonly<Record<Cause, Readonly<{is: Sql; after: number}>>> => ({
	agent_offline: {
		is: sql`status = 'pending' AND watched_at <= ${storedInstant(now)} AND available_at <= ${storedInstant(now)}`,
		after: 0,
	},
	agent_lost: {
		is: sql`status = 'running' AND watched_at <= ${storedInstant(plusSeconds(now, -lost_seconds))}`,
		after: lost_seconds,
	},
});

const causes: readonly Cause[] = ['agent_offline', 'agent_lost'];

export const readOverdue = async (
	reader: Reader,
	...[lost_seconds, limit]: Parameters<ExecutionLeaseStore['overdue']>
): Promise<readonly OverdueExecution[]> => {
	const kinds = kindsAt(await storeNow(reader), lost_seconds);
	const found: {since: string; overdue: OverdueExecution}[] = [];
	for (const cause of causes) {
		const {is, after} = kinds[cause];
		const rows = await reader.all(
			sql`SELECT ${executions.columns} FROM cron_executions WHERE ${is}
				ORDER BY watched_at, id LIMIT ${integer(limit)}`,
		);
		for (const row of rows.map(executions.read)) {
			const since = `${plusSeconds(row.watched_at ?? '', after)} ${row.id}`;
			found.push({since, overdue: {execution: recordOf(row), cause}});
		}
	}
	return found
		.sort((a, b) => (a.since < b.since ? -1 : 1))
		.slice(0, limit)
		.map(({overdue}) => overdue);
};

/** Ends one that still is overdue, for the same reason. */
export const giveUp = async (
	transaction: Transaction,
	...[{execution, cause}, lost_seconds, ending]: Parameters<ExecutionLeaseStore['giveUp']>
): Promise<boolean> => {
	const {id, user_id} = execution;
	const {is} = kindsAt(await storeNow(transaction), lost_seconds)[cause];
	return endExecution(transaction, {id, user_id, state: sql`id = ${id} AND ${is}`}, ending);
};
