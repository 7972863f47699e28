import type {ChainEffect, ChainExecutionRecord, StepExecution, StepRun} from '../../src/cron/model/chain-execution.ts';
import {type ChainEvent, type Transition, transition} from '../../src/cron/rules/chain-lifecycle.ts';
import {eventOf} from '../../src/cron/rules/chain-look.ts';
import {type Instant, plusSeconds} from '../../src/values/instant.ts';
import type {ChainScenario, Plot, ScenarioStep} from './chain-scenarios.ts';

/** How the run of a step stands so many seconds after the step became ready. Null: it is gone. */
type Scene = readonly [seconds: number, run: Partial<StepRun> | null];

const began: Instant = '2026-01-31T09:00:00.000Z';
const running = {status: 'running'} as const;
const retry: Scene = [2, {id: 'second attempt', status: 'pending'}];

const plots: Readonly<Record<Plot, readonly Scene[]>> = {
	succeed: [[1, {status: 'success'}]],
	succeed_disabled: [[1, {status: 'success'}]],
	fail: [[1, {status: 'failed', error: 'The command ended with exit code 3.'}]],
	time_out: [[1, {status: 'timeout', error: 'The command took longer than its timeout.'}]],
	hang: [[1, running]],
	wait: [[1, {status: 'pending'}]],
	/** Its command ended in time; its agent could tell only later. */
	tell_late: [[9, {status: 'success', started_at: plusSeconds(began, 1), duration_ms: 1000}]],
	succeed_late: [[9, {status: 'success', started_at: plusSeconds(began, 1), duration_ms: 7000}]],
	agent_lost: [[1, {status: 'failed', error: 'agent_lost'}]],
	agent_offline: [[1, {status: 'failed', error: 'agent_offline'}]],
	spawn_error: [[1, {status: 'failed', error: 'The command could not begin.'}]],
	unresolved: [[1, {status: 'failed', error: 'KEY is not there.'}]],
	cancel_run: [[1, {status: 'canceled'}]],
	job_deleted: [[0, null]],
	job_deleted_meanwhile: [
		[1, running],
		[2, null],
	],
	retry_then_succeed: [retry, [3, {id: 'second attempt', status: 'success'}]],
	retry_then_fail: [retry, [3, {id: 'second attempt', status: 'failed', error: 'Again.'}]],
	retry_then_hang: [retry, [3, {id: 'second attempt', ...running}]],
	retry_then_wait: [retry],
};

const newStep = ({on, timeout}: ScenarioStep, step_order: number): StepExecution => ({
	...{step_order, cron_job_id: `job ${step_order}`, job_name: `Job ${step_order}`},
	...{condition_type: on ?? 'on_success', timeout_seconds: timeout ?? 3600},
	...{status: 'pending', execution_id: null, started_at: null, completed_at: null, error: null},
});

/** An execution that has not begun. */
export const newExecution = (steps: readonly ScenarioStep[]): ChainExecutionRecord => ({
	...{id: 'x', chain_id: 'c', chain_name: 'Nightly', user_id: 'ada', status: 'running'},
	...{triggered_by: 'manual', trigger_event_id: null, current_step: null, canceled_by: null},
	...{started_at: began, completed_at: null, due_at: began, version: 1},
	steps: steps.map(newStep),
});

/** Asked for each transition; a mutant answers something else. */
export type Rule = (execution: ChainExecutionRecord, event: ChainEvent, now: Instant) => Transition;

/** What was played: how it ended, and everything that was to be done, in order. */
export type Played = Readonly<{execution: ChainExecutionRecord; effects: readonly ChainEffect[]; now: Instant}>;

const createStage = (steps: readonly ScenarioStep[], rule: Rule) => {
	let execution = newExecution(steps);
	let now = began;
	const effects: ChainEffect[] = [];
	const tell = (event: ChainEvent): void => {
		const [next, more] = rule(execution, event, now);
		execution = next;
		effects.push(...more);
	};
	const look = (run: StepRun | null): void => tell(eventOf(execution, run, {now, run_id: `run ${effects.length}`}));
	return {
		tell,
		look,
		passTo: (instant: Instant): void => {
			now = instant > now ? instant : now;
		},
		played: (): Played => ({execution, effects, now}),
	};
};

type Stage = ReturnType<typeof createStage>;

const runOf = ({execution_id}: StepExecution, now: Instant, change: Partial<StepRun>): StepRun => ({
	...{id: execution_id ?? '', status: 'pending', error: null},
	...{started_at: null, completed_at: now, duration_ms: null, ...change},
});

const cancel = {type: 'cancel', user_id: 'eve'} as const;

/** Plays the step that runs until it runs no more. */
const playStep = (stage: Stage, plot: Plot): void => {
	const {execution} = stage.played();
	const order = execution.current_step;
	const ready = execution.steps[order ?? 0]?.started_at ?? began;
	const isOn = () => stage.played().execution.current_step === order;
	let last: StepRun | null = null;
	for (const [seconds, change] of plots[plot]) {
		if (!isOn()) return;
		stage.passTo(plusSeconds(ready, seconds));
		const {execution: now, now: at} = stage.played();
		const step = now.steps[order ?? 0];
		last = change === null || step === undefined ? null : runOf(step, at, change);
		stage.look(last);
	}
	for (let looks = 0; isOn() && looks < 5; looks += 1) {
		stage.passTo(stage.played().execution.due_at ?? began);
		stage.look(last);
	}
};

const afterwards = (stage: Stage, event: NonNullable<ChainScenario['afterwards']>): void => {
	const ended = {type: 'step_ended', step_order: 0, execution_id: 'run 0', error: null, run_id: 'none'} as const;
	stage.passTo('2026-02-28T09:00:00.000Z');
	if (event === 'cancel') stage.tell({...cancel, user_id: 'mallory'});
	else if (event === 'time') stage.tell({type: 'time_passed', run_id: 'none'});
	else stage.tell({...ended, outcome: event});
};

const isOver = (stage: Stage): boolean => stage.played().execution.status !== 'running';

/** Plays a scenario by a rule. */
export const playChain = (
	scenario: Pick<ChainScenario, 'steps' | 'cancel' | 'afterwards'>,
	rule: Rule = transition,
): Played => {
	const stage = createStage(scenario.steps, rule);
	if (scenario.cancel === 'before_begin') stage.tell(cancel);
	stage.look(null);
	for (let moves = 0; !isOver(stage) && moves <= scenario.steps.length; moves += 1) {
		const order = stage.played().execution.current_step ?? 0;
		if (scenario.cancel === order) stage.tell(cancel);
		else playStep(stage, scenario.steps[order]?.does ?? 'succeed');
	}
	if (scenario.afterwards !== undefined) afterwards(stage, scenario.afterwards);
	return stage.played();
};
