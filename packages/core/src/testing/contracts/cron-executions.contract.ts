import {plusSeconds} from '../../values/instant.ts';
import type {Retention} from '../../values/retention.ts';
import {buildEnding, buildNewExecution} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	addRunning,
	type CronContract,
	type CronWorld,
	fireOne,
	leaseRun,
	leaseRuns,
	listRuns,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf, parallel, reasonOf, tally} from './world.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const day = 24 * 3600;

const print = (world: CronWorld, {user_id, hold}: Awaited<ReturnType<typeof addRunning>>, data: Uint8Array) =>
	world.stores.executionLeases.append(user_id, {...hold, stream: 'stdout', offset: 0, data}, 1 << 20);

/** A run that has ended, and of which somebody is to be told. */
const addUntold = async (world: CronWorld, owner: Awaited<ReturnType<typeof addOwner>>): Promise<string> => {
	const {id} = await addRun(world, owner.job);
	await world.stores.executionLeases.finish(
		owner.user_id,
		await startRun(world, owner.agent),
		buildEnding({tells: true}),
	);
	return id;
};

export const creatingExecutions: CronContract = {
	subject: 'executions',
	cases: {
		'a run is pending, with what its job says, and is due after its time by the clock of the store': async (
			t,
			world,
		) => {
			const owner = await addOwner(world, {name: 'Nightly'});
			const {user_id, team_id, job} = owner;
			const retry_of = (await addRun(world, job)).id;
			const before = world.now();
			const fields = {
				triggered_by: 'retry',
				attempt: 2,
				retry_of,
				after_seconds: 600,
				start_within_seconds: 60,
			} as const;
			const execution = await addRun(world, job, fields);
			const {due_at} = execution;
			t.is(due_at >= plusSeconds(before, 600) && due_at <= plusSeconds(world.now(), 600), true);
			t.deepEqual(execution, {
				...{id: execution.id, user_id, team_id, job_id: job.id, job_name: 'Nightly', agent_id: null},
				...{status: 'pending', triggered_by: 'retry', attempt: 2, retry_of, missed_count: 0},
				...{scheduled_for: due_at, due_at, start_deadline_at: plusSeconds(due_at, 60)},
				...{output: '', truncated: false, exit_code: null, duration_ms: null, error: null},
				...{started_at: null, completed_at: null},
			});
			t.deepEqual(await readRun(world, owner, execution.id), execution);
		},
		'a run is for the agent of its job': async (t, world) => {
			const owner = await addOwner(world);
			const {id: agent_id} = await addAgent(world, owner);
			t.is((await addRun(world, await addJob(world, owner, {agent_id}))).agent_id, agent_id);
		},
		"another user's job runs nothing, nor does one that is gone": async (t, {stores, ...world}) => {
			const {job} = await addOwner({stores, ...world});
			const other = await world.addTenant();
			for (const job_id of [job.id, buildId()])
				t.is(
					await reasonOf(stores.executions.create(other.user_id, buildNewExecution({job_id}))),
					'resource_not_found',
				);
			t.deepEqual(await listRuns({stores, ...world}, job), []);
		},
	},
};

export const readingExecutions: CronContract = {
	subject: 'executions',
	cases: {
		'they are read by their user alone': async (t, world) => {
			const {job} = await addOwner(world);
			const {id} = await addRun(world, job);
			const other = await world.addTenant();
			t.is(await world.stores.executions.get(other.user_id, id), undefined);
			t.is(await world.stores.executions.cancel(other.user_id, id), undefined);
			t.deepEqual(await listRuns(world, other), []);
		},
		'lists come latest first, by pages': async (t, world) => {
			const owner = await addOwner(world);
			const first = await addRun(world, owner.job, {after_seconds: 60});
			const third = await addRun(world, owner.job, {after_seconds: 7200});
			const second = await addRun(world, owner.job, {after_seconds: 3600});
			t.deepEqual(idsOf(await listRuns(world, owner)), [third.id, second.id, first.id]);
			const {data, total} = await world.stores.executions.list(
				owner.user_id,
				{},
				{limit: 1, offset: 1, output_bytes: 1},
			);
			t.deepEqual([idsOf(data), total], [[second.id], 3]);
		},
		'lists filter by job, status, trigger and time': async (t, world) => {
			const owner = await addOwner(world);
			const other = await addJob(world, owner);
			const early = await addRun(world, owner.job);
			const late = await addRun(world, owner.job, {triggered_by: 'chain', after_seconds: 3600});
			const theirs = await addRun(world, other, {triggered_by: 'retry'});
			await world.stores.executions.cancel(owner.user_id, theirs.id);
			const idsWith = async (filter: Parameters<typeof world.stores.executions.list>[1]) =>
				idsOf((await world.stores.executions.list(owner.user_id, filter, {limit: 9, offset: 0, output_bytes: 9})).data);
			t.deepEqual(await idsWith({job_id: owner.job.id}), [late.id, early.id]);
			t.deepEqual(await idsWith({status: 'canceled'}), [theirs.id]);
			t.deepEqual(await idsWith({status: 'pending', job_id: other.id}), []);
			t.deepEqual(await idsWith({triggered_by: 'chain'}), [late.id]);
			t.deepEqual(await idsWith({from: late.scheduled_for}), [late.id]);
			t.deepEqual(await idsWith({to: late.scheduled_for, job_id: owner.job.id}), [early.id]);
			t.deepEqual(await idsWith({from: early.scheduled_for, to: early.scheduled_for}), []);
		},
		'a list has the end of each output, beginning with a whole character, and a single one all of it': async (
			t,
			world,
		) => {
			const owner = await addRunning(world);
			const text = `begin ${'é😀'.repeat(20)}end`;
			await print(world, owner, utf8(text));
			t.is((await readRun(world, owner, owner.id)).output, text);
			const tailOf = async (output_bytes: number) =>
				(await world.stores.executions.list(owner.user_id, {}, {limit: 1, offset: 0, output_bytes})).data[0]?.output;
			t.is(await tailOf(3), 'end');
			t.is(await tailOf(6), 'end');
			t.is(await tailOf(7), '😀end');
			t.is(await tailOf(8), '😀end');
			t.is(await tailOf(9), 'é😀end');
			t.is(await tailOf(10_000), text);
		},
		'what is no text is read with its marks': async (t, world) => {
			const owner = await addRunning(world);
			await print(world, owner, new Uint8Array([0x61, 0xff, 0x00, 0x62]));
			t.is((await readRun(world, owner, owner.id)).output, 'a\ufffd\u0000b');
		},
	},
};

export const cancelingExecutions: CronContract = {
	subject: 'canceled executions',
	cases: {
		'a pending run is canceled and never leased': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const canceled = await world.stores.executions.cancel(user_id, id);
			t.is(canceled?.outcome, 'canceled');
			const {status, started_at, completed_at, duration_ms} = await readRun(world, {user_id}, id);
			t.deepEqual([status, started_at, duration_ms, completed_at === null], ['canceled', null, null, false]);
			t.deepEqual(await leaseRuns(world, agent, 5), []);
		},
		'a leased run that is canceled does not start': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const hold = await leaseRun(world, agent);
			await world.stores.executions.cancel(user_id, id);
			t.is(await world.stores.executionLeases.start(user_id, hold), false);
			t.is((await readRun(world, {user_id}, id)).status, 'canceled');
		},
		'a running one ends at once, and what its agent says later changes nothing': async (t, world) => {
			const owner = await addRunning(world);
			await world.stores.executions.cancel(owner.user_id, owner.id);
			const canceled = await readRun(world, owner, owner.id);
			t.is(canceled.status, 'canceled');
			t.is(typeof canceled.duration_ms, 'number');
			t.is(await print(world, owner, utf8('late')), undefined);
			t.is(await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding()), false);
			t.deepEqual(await readRun(world, owner, owner.id), canceled);
		},
		'one that has ended is left as it is': async (t, world) => {
			const owner = await addRunning(world);
			await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding());
			const ended = await readRun(world, owner, owner.id);
			t.deepEqual(await world.stores.executions.cancel(owner.user_id, owner.id), {outcome: 'final', execution: ended});
			t.deepEqual(await readRun(world, owner, owner.id), ended);
		},
		'of parallel cancels one cancels': async (t, world) => {
			const {job, user_id} = await addOwner(world);
			const {id} = await addRun(world, job);
			const answers = await parallel(20, () => world.stores.executions.cancel(user_id, id));
			t.deepEqual(tally(answers.map((answer) => answer?.outcome)), {canceled: 1, final: 19});
		},
	},
};

export const untoldExecutions: CronContract = {
	subject: 'untold executions',
	cases: {
		'those of which somebody is to be told come until they were told, the oldest first, without output': async (
			t,
			world,
		) => {
			const owner = await addOwner(world);
			const first = await addUntold(world, owner);
			await world.advance(60);
			const second = await addUntold(world, await addOwner(world));
			const {untold, told} = world.stores.executions;
			const found = await untold(10);
			t.deepEqual(idsOf(found), [first, second]);
			t.deepEqual(found[0], await readRun(world, owner, first));
			t.deepEqual(idsOf(await untold(1)), [first]);
			await told(first);
			await told(buildId());
			t.deepEqual(idsOf(await untold(10)), [second]);
		},
		'nobody is told of others, nor of what was canceled': async (t, world) => {
			const owner = await addRunning(world);
			await world.stores.executionLeases.finish(owner.user_id, owner.hold, buildEnding());
			await world.stores.executions.cancel(owner.user_id, (await addRun(world, owner.job)).id);
			await addRun(world, owner.job);
			t.deepEqual(await world.stores.executions.untold(10), []);
		},
	},
};

const retention: Retention = {
	days_by_plan: new Map([
		['short', 7],
		['long', 30],
	]),
	otherwise: 14,
};

export const retainingExecutions: CronContract = {
	subject: 'retention of executions',
	cases: {
		'what ended is kept as long as the plan of its user says': async (t, world) => {
			const owners = await Promise.all(
				['short', 'long', 'other'].map(async (plan) => {
					const owner = await world.addTenant({plan});
					return {...owner, job: await addJob(world, owner)};
				}),
			);
			const endOne = async ({user_id, job}: (typeof owners)[number]) =>
				world.stores.executions.cancel(user_id, (await addRun(world, job)).id);
			for (const owner of owners) await endOne(owner);
			await world.advance(10 * day);
			for (const owner of owners) await endOne(owner);
			const left = async () =>
				(await Promise.all(owners.map((owner) => listRuns(world, owner)))).map((runs) => runs.length);
			t.is(await world.stores.executions.purge(retention, 10), 1);
			t.deepEqual(await left(), [1, 2, 2]);
			await world.advance(5 * day);
			t.is(await world.stores.executions.purge(retention, 10), 1);
			t.deepEqual(await left(), [1, 2, 1]);
			await world.advance(20 * day);
			t.is(await world.stores.executions.purge(retention, 2), 2);
			t.is(await world.stores.executions.purge(retention, 2), 1);
			t.is(await world.stores.executions.purge(retention, 2), 0);
			t.deepEqual(await left(), [0, 1, 0]);
		},
		'what is pending or running is kept, and its occurrence goes in its time': async (t, world) => {
			const owner = await addOwner(world, {concurrency: 'allow'});
			await fireOne(world, owner.job);
			await startRun(world, owner.agent);
			await addRun(world, owner.job, {after_seconds: 100 * day});
			await world.advance(90 * day);
			t.is(await world.stores.executions.purge(retention, 10), 1);
			t.is(await world.stores.executions.purge(retention, 10), 0);
			t.deepEqual(tally((await listRuns(world, owner)).map(({status}) => status)), {pending: 1, running: 1});
		},
	},
};
