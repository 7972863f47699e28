import {
	DomainError,
	type ExecutionEnding,
	type ExecutionRecord,
	millisecondsBetween,
	type NewExecution,
	plusSeconds,
} from '@signalbox/core';
import {first, storeNow, type Transaction} from '../connection.ts';
import {paddedList, type Sql, sql} from '../sql.ts';
import {type ExecutionRow, executions, newExecutions, over, pendingExecution} from './executions.table.ts';
import {jobs} from './jobs.table.ts';
import {noteRetry, noteRunsChanged} from './step-runs.ts';

const isOpen = sql`status IN ('pending', 'running')`;

/** As the port answers it, with what it printed. */
export const recordOf = (
	{held_by: _, lease_token: __, available_at: ___, watched_at: ____, ...row}: ReturnType<typeof executions.read>,
	output = '',
): ExecutionRecord => {
	const {untold_since: _____, kept_bytes: ______, received_bytes: _______, ...record} = row;
	return {...record, output};
};

/** Writes a pending execution, due in some seconds. @throws resource_not_found without its job. */
export const createExecution = async (
	transaction: Transaction,
	user_id: string,
	{after_seconds, start_within_seconds, ...planned}: NewExecution,
): Promise<ExecutionRecord> => {
	const one = sql`id = ${planned.job_id} AND user_id = ${user_id}`;
	const row = await first(
		transaction,
		sql`SELECT ${jobs.columns} FROM cron_jobs WHERE ${one} ${transaction.dialect.forUpdate}`,
	);
	if (row === undefined) throw new DomainError('resource_not_found');
	const {name: job_name, team_id, agent_id} = jobs.read(row);
	const scheduled_for = plusSeconds(await storeNow(transaction), after_seconds);
	const start_deadline_at = plusSeconds(scheduled_for, start_within_seconds);
	const of = {job_name, user_id, team_id, agent_id, missed_count: 0};
	const execution = pendingExecution({...planned, ...of, scheduled_for, start_deadline_at});
	await transaction.run(newExecutions.insert([execution]));
	return recordOf(execution);
};

/** Ends it as canceled. @returns whether it had not ended before. */
export const cancelExecution = async (transaction: Transaction, one: Sql): Promise<boolean> => {
	const row = await first(
		transaction,
		sql`SELECT ${executions.columns} FROM cron_executions WHERE ${one} AND ${isOpen} ${transaction.dialect.forUpdate}`,
	);
	if (row === undefined) return false;
	const {id, started_at, triggered_by} = executions.read(row);
	const completed_at = await storeNow(transaction);
	const duration_ms = started_at === null ? null : millisecondsBetween(started_at, completed_at);
	const changes = executions.set({...over, status: 'canceled', duration_ms, completed_at});
	const canceled = await transaction.run(sql`UPDATE cron_executions SET ${changes} WHERE ${one} AND ${isOpen}`);
	if (canceled > 0 && triggered_by !== 'scheduled') await noteRunsChanged(transaction, sql`${id}`);
	return canceled > 0;
};

/** Ends it as `ending` says, in that state. @returns whether it was. */
export const endExecution = async (
	transaction: Transaction,
	{id, user_id, state}: Pick<ExecutionRow, 'id' | 'user_id'> & Readonly<{state: Sql}>,
	{result: {truncated, ...result}, retry, tells}: ExecutionEnding,
): Promise<boolean> => {
	const completed_at = await storeNow(transaction);
	const changes = executions.set({
		...result,
		...over,
		truncated: truncated || undefined,
		completed_at,
		untold_since: tells ? completed_at : undefined,
	});
	const ended = await transaction.run(sql`UPDATE cron_executions SET ${changes} WHERE ${state} AND ${isOpen}`);
	if (ended === 0) return false;
	if (retry !== null) {
		await createExecution(transaction, user_id, retry);
		await noteRetry(transaction, {...retry, retry_of: id});
	}
	await noteRunsChanged(transaction, sql`${id}`);
	return true;
};

/** Cancels what has not ended of the attempts at those steps. @returns it. */
export const cancelStepRuns = async (transaction: Transaction, ofSteps: Sql): Promise<readonly ExecutionRecord[]> => {
	const attempts = sql`SELECT execution_id FROM cron_step_runs WHERE ${ofSteps}`;
	const rows = await transaction.all(sql`SELECT id FROM cron_executions WHERE id IN (${attempts}) AND ${isOpen}`);
	for (const {id} of rows) await cancelExecution(transaction, sql`id = ${String(id)}`);
	const ids = paddedList(rows.map(({id}) => String(id)));
	const canceled = await transaction.all(sql`SELECT ${executions.columns} FROM cron_executions WHERE id IN ${ids}`);
	return canceled.map((row) => recordOf(executions.read(row)));
};
