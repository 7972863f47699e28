import {buildAcceptable, buildEndpoint} from '@signalbox/core/testing';
import test from 'ava';
import type {Chain} from '../../src/cron/model/chain.ts';
import type {ChainSettings} from '../../src/cron/model/chain-settings.ts';
import type {CronJob} from '../../src/cron/model/job.ts';
import type {JobSettings} from '../../src/cron/model/job-settings.ts';
import type {DomainEvent} from '../../src/ports/index.ts';
import {addAgent, addJob, leaseOne, runOne, runsOf, startOne, startWorld, toldOf, type World} from './world.ts';

const minute = 60_000;
const page = {limit: 20, offset: 0};

type Steps = readonly (JobSettings & Readonly<{on?: 'on_success' | 'on_failure' | 'always'; seconds?: number}>)[];

/** A chain of jobs of its own. */
const addChain = async (world: World, steps: Steps, settings: Partial<ChainSettings> = {}): Promise<Chain> => {
	const jobs: CronJob[] = [];
	for (const {on: _, seconds: __, ...job} of steps) jobs.push(await addJob(world, {is_enabled: false, ...job}));
	return world.cron.chains.create(world.caller, {
		...{name: 'Nightly', trigger_type: 'manual', ...settings},
		steps: steps.map(({on: condition_type, seconds: timeout_seconds}, step_order) => ({
			...{cron_job_id: jobs[step_order]?.id ?? '', step_order},
			...(condition_type && {condition_type}),
			...(timeout_seconds && {timeout_seconds}),
		})),
	});
};

/** Moves on whatever is due, until nothing is. */
const settle = async ({cron}: World): Promise<void> => {
	while ((await cron.chainProgress.advance(10)) > 0);
};

test('[CHN-055] a step starts as soon as the one before has succeeded, and the chain is completed after the last one', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {id} = await world.cron.chains.run(world.caller, (await addChain(world, [{}, {}])).id);
	await runOne(world, session);
	await settle(world);
	t.like(await world.cron.chainExecutions.get(world.caller, id), {status: 'running', current_step: 1});
	await runOne(world, session);
	await settle(world);
	const {status, steps} = await world.cron.chainExecutions.get(world.caller, id);
	t.deepEqual([status, steps.map((step) => step.status)], ['completed', ['success', 'success']]);
});

test('[CHN-077] each attempt gets the lesser of the timeout of its job and what is left to its step', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const retry_config = {max_retries: 1, intervals: [60]};
	const chain = await addChain(world, [{timeout_seconds: 100, retry_config, seconds: 150}]);
	await world.cron.chains.run(world.caller, chain.id);
	t.is((await leaseOne(world, session)).timeout_ms, 100_000);
	await world.clock.advance(minute);
	await runOne(world, session, {outcome: 'exited', exit_code: 1});
	await settle(world);
	await world.clock.advance(minute);
	t.is((await leaseOne(world, session)).timeout_ms, 30_000);
});

test('[CHN-078] what is changed of a chain does not reach what runs of it', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const chain = await addChain(world, [{}, {name: 'As it was'}]);
	const {id} = await world.cron.chains.run(world.caller, chain.id);
	const {cron_job_id = ''} = chain.steps[0] ?? {};
	await world.cron.chains.update(world.caller, chain.id, {name: 'Other', steps: [{cron_job_id, step_order: 0}]});
	await runOne(world, session);
	await settle(world);
	const {chain_name, steps} = await world.cron.chainExecutions.get(world.caller, id);
	t.deepEqual([chain_name, steps.length, steps[1]?.status], ['Nightly', 2, 'running']);
	t.is((await runsOf(world))[0]?.job_name, 'As it was');
});

test('[CHN-087 CHN-053] a tick starts a chain of a schedule, is skipped while that runs, and starts no other chain', async (t) => {
	const world = await startWorld();
	const chain = await addChain(world, [{}], {trigger_type: 'schedule', trigger_schedule: 'every minute'});
	const manual = await addChain(world, [{}], {trigger_schedule: 'every minute'});
	await world.clock.advance(minute);
	t.deepEqual(await world.cron.chainTicks.tick(10), {due: 1, fired: 1});
	await world.clock.advance(minute);
	t.deepEqual(await world.cron.chainTicks.tick(10), {due: 1, fired: 0});
	t.is((await world.cron.chainExecutions.list(world.caller, chain.id, page)).total, 1);
	t.is((await world.cron.chainExecutions.list(world.caller, manual.id, page)).total, 0);
});

test('[CHN-093 CHN-094] the command of a step is told the event, and nothing else of it', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {user_id, team_id} = world.caller;
	const endpoint = buildEndpoint({user_id, team_id});
	await world.ports.endpoints.create(endpoint, null);
	const environment = {SIGNALBOX_EVENT_ID: 'mine', A: 'b'};
	const webhook = {trigger_type: 'webhook', trigger_endpoint_id: endpoint.id} as const;
	const chain = await addChain(world, [{environment}, {environment}], webhook);
	const acceptable = buildAcceptable({endpoint});
	await world.ports.intake.accept(acceptable);
	await settle(world);
	for (let step = 0; step < 2; step += 1) {
		const spec = await runOne(world, session);
		t.deepEqual(spec.environment, {A: 'b', SIGNALBOX_EVENT_ID: acceptable.event.id});
		t.is(spec.command, 'backup --all');
		await settle(world);
	}
	await world.cron.chains.run(world.caller, chain.id);
	t.deepEqual((await leaseOne(world, session)).environment, environment);
});

test('[CHN-069 CHN-070 CHN-071] who is lost, is not there in time, or cannot begin leaves no success', async (t) => {
	const world = await startWorld();
	const steps = [{}, {on: 'always', seconds: 86_400}, {on: 'always'}] as const;
	const {id} = await world.cron.chains.run(world.caller, (await addChain(world, steps)).id);
	const session = await addAgent(world);
	await startOne(world, session);
	await world.clock.advance(5 * minute);
	await world.cron.overdue.giveUp(10);
	await settle(world);
	await world.clock.advance(61 * minute);
	await world.cron.overdue.giveUp(10);
	await settle(world);
	const again = await addAgent(world);
	await world.cron.agents.update(world.caller, again.agent_id, {is_default: true});
	await runOne(world, again, {outcome: 'spawn_error', exit_code: null});
	await settle(world);
	const execution = await world.cron.chainExecutions.get(world.caller, id);
	t.deepEqual(
		execution.steps.map(({status, error}) => [status, error]),
		[
			['failed', 'agent_lost'],
			['failed', 'agent_offline'],
			['failed', 'The command could not begin.'],
		],
	);
	t.is(execution.status, 'failed');
});

test('a chain that failed is told of once, in the words of its first step that did, and one that was canceled is not', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const chain = await addChain(world, [{name: 'Copy'}]);
	await world.cron.chains.run(world.caller, chain.id);
	await runOne(world, session, {exit_code: 3});
	const canceled = await world.cron.chains.run(world.caller, chain.id);
	await world.cron.chainExecutions.cancel(world.caller, canceled.id);
	await settle(world);
	for (let looks = 0; looks < 2; looks += 1) await world.cron.chainNews.tell(10);
	const told = await toldOf(world);
	t.is(told.length, 1);
	t.like(told[0], {type: 'chain_failure', title: 'Nightly failed'});
	t.is(told[0]?.message, 'Step 0 (Copy) failed. The command ended with exit code 3.');
	t.like(told[0]?.data, {chain_id: chain.id, status: 'failed'});
});

test('whoever listens hears how a chain stands, agents of what is canceled, and the server when to go on', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const events: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => events.push(event));
	const {id} = await world.cron.chains.run(world.caller, (await addChain(world, [{}, {}])).id);
	const chain_execution_id = id;
	t.like(events.at(-1), {type: 'chain.execution', chain_execution_id, status: 'running', current_step: 0});
	await runOne(world, session);
	t.is(events.at(-1)?.type, 'chain.execution.due');
	await settle(world);
	const spec = await startOne(world, session);
	events.length = 0;
	await world.cron.chainExecutions.cancel(world.caller, id);
	t.like(events[0], {type: 'cron.execution', execution_id: spec.execution_id, status: 'canceled'});
	t.like(events.at(-1), {type: 'chain.execution', chain_execution_id, status: 'canceled', current_step: null});
});
