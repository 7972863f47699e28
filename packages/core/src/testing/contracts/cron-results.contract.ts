import type {OverdueExecution} from '../../ports/index.ts';
import {buildEnding, buildNewExecution} from '../builders/cron.ts';
import {
	addOwner,
	addRun,
	addRunning,
	type CronContract,
	type CronWorld,
	leaseRun,
	leaseRuns,
	listRuns,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf, parallel, tally} from './world.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const minute = 60;
const lost = 2 * minute;

type Running = Awaited<ReturnType<typeof addRunning>>;

const print = (
	world: CronWorld,
	{user_id, hold}: Pick<Running, 'user_id' | 'hold'>,
	[offset, text]: readonly [number, string],
) => world.stores.executionLeases.append(user_id, {...hold, stream: 'stderr', offset, data: utf8(text)}, 20);

const failing = buildEnding({
	result: {status: 'failed', exit_code: 3, duration_ms: 40, error: 'It ended with 3.', truncated: false},
});

export const appendingOutput: CronContract = {
	subject: 'output of executions',
	cases: {
		'what comes in order is kept in order': async (t, world) => {
			const owner = await addRunning(world);
			t.is(await print(world, owner, [0, 'one ']), 4);
			t.is(await print(world, owner, [4, 'zwei']), 8);
			const {output, truncated} = await readRun(world, owner, owner.id);
			t.deepEqual([output, truncated], ['one zwei', false]);
		},
		'what is there is not added twice, and what is new of it is': async (t, world) => {
			const owner = await addRunning(world);
			await print(world, owner, [0, 'abcd']);
			t.is(await print(world, owner, [0, 'abcd']), 4);
			t.is(await print(world, owner, [1, 'b']), 4);
			t.is(await print(world, owner, [2, 'cdef']), 6);
			t.is((await readRun(world, owner, owner.id)).output, 'abcdef');
		},
		'the same chunk in parallel is added once': async (t, world) => {
			const owner = await addRunning(world);
			t.deepEqual(tally(await parallel(20, () => print(world, owner, [0, 'once']))), {4: 20});
			t.is((await readRun(world, owner, owner.id)).output, 'once');
		},
		'nothing is added behind a gap': async (t, world) => {
			const owner = await addRunning(world);
			await print(world, owner, [0, 'ab']);
			t.is(await print(world, owner, [3, 'd']), 2);
			t.is((await readRun(world, owner, owner.id)).output, 'ab');
		},
		'what is too much is dropped, and said to be': async (t, world) => {
			const owner = await addRunning(world);
			t.is(await print(world, owner, [0, '0123456789']), 10);
			t.is(await print(world, owner, [10, 'abcdefghij']), 20);
			t.is((await readRun(world, owner, owner.id)).truncated, false);
			t.is(await print(world, owner, [20, 'K']), 21);
			t.is(await print(world, owner, [21, 'LMNOP']), 26);
			const {output, truncated} = await readRun(world, owner, owner.id);
			t.deepEqual([output, truncated], ['0123456789abcdefghij', true]);
			await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding());
			t.is((await readRun(world, owner, owner.id)).truncated, true);
		},
		'nothing is added by another token, for another user, before the start or after the end': async (t, world) => {
			const owner = await addRunning(world);
			const other = await world.addTenant();
			t.is(await print(world, {...owner, user_id: other.user_id}, [0, 'x']), undefined);
			const guessed = {...owner.hold, lease_token: 'guessed'};
			t.is(await print(world, {...owner, hold: guessed}, [0, 'x']), undefined);
			await addRun(world, owner.job);
			t.is(await print(world, {...owner, hold: await leaseRun(world, owner.agent)}, [0, 'x']), undefined);
			await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding());
			t.is(await print(world, owner, [0, 'x']), undefined);
			t.is((await readRun(world, owner, owner.id)).output, '');
		},
	},
};

export const finishingExecutions: CronContract = {
	subject: 'execution end',
	cases: {
		'a running one ends with its result, by the clock of the store': async (t, world) => {
			const owner = await addRunning(world);
			const running = await readRun(world, owner, owner.id);
			await world.advance(minute);
			const before = world.now();
			t.is(await world.stores.executionLeases.finish(owner.user_id, owner.hold, failing), true);
			const ended = await readRun(world, owner, owner.id);
			const {completed_at} = ended;
			t.deepEqual(ended, {...running, ...failing.result, completed_at});
			t.is((completed_at ?? '') >= before && (completed_at ?? '') <= world.now(), true);
		},
		'a leased one that cannot start ends too': async (t, world) => {
			const owner = await addOwner(world);
			const {id} = await addRun(world, owner.job);
			const hold = await leaseRun(world, owner.agent);
			t.is(await world.stores.executionLeases.finish(owner.user_id, hold, failing), true);
			const {status, started_at, completed_at} = await readRun(world, owner, id);
			t.deepEqual([status, started_at, completed_at === null], ['failed', null, false]);
			t.is(await world.stores.executionLeases.start(owner.user_id, hold), false);
		},
		'a retry comes with it, once': async (t, world) => {
			const {hold, job, agent, ...owner} = await addRunning(world);
			const retry = buildNewExecution({
				job_id: job.id,
				triggered_by: 'retry',
				attempt: 2,
				retry_of: owner.id,
				after_seconds: 600,
			});
			const {finish} = world.stores.executionLeases;
			t.is(await finish(owner.user_id, hold, {...failing, retry}), true);
			t.is(await finish(owner.user_id, hold, {...failing, retry: {...retry, id: `${retry.id}x`}}), true);
			const [pending, ended, ...more] = await listRuns(world, owner);
			t.deepEqual(
				[pending?.id, pending?.status, pending?.attempt, pending?.retry_of],
				[retry.id, 'pending', 2, owner.id],
			);
			t.deepEqual([ended?.id, ended?.status, more], [owner.id, 'failed', []]);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			await world.advance(660);
			t.is((await leaseRuns(world, agent, 5)).length, 1);
		},
		'told again how it ended it says so again; told otherwise it does not': async (t, world) => {
			const owner = await addRunning(world);
			const {finish} = world.stores.executionLeases;
			const answers = await parallel(20, () => finish(owner.user_id, owner.hold, failing));
			t.deepEqual(tally(answers), {true: 20});
			t.is(await finish(owner.user_id, owner.hold, buildEnding()), false);
			t.is((await readRun(world, owner, owner.id)).status, 'failed');
		},
		'nobody ends it with another token or for another user': async (t, world) => {
			const owner = await addRunning(world);
			const other = await world.addTenant();
			const {finish} = world.stores.executionLeases;
			t.is(await finish(other.user_id, owner.hold, failing), false);
			t.is(await finish(owner.user_id, {...owner.hold, lease_token: 'guessed'}, failing), false);
			t.is((await readRun(world, owner, owner.id)).status, 'running');
		},
		'output that was cut by the agent is said to be': async (t, world) => {
			const owner = await addRunning(world);
			await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding({result: {truncated: true}}));
			t.is((await readRun(world, owner, owner.id)).truncated, true);
		},
	},
};

const causesOf = (found: readonly OverdueExecution[]) => found.map(({execution, cause}) => [execution.id, cause]);

export const overdueExecutions: CronContract = {
	subject: 'overdue executions',
	cases: {
		'a pending one that nobody leased by its deadline is overdue, the longest first': async (t, world) => {
			const owner = await addOwner(world);
			const second = await addRun(world, owner.job, {start_within_seconds: 10 * minute});
			const first = await addRun(world, owner.job, {start_within_seconds: 5 * minute});
			await addRun(world, owner.job, {after_seconds: 60 * minute, start_within_seconds: minute});
			t.deepEqual(await world.stores.executionLeases.overdue(lost, 10), []);
			await world.advance(11 * minute);
			const found = await world.stores.executionLeases.overdue(lost, 10);
			t.deepEqual(causesOf(found), [
				[first.id, 'agent_offline'],
				[second.id, 'agent_offline'],
			]);
			t.deepEqual(found[0]?.execution, first);
			t.deepEqual(causesOf(await world.stores.executionLeases.overdue(lost, 1)), [[first.id, 'agent_offline']]);
		},
		'one that is leased at its deadline may start, and is overdue once its lease has run out': async (t, world) => {
			const owner = await addOwner(world);
			const {id} = await addRun(world, owner.job, {start_within_seconds: 2 * minute});
			await world.advance(90);
			await leaseRun(world, owner.agent);
			await world.advance(45);
			t.deepEqual(await world.stores.executionLeases.overdue(lost, 10), []);
			await world.advance(45);
			t.deepEqual(causesOf(await world.stores.executionLeases.overdue(lost, 10)), [[id, 'agent_offline']]);
		},
		'a running one is overdue when no heartbeat named it for that time': async (t, world) => {
			const owner = await addRunning(world);
			const {user_id, agent, hold} = owner;
			const beat = {
				user_id,
				agent_id: agent.id,
				session_id: agent.session_id ?? '',
				is_draining: false,
				lease_seconds: 60,
			};
			for (let beats = 0; beats < 3; beats += 1) {
				await world.advance(90);
				t.deepEqual(await world.stores.executionLeases.overdue(lost, 10), []);
				await world.stores.agents.heartbeat({...beat, running: [hold]});
			}
			await world.advance(90);
			await world.stores.agents.heartbeat({...beat, running: []});
			await world.advance(60);
			t.deepEqual(causesOf(await world.stores.executionLeases.overdue(lost, 10)), [[owner.id, 'agent_lost']]);
		},
		'what is given up ends, once, with its retry': async (t, world) => {
			const owner = await addRunning(world);
			await world.advance(3 * minute);
			const [overdue] = await world.stores.executionLeases.overdue(lost, 10);
			if (overdue === undefined) throw new Error('nothing is overdue');
			const answers = await parallel(20, () => {
				const retry = buildNewExecution({job_id: owner.job.id, triggered_by: 'retry', retry_of: owner.id, attempt: 2});
				return world.stores.executionLeases.giveUp(overdue, lost, {...failing, retry, tells: true});
			});
			t.deepEqual(tally(answers), {true: 1, false: 19});
			t.deepEqual(tally((await listRuns(world, owner)).map(({status}) => status)), {failed: 1, pending: 1});
			t.deepEqual(idsOf(await world.stores.executions.untold(10)), [owner.id]);
			t.deepEqual(await world.stores.executionLeases.overdue(lost, 10), []);
		},
		'what was heard of, leased or ended meanwhile is not given up': async (t, world) => {
			const owner = await addRunning(world);
			const waiting = await addRun(world, owner.job, {start_within_seconds: minute});
			await world.advance(3 * minute);
			const found = await world.stores.executionLeases.overdue(lost, 10);
			t.is(found.length, 2);
			const {user_id, agent, hold} = owner;
			const beat = {
				user_id,
				agent_id: agent.id,
				session_id: agent.session_id ?? '',
				is_draining: false,
				lease_seconds: 60,
			};
			await world.stores.agents.heartbeat({...beat, running: [hold]});
			await world.stores.executions.cancel(user_id, waiting.id);
			for (const each of found) t.is(await world.stores.executionLeases.giveUp(each, lost, failing), false);
			t.is((await readRun(world, owner, owner.id)).status, 'running');
			t.is((await readRun(world, owner, waiting.id)).status, 'canceled');
		},
		'a run that was given up is not started, fed or ended by its agent': async (t, world) => {
			const owner = await addRunning(world);
			await world.advance(3 * minute);
			for (const each of await world.stores.executionLeases.overdue(lost, 10))
				t.is(await world.stores.executionLeases.giveUp(each, lost, failing), true);
			const {start, finish} = world.stores.executionLeases;
			t.is(await start(owner.user_id, owner.hold), false);
			t.is(await print(world, owner, [0, 'late']), undefined);
			t.is(await finish(owner.user_id, owner.hold, buildEnding()), false);
			t.deepEqual(await leaseRuns(world, owner.agent, 5), []);
		},
		'of a late start and the end at its deadline one comes to pass': async (t, world) => {
			const owner = await addOwner(world);
			await addRun(world, owner.job);
			const hold = await leaseRun(world, owner.agent);
			await world.advance(61 * minute);
			const [overdue] = await world.stores.executionLeases.overdue(lost, 10);
			if (overdue === undefined) throw new Error('nothing is overdue');
			const [started, ended] = await Promise.all([
				world.stores.executionLeases.start(owner.user_id, hold),
				world.stores.executionLeases.giveUp(overdue, lost, failing),
			]);
			t.is(started === ended, false);
		},
	},
};

export const countingRuns: CronContract = {
	subject: 'running executions',
	cases: {
		'an agent counts what it has started and not ended': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			for (let made = 0; made < 3; made += 1) await addRun(world, job);
			const runningNow = async () => (await world.stores.agents.get(user_id, agent.id))?.running;
			await leaseRun(world, agent);
			t.is(await runningNow(), 0);
			const hold = await startRun(world, agent);
			await startRun(world, agent);
			t.is(await runningNow(), 2);
			await world.stores.executionLeases.finish(user_id, hold, buildEnding());
			t.is(await runningNow(), 1);
		},
	},
};
