import {buildChainStep} from '../builders/chains.ts';
import {buildId} from '../builders/identity.ts';
import {
	addChain,
	addChainOwner,
	addRunningChain,
	cancelEffect,
	dueOne,
	end,
	ended,
	readChainExecution,
	startChain,
	startingStep,
	startStep,
} from './chain-world.ts';
import {addRun, type CronContract, leaseRuns, listRuns, readRun} from './cron-world.ts';
import {idsOf, parallel, reasonOf, tally} from './world.ts';

const page = {limit: 10, offset: 0};
const day = 24 * 3600;

export const creatingChainExecutions: CronContract = {
	subject: 'chain execution start',
	cases: {
		'it copies the steps as they are, with the names that their jobs have': async (t, world) => {
			const owner = await addChainOwner(world, {name: 'Nightly'});
			const gone = buildChainStep({step_order: 1, job_name: 'Gone', condition_type: 'always', timeout_seconds: 9});
			const named = buildChainStep({cron_job_id: owner.job.id, job_name: 'As it was called'});
			const chain = await addChain(world, owner, {name: 'Nightly', steps: [named, gone]});
			const before = world.now();
			const id = buildId();
			const execution = await startChain(world, chain, {id});
			const {started_at, due_at} = execution;
			t.is(started_at >= before && started_at <= world.now() && started_at === due_at, true);
			const unbegun = {status: 'pending', execution_id: null, started_at: null, completed_at: null, error: null};
			t.deepEqual(execution, {
				...{id, chain_id: chain.id, chain_name: 'Nightly', user_id: owner.user_id, status: 'running'},
				...{triggered_by: 'manual', trigger_event_id: null, current_step: null, canceled_by: null},
				...{started_at, completed_at: null, due_at, version: 1},
				steps: [
					{...named, job_name: owner.job.name, ...unbegun},
					{...gone, ...unbegun},
				],
			});
			t.deepEqual(await readChainExecution(world, execution), execution);
		},
		'later changes of the chain do not reach it': async (t, world) => {
			const {chain, user_id} = await addChainOwner(world);
			const execution = await startChain(world, chain);
			await world.stores.chains.update(user_id, {...chain, name: 'Other', steps: [buildChainStep()]}, 1);
			t.deepEqual(await readChainExecution(world, execution), execution);
		},
		'a chain that is gone, or of somebody else, is not started': async (t, world) => {
			const {chain} = await addChainOwner(world);
			const other = await world.addTenant();
			const foreign = startChain(world, {...chain, user_id: other.user_id});
			t.is(await reasonOf(foreign), 'resource_not_found');
			await world.stores.chains.delete(chain.user_id, chain.id);
			t.is(await reasonOf(startChain(world, chain)), 'resource_not_found');
		},
		'executions of a chain are listed newest first, by pages, to its user alone': async (t, world) => {
			const owner = await addChainOwner(world);
			await startChain(world, await addChain(world, owner));
			const first = await startChain(world, owner.chain);
			await world.advance(2);
			const second = await startChain(world, owner.chain);
			const {list, get} = world.stores.chainExecutions;
			const found = await list(owner.user_id, owner.chain.id, page);
			t.deepEqual([idsOf(found?.data ?? []), found?.total], [[second.id, first.id], 2]);
			const next = await list(owner.user_id, owner.chain.id, {limit: 1, offset: 1});
			t.deepEqual([idsOf(next?.data ?? []), next?.total, next?.limit, next?.offset], [[first.id], 2, 1, 1]);
			const other = await world.addTenant();
			t.is(await list(other.user_id, owner.chain.id, page), undefined);
			t.is(await get(other.user_id, first.id), undefined);
		},
	},
};

export const advancingChains: CronContract = {
	subject: 'chain execution advance',
	cases: {
		'a step starts with a run of its job that is due at once': async (t, world) => {
			const owner = await addChainOwner(world);
			const execution = await startChain(world, owner.chain);
			const [next, start] = startingStep(world, execution);
			const advanced = await world.stores.chainExecutions.advance(next, [start]);
			t.deepEqual(await readChainExecution(world, execution), {...next, version: 2});
			const [run] = await listRuns(world, owner);
			t.deepEqual(advanced, {started: [run], canceled: []});
			const {id, job_id, triggered_by, attempt, status} = run ?? {};
			const wanted = [next.steps[0]?.execution_id, owner.job.id, 'chain', 1, 'pending'];
			t.deepEqual([id, job_id, triggered_by, attempt, status], wanted);
		},
		'its run tells its agent the deadline of the step and the event, and other runs do not': async (t, world) => {
			const owner = await addChainOwner(world);
			const event_id = buildId();
			const started = {triggered_by: 'webhook', trigger_event_id: event_id} as const;
			const {execution} = await startStep(world, await startChain(world, owner.chain, started), {seconds: 77});
			await addRun(world, owner.job, {triggered_by: 'retry'});
			const leased = await leaseRuns(world, owner.agent, 10);
			const byTrigger = new Map(leased.map((each) => [each.execution.triggered_by, each]));
			t.deepEqual(byTrigger.get('chain')?.step, {deadline_at: execution.due_at, event_id});
			t.is(byTrigger.get('retry')?.step, null);
			t.is(
				leased.every(({leased_at}) => leased_at >= execution.started_at && leased_at <= world.now()),
				true,
			);
		},
		'of 100 parallel starts of a step one is made, and one run': async (t, world) => {
			const owner = await addChainOwner(world);
			const execution = await startChain(world, owner.chain);
			const answers = await parallel(100, () => {
				const [next, start] = startingStep(world, execution);
				return world.stores.chainExecutions.advance(next, [start]);
			});
			t.deepEqual(tally(answers.map((answer) => answer === undefined)), {false: 1, true: 99});
			t.is((await listRuns(world, owner)).length, 1);
		},
		'what knows too little changes nothing, and starts nothing': async (t, world) => {
			const owner = await addRunningChain(world);
			const [stale, start] = startingStep(world, {...owner.execution, version: 1}, {order: 1});
			t.is(await world.stores.chainExecutions.advance(stale, [start, cancelEffect(owner.execution)]), undefined);
			t.deepEqual(await readChainExecution(world, owner.execution), owner.execution);
			t.deepEqual(idsOf(await listRuns(world, owner)), [owner.run.id]);
			t.is((await readRun(world, owner, owner.run.id)).status, 'pending');
		},
		'once it is over nothing changes it': async (t, world) => {
			const owner = await addRunningChain(world);
			await end(world, owner.execution, 'canceled');
			const over = await readChainExecution(world, owner.execution);
			const [next, start] = startingStep(world, over, {order: 1});
			t.is(await world.stores.chainExecutions.advance(next, [start]), undefined);
			t.deepEqual(await readChainExecution(world, over), over);
			t.is((await listRuns(world, owner)).length, 1);
		},
		'a step whose job is gone makes no run, and is due at once': async (t, world) => {
			const owner = await addChainOwner(world);
			const execution = await startChain(world, owner.chain);
			await world.stores.cronJobs.delete(owner.user_id, owner.job.id);
			const [next, start] = startingStep(world, execution);
			t.deepEqual(await world.stores.chainExecutions.advance(next, [start]), {started: [], canceled: []});
			const due = await dueOne(world);
			t.deepEqual([due.execution.current_step, due.run], [0, null]);
		},
		'a canceled step ends each attempt that has not ended, and no other run': async (t, world) => {
			const owner = await addRunningChain(world);
			const other = await addRun(world, owner.job);
			const next = ended(world, owner.execution, 'canceled');
			const advanced = await world.stores.chainExecutions.advance(next, [cancelEffect(owner.execution)]);
			t.deepEqual(
				advanced?.canceled.map(({id, status}) => [id, status]),
				[[owner.run.id, 'canceled']],
			);
			t.is((await readRun(world, owner, owner.run.id)).status, 'canceled');
			t.is((await readRun(world, owner, other.id)).status, 'pending');
			t.deepEqual(await readChainExecution(world, next), {...next, version: next.version + 1});
		},
		'of parallel cancels and starts of the next step one happens, and nothing runs of a canceled one': async (
			t,
			world,
		) => {
			for (let round = 0; round < 20; round += 1) {
				const owner = await addRunningChain(world);
				const {advance} = world.stores.chainExecutions;
				const answers = await parallel(10, (index) => {
					if (index % 2 === 0)
						return advance(ended(world, owner.execution, 'canceled'), [cancelEffect(owner.execution)]);
					const [next, start] = startingStep(world, owner.execution, {order: 1});
					return advance(next, [start]);
				});
				t.is(answers.filter((answer) => answer !== undefined).length, 1);
				const {status} = await readChainExecution(world, owner.execution);
				const runs = tally((await listRuns(world, owner)).map((run) => run.status));
				t.deepEqual(runs, status === 'canceled' ? {canceled: 1} : {pending: 2});
			}
		},
	},
};

export const endedChains: CronContract = {
	subject: 'ended chain executions',
	cases: {
		'one of which somebody is to be told is there until they were': async (t, world) => {
			const owner = await addChainOwner(world);
			const first = await startChain(world, owner.chain);
			await end(world, first, 'failed');
			await world.advance(2);
			const second = await startChain(world, owner.chain);
			await end(world, second, 'failed');
			await end(world, await startChain(world, owner.chain), 'completed');
			const {untold, told} = world.stores.chainExecutions;
			const [oldest] = await untold(10);
			t.deepEqual(oldest, await readChainExecution(world, first));
			t.deepEqual(idsOf(await untold(10)), [first.id, second.id]);
			t.deepEqual(idsOf(await untold(1)), [first.id]);
			await told(first.id);
			t.deepEqual(idsOf(await untold(10)), [second.id]);
		},
		'those that ended longer ago than their plan keeps them go, a few at a time, and none that runs': async (
			t,
			world,
		) => {
			const retention = {days_by_plan: new Map([['pro', 30]]), otherwise: 7};
			const owner = await addChainOwner(world);
			const old = await parallel(3, () => startChain(world, owner.chain));
			for (const each of old) await end(world, each, 'completed');
			const running = await startChain(world, owner.chain);
			await world.advance(8 * day);
			const young = await startChain(world, owner.chain);
			await end(world, young, 'completed');
			const {purge, list} = world.stores.chainExecutions;
			t.is(await purge(retention, 2), 2);
			t.is(await purge(retention, 2), 1);
			t.is(await purge(retention, 2), 0);
			t.deepEqual(idsOf((await list(owner.user_id, owner.chain.id, page))?.data ?? []), [young.id, running.id]);
		},
	},
};
