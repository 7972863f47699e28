import type {ExecutionRecord} from '../../cron/model/execution.ts';
import {buildAgent} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	type CronContract,
	type CronWorld,
	holdOf,
	leaseRun,
	leaseRuns,
	mostAgents,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf, parallel, tally} from './world.ts';

const minute = 60;

const executionIds = (leased: readonly Readonly<{execution: ExecutionRecord}>[]) =>
	idsOf(leased.map(({execution}) => execution));

const heartbeat = (
	world: CronWorld,
	agent: Readonly<{user_id: string; id: string; session_id: string | null}>,
	running: readonly Readonly<{execution_id: string; lease_token: string}>[],
) =>
	world.stores.agents.heartbeat({
		...{user_id: agent.user_id, agent_id: agent.id, session_id: agent.session_id ?? ''},
		...{is_draining: false, running, lease_seconds: 60},
	});

export const leasingExecutions: CronContract = {
	subject: 'execution leases',
	cases: {
		'a due run is leased with its job and the token that was brought': async (t, {stores, ...world}) => {
			const {user_id, job, agent} = await addOwner({stores, ...world});
			const execution = await addRun({stores, ...world}, job);
			const request = {user_id, agent_id: agent.id, session_id: agent.session_id ?? '', lease_seconds: 60};
			const before = world.now();
			const leased = await stores.executionLeases.lease({...request, tokens: ['a-token', 'another']});
			const leased_at = leased[0]?.leased_at ?? '';
			t.deepEqual(leased, [{execution, job, lease_token: 'a-token', leased_at, step: null}]);
			t.is(leased_at >= before && leased_at <= world.now(), true);
			t.deepEqual(await readRun({stores, ...world}, {user_id}, execution.id), execution);
		},
		'each is leased to one, also among 50 parallel callers': async (t, world) => {
			const {job, user_id} = await addOwner(world);
			const agent = await addAgent(world, {user_id}, {capacity: 1000});
			await world.stores.agents.update(user_id, agent.id, {is_default: true});
			for (let made = 0; made < 30; made += 1) await addRun(world, job);
			const leased = (await parallel(50, () => leaseRuns(world, agent, 2))).flat();
			t.is(new Set(executionIds(leased)).size, 30);
			t.is(leased.length, 30);
		},
		'the longest due come first, and none before its time or past its deadline': async (t, world) => {
			const {job, agent} = await addOwner(world);
			const second = await addRun(world, job, {after_seconds: 5 * minute});
			const first = await addRun(world, job);
			await addRun(world, job, {after_seconds: 60 * minute});
			await addRun(world, job, {start_within_seconds: minute});
			await world.advance(10 * minute);
			t.deepEqual(executionIds(await leaseRuns(world, agent, 10)), [first.id, second.id]);
		},
		'no more are leased than there are tokens': async (t, world) => {
			const {job, agent} = await addOwner(world);
			for (let made = 0; made < 3; made += 1) await addRun(world, job);
			t.is((await leaseRuns(world, agent, 0)).length, 0);
			t.is((await leaseRuns(world, agent, 2)).length, 2);
			t.is((await leaseRuns(world, agent, 2)).length, 1);
		},
		'no more are held at once than the agent has capacity, also among parallel callers': async (t, world) => {
			const {job, ...owner} = await addOwner(world);
			const agent = await addAgent(world, owner, {capacity: 3});
			await world.stores.agents.update(owner.user_id, agent.id, {is_default: true});
			for (let made = 0; made < 8; made += 1) await addRun(world, job);
			const leased = (await parallel(10, () => leaseRuns(world, agent, 2))).flat();
			t.is(leased.length, 3);
			const [first] = leased.map(holdOf);
			if (first === undefined) throw new Error('three were leased');
			await world.stores.executionLeases.start(owner.user_id, first);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			await world.stores.executions.cancel(owner.user_id, first.execution_id);
			t.is((await leaseRuns(world, agent, 5)).length, 1);
		},
		'a run is for the agent of its job, or for the default one': async (t, world) => {
			const {job, agent, ...owner} = await addOwner(world);
			const second = await addAgent(world, owner);
			const forAny = await addRun(world, job);
			const forSecond = await addRun(world, await addJob(world, owner, {agent_id: second.id}));
			t.deepEqual(executionIds(await leaseRuns(world, second, 5)), [forSecond.id]);
			t.deepEqual(executionIds(await leaseRuns(world, agent, 5)), [forAny.id]);
		},
		'what waits for an agent goes to the first one to come': async (t, world) => {
			const owner = await world.addTenant();
			const {id} = await addRun(world, await addJob(world, owner));
			t.deepEqual(executionIds(await leaseRuns(world, await addAgent(world, owner), 5)), [id]);
		},
		"another user's agent leases nothing of it": async (t, world) => {
			const {job, agent} = await addOwner(world);
			await addRun(world, job);
			const other = await addOwner(world);
			t.deepEqual(await leaseRuns(world, other.agent, 5), []);
			t.deepEqual(await leaseRuns(world, {...agent, user_id: other.user_id}, 5), []);
			t.deepEqual(await leaseRuns(world, buildAgent({user_id: other.user_id}), 5), []);
		},
		'nothing is leased to an earlier session, nor to an agent that drains or has left': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			const {agent: again} = await world.stores.agents.register({...agent, session_id: buildId()}, mostAgents);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			const beat = {user_id, agent_id: agent.id, session_id: again.session_id ?? '', running: [], lease_seconds: 60};
			await world.stores.agents.heartbeat({...beat, is_draining: true});
			t.deepEqual(await leaseRuns(world, again, 5), []);
			await world.stores.agents.leave(user_id, again.id, again.session_id ?? '');
			t.deepEqual(await leaseRuns(world, again, 5), []);
		},
		'a lease that runs out before the start is offered again, and the earlier token starts nothing': async (
			t,
			world,
		) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			const first = await leaseRun(world, agent);
			await world.advance(30);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			await world.advance(60);
			const second = await leaseRun(world, agent);
			t.is(second.execution_id, first.execution_id);
			t.is(await world.stores.executionLeases.start(user_id, first), false);
			t.is(await world.stores.executionLeases.start(user_id, second), true);
		},
		'a heartbeat renews what it names': async (t, world) => {
			const {job, agent} = await addOwner(world);
			await addRun(world, job);
			const hold = await leaseRun(world, agent);
			for (let beat = 0; beat < 4; beat += 1) {
				await world.advance(45);
				t.deepEqual(await heartbeat(world, agent, [hold]), {canceled: [], lost: []});
			}
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			await heartbeat(world, agent, []);
			await world.advance(90);
			t.is((await leaseRuns(world, agent, 5)).length, 1);
		},
	},
};

export const startingExecutions: CronContract = {
	subject: 'execution start',
	cases: {
		'a started run is running, by its agent, and its job has run': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const hold = await leaseRun(world, agent);
			const before = world.now();
			t.is(await world.stores.executionLeases.start(user_id, hold), true);
			const {status, started_at, agent_id} = await readRun(world, {user_id}, id);
			t.deepEqual([status, agent_id], ['running', agent.id]);
			t.is((started_at ?? '') >= before && (started_at ?? '') <= world.now(), true);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.last_run_at, started_at);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.version, 1);
		},
		'asked again by its holder it says so again, and starts nothing twice': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const hold = await startRun(world, agent);
			const started = await readRun(world, {user_id}, id);
			await world.advance(minute);
			t.is(await world.stores.executionLeases.start(user_id, hold), true);
			t.deepEqual(await readRun(world, {user_id}, id), started);
		},
		'a started run is offered to nobody, however long it takes': async (t, world) => {
			const {job, agent} = await addOwner(world);
			await addRun(world, job);
			await startRun(world, agent);
			await world.advance(600 * minute);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
		},
		'nobody starts it with another token, for another user, or without a lease': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const unleased = await addRun(world, job);
			const hold = {execution_id: unleased.id, lease_token: ''};
			t.is(await world.stores.executionLeases.start(user_id, hold), false);
			const leased = await leaseRun(world, agent);
			const other = await world.addTenant();
			t.is(await world.stores.executionLeases.start(other.user_id, leased), false);
			t.is(await world.stores.executionLeases.start(user_id, {...leased, lease_token: 'guessed'}), false);
			t.is(await world.stores.executionLeases.start(user_id, {...leased, execution_id: buildId()}), false);
			t.is((await readRun(world, {user_id}, unleased.id)).status, 'pending');
		},
		'a lease that ran out still counts while nobody took it': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			const hold = await leaseRun(world, agent);
			await world.advance(2 * minute);
			t.is(await world.stores.executionLeases.start(user_id, hold), true);
		},
		'a start and a cancel at once end in one of both orders': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const hold = await leaseRun(world, agent);
			const [started] = await Promise.all([
				world.stores.executionLeases.start(user_id, hold),
				world.stores.executions.cancel(user_id, id),
			]);
			const {status, started_at} = await readRun(world, {user_id}, id);
			t.deepEqual([status, started_at !== null], ['canceled', started]);
		},
		'of a start with an old lease and a new lease at once one holds': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			const old = await leaseRun(world, agent);
			await world.advance(2 * minute);
			const [started, leased] = await Promise.all([
				world.stores.executionLeases.start(user_id, old),
				leaseRuns(world, agent, 1),
			]);
			t.deepEqual(tally([started, leased.length === 1]), {true: 1, false: 1});
		},
	},
};
