import test from 'ava';
import fc from 'fast-check';
import {type ChainEvent, transition} from '../../src/cron/rules/chain-lifecycle.ts';
import type {ScenarioStep} from './chain-scenarios.ts';
import {type Played, playChain, type Rule} from './play-chain.ts';
import {referenceChain} from './reference-chain.ts';

const runs = 5000;

const step = fc.record<Required<Pick<ScenarioStep, 'does' | 'on' | 'timeout'>>>({
	does: fc.constantFrom(
		...(['succeed', 'fail', 'time_out', 'hang', 'wait', 'agent_lost', 'agent_offline', 'cancel_run'] as const),
		...(['job_deleted', 'job_deleted_meanwhile', 'spawn_error', 'succeed', 'succeed'] as const),
		...(['retry_then_succeed', 'retry_then_fail', 'retry_then_hang', 'retry_then_wait'] as const),
	),
	on: fc.constantFrom('on_success', 'on_failure', 'always'),
	timeout: fc.integer({min: 10, max: 86_400}),
});

const chain = fc.record({
	steps: fc.array(step, {minLength: 1, maxLength: 8}),
	cancel: fc.option(fc.nat({max: 7}), {nil: undefined, freq: 4}),
});

type Chain = typeof chain extends fc.Arbitrary<infer T> ? T : never;

const seen = ({execution: {status, steps}, effects}: Played) => ({
	status,
	statuses: steps.map((each) => each.status as string),
	ran: effects.flatMap((effect) => (effect.type === 'start_run' ? [effect.step_order] : [])),
});

const agree = ({steps, cancel}: Chain, rule: Rule): boolean => {
	const scenario = cancel === undefined ? {steps} : {steps, cancel};
	return JSON.stringify(seen(playChain(scenario, rule))) === JSON.stringify(referenceChain(steps, cancel));
};

const checked = (rule: Rule) =>
	fc.check(
		fc.property(chain, (each) => agree(each, rule)),
		{numRuns: runs, endOnFailure: true},
	);

test('5,000 random chains run the same steps and end the same way as the reference model says', (t) => {
	const {failed, counterexample, numRuns} = checked(transition);
	t.false(failed, JSON.stringify(counterexample));
	t.is(numRuns, runs);
});

/** What rules with a fault would do: the right rule, told or answering something slightly different. */
const mutants: Readonly<Record<string, Rule>> = {
	'a step that timed out counts as a success': (execution, event, now) =>
		transition(execution, event.type === 'step_ended' && event.outcome === 'timeout' ? succeeded(event) : event, now),
	'a handler that succeeds makes the execution completed': (execution, event, now) => {
		const [next, effects] = transition(execution, event, now);
		const isMended = next.status === 'failed' && next.steps.findLast(hasEnded)?.status === 'success';
		return [isMended ? {...next, status: 'completed'} : next, effects];
	},
	'the previous step is the one before, also when it was skipped': (execution, event, now) => {
		const [next, effects] = transition(execution, event, now);
		const [start] = effects.filter(({type}) => type === 'start_run');
		const before = start?.type === 'start_run' ? next.steps[start.step_order - 1] : undefined;
		const order = start?.type === 'start_run' ? start.step_order : 0;
		if (before?.status !== 'skipped' || next.steps[order]?.condition_type !== 'on_success') return [next, effects];
		const over = {status: 'completed', current_step: null, due_at: null, completed_at: now} as const;
		return [{...next, ...over}, effects];
	},
	'a cancel lets steps that always run go on': (execution, event, now) =>
		event.type === 'cancel' && execution.current_step !== null
			? transition(execution, canceledAlone(execution.current_step), now)
			: transition(execution, event, now),
};

const hasEnded = ({status}: Readonly<{status: string}>): boolean => status !== 'skipped' && status !== 'pending';

const succeeded = (event: Extract<ChainEvent, {type: 'step_ended'}>): ChainEvent => ({...event, outcome: 'success'});

const canceledAlone = (step_order: number): ChainEvent => ({
	...{type: 'step_ended', step_order, execution_id: null, outcome: 'canceled', error: null, run_id: 'none'},
});

for (const [name, mutant] of Object.entries(mutants)) {
	test(`the model tells when ${name}`, (t) => {
		t.true(checked(mutant).failed);
	});
}
