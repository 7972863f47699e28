import test from 'ava';
import {transition} from '../../src/cron/rules/chain-lifecycle.ts';
import {chainScenarios} from './chain-scenarios.ts';
import {newExecution, playChain} from './play-chain.ts';

for (const scenario of chainScenarios) {
	const {ids = [], name, then, status, errors} = scenario;
	test(`${ids.length > 0 ? `[${ids.join(' ')}] ` : ''}a chain: ${name}`, (t) => {
		const {execution, effects} = playChain(scenario);
		t.deepEqual([execution.status, execution.steps.map((step) => step.status)], [status, [...then]]);
		if (errors !== undefined)
			t.deepEqual(
				execution.steps.map((step) => step.error),
				[...errors],
			);
		t.like(execution, {current_step: null, due_at: null});
		t.not(execution.completed_at, null);
		const started = effects.flatMap((effect) => (effect.type === 'start_run' ? [effect.step_order] : []));
		const ran = execution.steps.filter((step) => step.started_at !== null).map((step) => step.step_order);
		t.deepEqual(started, ran, 'what ran was started, once, in order');
		t.is(new Set(effects.map(({id}) => id)).size, effects.length, 'no two effects share an id');
		t.is(effects.filter(({type}) => type === 'tell').length, status === 'failed' ? 1 : 0);
	});
}

test('there are scenarios for each condition and outcome, and twelve and more of them are walked end to end', (t) => {
	t.true(chainScenarios.length >= 40);
	t.true(chainScenarios.filter(({end_to_end}) => end_to_end).length >= 12);
	t.is(new Set(chainScenarios.map(({name}) => name)).size, chainScenarios.length);
});

test('[CHN-017 CHN-054] steps run in ascending order, each only after the one before it has ended', (t) => {
	const {effects, execution} = playChain({steps: [{does: 'succeed'}, {does: 'succeed'}, {does: 'succeed'}]});
	t.deepEqual(
		effects.map((effect) => effect.id),
		['x/0/start', 'x/1/start', 'x/2/start'],
	);
	const [first, second, third] = execution.steps;
	t.true(
		(first?.completed_at ?? '') <= (second?.started_at ?? '') &&
			(second?.completed_at ?? '') <= (third?.started_at ?? ''),
	);
});

test('[CHN-054] what is told of a step that does not run, as it ended before or has not begun, starts nothing', (t) => {
	const began = '2026-01-31T09:00:00.000Z';
	const told = (step_order: number) => ({step_order, execution_id: `run ${step_order}`, run_id: 'none'});
	const [first] = transition(
		newExecution([{}, {}, {}].map(() => ({does: 'succeed'}))),
		{type: 'begin', run_id: 'run 0'},
		began,
	);
	const end = {type: 'step_ended', ...told(0), outcome: 'success', error: null} as const;
	const [second, effects] = transition(first, end, began);
	t.deepEqual([second.current_step, effects.length], [1, 1]);
	for (const step_order of [0, 2, 3]) {
		for (const outcome of ['success', 'failed', 'timeout', 'canceled'] as const)
			t.deepEqual(transition(second, {...end, ...told(step_order), outcome}, began), [second, []]);
		t.deepEqual(transition(second, {type: 'step_retried', ...told(step_order)}, began), [second, []]);
	}
});

test('[CHN-083] a cancel has the runs of the step that runs canceled, and nothing else', (t) => {
	const {effects} = playChain({steps: [{does: 'succeed'}, {does: 'hang'}, {does: 'succeed', on: 'always'}], cancel: 1});
	t.deepEqual(effects.at(-1), {type: 'cancel_runs', id: 'x/1/cancel', step_order: 1});
	t.is(playChain({steps: [{does: 'hang'}], cancel: 'before_begin'}).effects.length, 0);
});

test('[CHN-076] the deadline of a step counts from when it becomes ready, and no run of it waits longer', (t) => {
	const {effects} = playChain({
		steps: [
			{does: 'succeed', timeout: 50},
			{does: 'succeed', timeout: 7200},
		],
	});
	t.like(effects[0], {deadline_at: '2026-01-31T09:00:50.000Z', start_within_seconds: 50});
	t.like(effects[1], {deadline_at: '2026-01-31T11:00:01.000Z', start_within_seconds: 3600});
});

test('a transition made again has effects of the same ids', (t) => {
	const steps = [{does: 'fail'}, {does: 'hang', on: 'always', timeout: 3}, {does: 'succeed', on: 'always'}] as const;
	t.deepEqual(playChain({steps}), playChain({steps}));
});
