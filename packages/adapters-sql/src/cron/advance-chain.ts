import {
	type Advanced,
	type ChainEffect,
	type ChainExecutionRecord,
	type ChainExecutionStore,
	DomainError,
	type ExecutionRecord,
} from '@signalbox/core';
import {first, storeNow, type Transaction} from '../connection.ts';
import {sql} from '../sql.ts';
import {chainExecutions, stepRuns} from './chains.table.ts';
import {cancelStepRuns, createExecution} from './end-execution.ts';

type StartRun = Extract<ChainEffect, {type: 'start_run'}>;

/** Undefined when its job is gone. */
const startRun = async (
	transaction: Transaction,
	{id: chain_execution_id, user_id, trigger_event_id: event_id}: ChainExecutionRecord,
	{execution_id, job_id, step_order, deadline_at, start_within_seconds}: StartRun,
): Promise<ExecutionRecord | undefined> => {
	const run = {id: execution_id, job_id, triggered_by: 'chain', attempt: 1, retry_of: null} as const;
	try {
		const created = await createExecution(transaction, user_id, {...run, after_seconds: 0, start_within_seconds});
		const attempt = {execution_id, chain_execution_id, step_order, attempt: 1, deadline_at, event_id};
		await transaction.run(stepRuns.insert([attempt]));
		return created;
	} catch (error) {
		if (error instanceof DomainError && error.reason === 'resource_not_found') return undefined;
		throw error;
	}
};

const doEffects = async (transaction: Transaction, next: ChainExecutionRecord, effects: readonly ChainEffect[]) => {
	const canceled: ExecutionRecord[] = [];
	const started: (ExecutionRecord | undefined)[] = [];
	for (const effect of effects) {
		if (effect.type === 'start_run') started.push(await startRun(transaction, next, effect));
		if (effect.type !== 'cancel_runs') continue;
		const ofStep = sql`chain_execution_id = ${next.id} AND step_order = ${effect.step_order}`;
		canceled.push(...(await cancelStepRuns(transaction, ofStep)));
	}
	return {canceled, started};
};

export const advanceChain = async (
	transaction: Transaction,
	...[next, effects]: Parameters<ChainExecutionStore['advance']>
): Promise<Advanced | undefined> => {
	const current = sql`id = ${next.id} AND status = 'running' AND version = ${next.version}`;
	const select = sql`SELECT id FROM cron_chain_executions WHERE ${current} ${transaction.dialect.forUpdate}`;
	if ((await first(transaction, select)) === undefined) return undefined;
	const {canceled, started} = await doEffects(transaction, next, effects);
	const now = await storeNow(transaction);
	const due_at = started.includes(undefined) ? now : next.due_at;
	const untold_since = effects.some(({type}) => type === 'tell') ? now : null;
	const {id: _, chain_id: __, user_id: ___, ...fields} = next;
	const changes = chainExecutions.set({...fields, due_at, untold_since, version: next.version + 1});
	await transaction.run(sql`UPDATE cron_chain_executions SET ${changes} WHERE id = ${next.id}`);
	return {started: started.filter((run) => run !== undefined), canceled};
};
