import {type Instant, millisecondsOf, plusSeconds} from '../../values/instant.ts';
import type {ChainExecutionRecord, StepExecution, StepOutcome, StepRun} from '../model/chain-execution.ts';
import {type ChainEvent, stepTimedOut} from './chain-lifecycle.ts';

const isOpen = ({status}: StepRun): boolean => status === 'pending' || status === 'running';

/** When its command ended: its agent may have told later. */
const endedAt = ({started_at, duration_ms, completed_at}: StepRun, now: Instant): number =>
	started_at !== null && duration_ms !== null
		? millisecondsOf(started_at) + duration_ms
		: millisecondsOf(completed_at ?? now);

/** A run that ended behind the deadline of its step, whichever way, took too long. */
const outcomeOf = (
	run: StepRun,
	{started_at, timeout_seconds}: StepExecution,
	now: Instant,
): Readonly<{outcome: StepOutcome; error: string | null}> => {
	const isLate = endedAt(run, now) >= millisecondsOf(plusSeconds(started_at ?? now, timeout_seconds));
	if (isLate && run.status !== 'canceled') return {outcome: 'timeout', error: stepTimedOut};
	const outcome = run.status === 'pending' || run.status === 'running' ? 'failed' : run.status;
	return {outcome, error: run.status === 'canceled' ? 'The run was canceled.' : run.error};
};

/**
 * What to tell an execution that is due.
 *
 * @param run the last attempt of the step that runs. Null: there is none, because its job, and all runs with it, is gone.
 * @param moment now, and the id of the run that starts because of it.
 */
export const eventOf = (
	{steps, current_step}: Pick<ChainExecutionRecord, 'steps' | 'current_step'>,
	run: StepRun | null,
	{now, run_id}: Readonly<{now: Instant; run_id: string}>,
): ChainEvent => {
	const step = steps.find(({step_order}) => step_order === current_step);
	if (step === undefined) return {type: 'begin', run_id};
	const {step_order} = step;
	if (run === null) {
		const error = 'cron_job_deleted';
		return {type: 'step_ended', step_order, execution_id: null, outcome: 'failed', error, run_id};
	}
	if (!isOpen(run)) return {type: 'step_ended', step_order, execution_id: run.id, ...outcomeOf(run, step, now), run_id};
	const isRetry = run.id !== step.execution_id;
	return isRetry ? {type: 'step_retried', step_order, execution_id: run.id} : {type: 'time_passed', run_id};
};
