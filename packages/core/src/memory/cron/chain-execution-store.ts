import type {ChainEffect, ChainExecutionRecord, StepRun} from '../../cron/model/chain-execution.ts';
import type {ExecutionRecord} from '../../cron/model/execution.ts';
import {DomainError} from '../../errors.ts';
import type {Advanced, ChainExecutionStore} from '../../ports/index.ts';
import {keptSince} from '../../values/retention.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, pageOf, rowsWhere} from '../rows.ts';
import {addChainExecution, cancelStepRuns, executionRecordOf} from './chain-executions.ts';
import {addDueExecution, recordOf} from './executions.ts';
import type {ChainExecutionRow} from './tables.ts';

const newestFirst = (a: ChainExecutionRow, b: ChainExecutionRow): number => by('started_at', 'id')(b, a);

/** The last attempt at the step that runs. */
const runOf = (db: MemoryDatabase, {id, current_step}: ChainExecutionRow): StepRun | null => {
	const attempts = rowsWhere(
		db.stepRuns,
		(row) => row.chain_execution_id === id && row.step_order === current_step,
	).flatMap(({execution_id}) => db.executions.get(execution_id) ?? []);
	const last = attempts.sort((a, b) => a.attempt - b.attempt).at(-1);
	if (last === undefined) return null;
	const {status, error, started_at, completed_at, duration_ms} = last;
	return {id: last.id, status, error, started_at, completed_at, duration_ms};
};

type StartRun = Extract<ChainEffect, {type: 'start_run'}>;

/** Undefined when its job is gone. */
const startRun = (db: MemoryDatabase, chain: ChainExecutionRecord, effect: StartRun): ExecutionRecord | undefined => {
	const {execution_id, job_id, step_order, deadline_at, start_within_seconds} = effect;
	if (db.cronJobs.get(job_id)?.user_id !== chain.user_id) return undefined;
	const row = addDueExecution(db, chain.user_id, {
		...{id: execution_id, job_id, triggered_by: 'chain', attempt: 1, retry_of: null},
		...{after_seconds: 0, start_within_seconds},
	});
	const {id: chain_execution_id, trigger_event_id: event_id} = chain;
	db.stepRuns.set(execution_id, {execution_id, chain_execution_id, step_order, deadline_at, event_id});
	return recordOf(row, 0);
};

const advance = (
	db: MemoryDatabase,
	next: ChainExecutionRecord,
	effects: readonly ChainEffect[],
): Advanced | undefined => {
	const before = db.chainExecutions.get(next.id);
	if (before?.status !== 'running' || before.version !== next.version) return undefined;
	const canceled = effects.flatMap((effect) =>
		effect.type === 'cancel_runs' ? cancelStepRuns(db, next.id, effect.step_order) : [],
	);
	const starts = effects.filter((effect) => effect.type === 'start_run');
	const runs = starts.map((effect) => startRun(db, next, effect));
	const due_at = runs.includes(undefined) ? db.now() : next.due_at;
	const tells = effects.some(({type}) => type === 'tell');
	db.chainExecutions.set(next.id, {...next, due_at, version: next.version + 1, tells});
	return {started: runs.filter((run) => run !== undefined), canceled};
};

const due = (db: MemoryDatabase, limit: number) =>
	rowsWhere(db.chainExecutions, ({due_at}) => due_at !== null && due_at <= db.now())
		.map((row) => ({row, id: row.id, due_at: row.due_at ?? ''}))
		.sort(by('due_at', 'id'))
		.slice(0, limit)
		.map(({row}) => ({execution: executionRecordOf(row), run: runOf(db, row)}));

const deleteChainExecution = (db: MemoryDatabase, {id}: ChainExecutionRow): void => {
	for (const run of rowsWhere(db.stepRuns, (row) => row.chain_execution_id === id))
		db.stepRuns.delete(run.execution_id);
	db.chainExecutions.delete(id);
};

const purge = (db: MemoryDatabase, ...[retention, limit]: Parameters<ChainExecutionStore['purge']>): number => {
	const edgeOf = (user_id: string) => keptSince(retention, db.users.get(user_id)?.plan, db.now());
	const old = rowsWhere(
		db.chainExecutions,
		({completed_at, user_id}) => completed_at !== null && completed_at < edgeOf(user_id),
	).slice(0, limit);
	for (const row of old) deleteChainExecution(db, row);
	return old.length;
};

export const createChainExecutionStore = (db: MemoryDatabase): ChainExecutionStore => ({
	create: async (user_id, execution) => {
		const chain = db.chains.get(execution.chain_id);
		if (chain?.user_id !== user_id) throw new DomainError('resource_not_found');
		return executionRecordOf(addChainExecution(db, chain, execution));
	},
	list: async (user_id, chain_id, page) => {
		if (db.chains.get(chain_id)?.user_id !== user_id) return undefined;
		const rows = rowsWhere(db.chainExecutions, (row) => row.chain_id === chain_id).sort(newestFirst);
		const {data, ...bounds} = pageOf(rows, page);
		return {...bounds, data: data.map(executionRecordOf)};
	},
	get: async (user_id, id) => {
		const row = db.chainExecutions.get(id);
		return row?.user_id === user_id ? executionRecordOf(row) : undefined;
	},
	due: async (limit) => ({now: db.now(), executions: due(db, limit)}),
	advance: async (next, effects) => advance(db, next, effects),
	untold: async (limit) =>
		rowsWhere(db.chainExecutions, ({tells}) => tells)
			.map((row) => ({...row, completed_at: row.completed_at ?? ''}))
			.sort(by('completed_at', 'id'))
			.slice(0, limit)
			.map(executionRecordOf),
	told: async (id) => {
		const row = db.chainExecutions.get(id);
		if (row !== undefined) db.chainExecutions.set(id, {...row, tells: false});
	},
	purge: async (...order) => purge(db, ...order),
});
