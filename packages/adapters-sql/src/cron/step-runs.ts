import type {StepLimits} from '@signalbox/core';
import type {Reader, Transaction} from '../connection.ts';
import {paddedList, type Sql, sql} from '../sql.ts';
import {stepRuns} from './chains.table.ts';

/** By run, of those that are attempts at steps. */
export const readStepLimits = async (
	reader: Reader,
	execution_ids: readonly string[],
): Promise<ReadonlyMap<string, StepLimits>> => {
	if (execution_ids.length === 0) return new Map();
	const rows = await reader.all(
		sql`SELECT ${stepRuns.columns} FROM cron_step_runs WHERE execution_id IN ${paddedList(execution_ids)}`,
	);
	return new Map(
		rows.map(stepRuns.read).map(({execution_id, deadline_at, event_id}) => [execution_id, {deadline_at, event_id}]),
	);
};

/** The chain executions that wait for one of those runs are due: whatever was decided before knows too little. */
export const noteRunsChanged = async (transaction: Transaction, execution_ids: Sql): Promise<void> => {
	await transaction.run(
		sql`UPDATE cron_chain_executions SET due_at = ${transaction.now()}, version = version + 1
			WHERE due_at IS NOT NULL
			AND id IN (SELECT chain_execution_id FROM cron_step_runs WHERE execution_id IN (${execution_ids}))`,
	);
};

/** The retry of an attempt at a step is another attempt at it. */
export const noteRetry = async (
	transaction: Transaction,
	{id, retry_of, attempt}: Readonly<{id: string; retry_of: string; attempt: number}>,
): Promise<void> => {
	await transaction.run(
		sql`INSERT INTO cron_step_runs (execution_id, chain_execution_id, step_order, attempt, deadline_at, event_id)
			SELECT ${id}, chain_execution_id, step_order, ${attempt}, deadline_at, event_id
			FROM cron_step_runs WHERE execution_id = ${retry_of}`,
	);
};
