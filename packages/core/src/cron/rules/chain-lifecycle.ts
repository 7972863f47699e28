import {type Instant, plusSeconds} from '../../values/instant.ts';
import type {ConditionType} from '../model/chain.ts';
import type {ChainEffect, ChainExecutionRecord, StepExecution, StepOutcome} from '../model/chain-execution.ts';

/** What a chain execution is told. `run_id` is the id of the run that starts because of it, if one does. */
export type ChainEvent =
	| Readonly<{type: 'begin'; run_id: string}>
	/** The run of a step, its last attempt, has ended. `execution_id` null: it never began. */
	| Readonly<{
			type: 'step_ended';
			execution_id: string | null;
			step_order: number;
			outcome: StepOutcome;
			error: string | null;
			run_id: string;
	  }>
	/** Its job tries the step again. */
	| Readonly<{type: 'step_retried'; step_order: number; execution_id: string}>
	| Readonly<{type: 'time_passed'; run_id: string}>
	| Readonly<{type: 'cancel'; user_id: string}>;

/** The record that follows, or the same when the event changes nothing, and what is to be done because of it. */
export type Transition = readonly [next: ChainExecutionRecord, effects: readonly ChainEffect[]];

/** Nobody waits longer for an agent (decisions, "Smaller points"): the start deadline of runs that no tick asked for. Seconds. */
const longestWait = 3600;

export const stepTimedOut = 'The step took longer than its timeout.';

const runsAfter: Readonly<Record<ConditionType, readonly boolean[]>> = {
	on_success: [true],
	on_failure: [false],
	always: [true, false],
};

const hasRun = ({status}: StepExecution): boolean => !['pending', 'running', 'skipped'].includes(status);

const withStep = (
	execution: ChainExecutionRecord,
	step_order: number,
	change: Partial<StepExecution>,
): ChainExecutionRecord => ({
	...execution,
	steps: execution.steps.map((step) => (step.step_order === step_order ? {...step, ...change} : step)),
});

const deadlineOf = ({started_at, timeout_seconds}: StepExecution, now: Instant): Instant =>
	plusSeconds(started_at ?? now, timeout_seconds);

const runningStep = ({steps, current_step}: ChainExecutionRecord): StepExecution | undefined =>
	steps.find(({step_order, status}) => step_order === current_step && status === 'running');

const finish = (execution: ChainExecutionRecord, now: Instant): Transition => {
	const isFailed = execution.steps.some((step) => hasRun(step) && step.status !== 'success');
	const over = {current_step: null, completed_at: now, due_at: null};
	if (!isFailed) return [{...execution, ...over, status: 'completed'}, []];
	return [{...execution, ...over, status: 'failed'}, [{type: 'tell', id: `${execution.id}/tell`}]];
};

const startStep = (
	execution: ChainExecutionRecord,
	{step_order, cron_job_id: job_id, timeout_seconds}: StepExecution,
	{now, run_id}: Readonly<{now: Instant; run_id: string}>,
): Transition => {
	const deadline_at = plusSeconds(now, timeout_seconds);
	const started = {status: 'running', execution_id: run_id, started_at: now} as const;
	const next = {...withStep(execution, step_order, started), current_step: step_order, due_at: deadline_at};
	const start: ChainEffect = {
		...{type: 'start_run', id: `${execution.id}/${step_order}/start`},
		...{execution_id: run_id, job_id, step_order, deadline_at},
		start_within_seconds: Math.min(longestWait, timeout_seconds),
	};
	return [next, [start]];
};

/** Starts the next step whose condition holds and skips those before it; when there is none, the execution is over. */
const goOn = (execution: ChainExecutionRecord, moment: Readonly<{now: Instant; run_id: string}>): Transition => {
	const wasSuccess = (execution.steps.findLast(hasRun)?.status ?? 'success') === 'success';
	const isNext = ({status, condition_type}: StepExecution) =>
		status === 'pending' && runsAfter[condition_type].includes(wasSuccess);
	const next = execution.steps.find(isNext);
	const skipped = execution.steps.map((step) =>
		step.status === 'pending' && (next === undefined || step.step_order < next.step_order)
			? {...step, status: 'skipped' as const}
			: step,
	);
	const after = {...execution, steps: skipped};
	return next === undefined ? finish(after, moment.now) : startStep(after, next, moment);
};

type Ended = Extract<ChainEvent, {type: 'step_ended'}>;

const endStep = (execution: ChainExecutionRecord, event: Ended, now: Instant): Transition => {
	const {step_order, execution_id, outcome: status, error, run_id} = event;
	if (runningStep(execution)?.step_order !== step_order) return [execution, []];
	return goOn(withStep(execution, step_order, {status, execution_id, error, completed_at: now}), {now, run_id});
};

const cancelRuns = ({id}: ChainExecutionRecord, {step_order}: StepExecution): ChainEffect => ({
	type: 'cancel_runs',
	id: `${id}/${step_order}/cancel`,
	step_order,
});

/** Whatever it was looked at for is done: next at the deadline of its step. */
const rest = (execution: ChainExecutionRecord, step: StepExecution, now: Instant): Transition => {
	const due_at = deadlineOf(step, now);
	return [execution.due_at === due_at ? execution : {...execution, due_at}, []];
};

const retryStep = (
	execution: ChainExecutionRecord,
	{step_order, execution_id}: Extract<ChainEvent, {type: 'step_retried'}>,
	now: Instant,
): Transition => {
	const step = runningStep(execution);
	if (step?.step_order !== step_order) return [execution, []];
	return rest(withStep(execution, step_order, {execution_id}), step, now);
};

const endInTime = (execution: ChainExecutionRecord, run_id: string, now: Instant): Transition => {
	const step = runningStep(execution);
	if (step === undefined) return [execution, []];
	if (now < deadlineOf(step, now)) return rest(execution, step, now);
	const {step_order, execution_id} = step;
	const ended = {
		type: 'step_ended',
		step_order,
		execution_id,
		outcome: 'timeout',
		error: stepTimedOut,
		run_id,
	} as const;
	const [next, effects] = endStep(execution, ended, now);
	return [next, [cancelRuns(execution, step), ...effects]];
};

const cancel = (execution: ChainExecutionRecord, user_id: string, now: Instant): Transition => {
	const step = runningStep(execution);
	const steps = execution.steps.map((each) => {
		if (each.status === 'pending') return {...each, status: 'skipped' as const};
		return each === step ? {...each, status: 'canceled' as const, completed_at: now} : each;
	});
	const over = {current_step: null, completed_at: now, due_at: null};
	const next = {...execution, ...over, steps, status: 'canceled' as const, canceled_by: user_id};
	return [next, step === undefined ? [] : [cancelRuns(execution, step)]];
};

/**
 * The life of a chain execution (decisions, "Chains"). Once it is over no event changes it, nor does one about a step that
 * does not run. Deadlines are judged by `now`, which is never before that of an earlier event.
 */
export const transition = (execution: ChainExecutionRecord, event: ChainEvent, now: Instant): Transition => {
	if (execution.status !== 'running') return [execution, []];
	switch (event.type) {
		case 'begin':
			return execution.steps.every(({status}) => status === 'pending')
				? goOn(execution, {now, run_id: event.run_id})
				: [execution, []];
		case 'step_ended':
			return endStep(execution, event, now);
		case 'step_retried':
			return retryStep(execution, event, now);
		case 'time_passed':
			return endInTime(execution, event.run_id, now);
		case 'cancel':
			return cancel(execution, event.user_id, now);
	}
};
