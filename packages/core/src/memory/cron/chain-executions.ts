import type {ChainRecord, NamedChainStep} from '../../cron/model/chain.ts';
import type {ChainExecutionRecord, NewChainExecution, StepExecution} from '../../cron/model/chain-execution.ts';
import type {ExecutionRecord} from '../../cron/model/execution.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, rowsWhere} from '../rows.ts';
import {cancelExecution, isOpen, recordOf} from './executions.ts';
import type {ChainExecutionRow} from './tables.ts';

export const executionRecordOf = ({tells: _, ...record}: ChainExecutionRow): ChainExecutionRecord => copyOf(record);

const newStep = (db: MemoryDatabase, step: NamedChainStep): StepExecution => ({
	...step,
	job_name: db.cronJobs.get(step.cron_job_id)?.name ?? step.job_name,
	status: 'pending',
	execution_id: null,
	started_at: null,
	completed_at: null,
	error: null,
});

/** Writes an execution of the chain that has not begun. */
export const addChainExecution = (
	db: MemoryDatabase,
	{name: chain_name, user_id, steps}: ChainRecord,
	execution: NewChainExecution,
): ChainExecutionRow => {
	const now = db.now();
	const row: ChainExecutionRow = {
		...execution,
		...{chain_name, user_id, status: 'running', current_step: null, canceled_by: null, tells: false},
		...{started_at: now, completed_at: null, due_at: now, version: 1},
		steps: steps.map((step) => newStep(db, step)),
	};
	db.chainExecutions.set(row.id, row);
	return row;
};

/** Cancels every run of the chain execution, or of one step of it, that has not ended. */
export const cancelStepRuns = (db: MemoryDatabase, id: string, step_order?: number): readonly ExecutionRecord[] =>
	rowsWhere(
		db.stepRuns,
		(row) => row.chain_execution_id === id && (step_order === undefined || row.step_order === step_order),
	).flatMap(({execution_id}) => {
		const run = db.executions.get(execution_id);
		return run !== undefined && isOpen(run) ? [recordOf(cancelExecution(db, run), 0)] : [];
	});
