import {addCaller, buildCronJob, builtAt} from '@signalbox/core/testing';
import test from 'ava';
import {createCron} from '../../src/cron/create-cron.ts';
import {createResolver} from '../../src/environment/resolver.ts';
import type {Clock, DomainEvent} from '../../src/ports/index.ts';
import {defaultSettings} from '../../src/settings.ts';
import {addAgent, addJob, runOne, runsOf, startOne, startWorld, toldOf} from './world.ts';

const minute = 60_000;

test('[JOB-112] a due tick makes a pending execution, and agents are told that there is one', async (t) => {
	const world = await startWorld();
	const events: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => events.push(event));
	const job = await addJob(world);
	t.is(await world.cron.ticks.nextDue(), job.next_run_at ?? '');
	t.deepEqual(await world.cron.ticks.tick(10), {due: 0, fired: 0});
	await world.clock.advance(minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 1, fired: 1});
	const [execution] = await runsOf(world);
	t.like(execution, {job_id: job.id, status: 'pending', triggered_by: 'scheduled', scheduled_for: job.next_run_at});
	t.is((await world.cron.jobs.get(world.caller, job.id)).next_run_at, '2026-01-31T09:32:00.000Z');
	const {user_id} = world.caller;
	t.deepEqual(events, [
		{type: 'cron.execution', execution_id: execution?.id ?? '', job_id: job.id, user_id, status: 'pending'},
		{type: 'cron.execution.due', user_id},
	]);
});

test('of jobs that are due together, agents of their user are told once', async (t) => {
	const world = await startWorld();
	for (let jobs = 0; jobs < 3; jobs += 1) await addJob(world);
	const told: string[] = [];
	world.ports.signals.subscribe(({type}) => told.push(type));
	await world.clock.advance(minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 3, fired: 3});
	t.deepEqual(told, ['cron.execution', 'cron.execution', 'cron.execution', 'cron.execution.due']);
});

test('[JOB-089] a hundred schedulers at once run a tick once', async (t) => {
	const world = await startWorld();
	await addJob(world, {concurrency: 'allow'});
	await world.clock.advance(minute);
	const ticked = await Promise.all(Array.from({length: 100}, () => world.cron.ticks.tick(10)));
	t.is(
		ticked.reduce((sum, {fired}) => sum + fired, 0),
		1,
	);
	t.is((await runsOf(world)).length, 1);
});

/** A world whose process has that clock, which is not that of the store. */
const startWithClock = async (own: Clock) => {
	const {core, ports, clock, caller} = await startWorld();
	const sendNotice = core.webhook.notices.send;
	const cron = createCron({...ports, ...createResolver(ports), sendNotice, clock: own}, defaultSettings);
	return {cron, clock, caller};
};

test('[JOB-091] ticks are due by the clock of the store, not by that of the process', async (t) => {
	const slow = {now: () => '2020-01-01T00:00:00.000Z', sleep: async () => {}};
	const {cron, clock, caller} = await startWithClock(slow);
	const job = await addJob({cron, caller});
	t.is(job.next_run_at, '2026-01-31T09:31:00.000Z');
	await clock.advance(minute);
	t.deepEqual(await cron.ticks.tick(10), {due: 1, fired: 1});
});

/** How often all else had its turn while jobs with these schedules, all due in a minute, were fired. */
const restsOf = async (schedules: readonly string[]): Promise<number> => {
	let rests = 0;
	const sleep = async (): Promise<void> => {
		rests += 1;
	};
	const {cron, clock, caller} = await startWithClock({now: () => builtAt, sleep});
	for (const schedule of schedules) await addJob({cron, caller}, {schedule});
	await clock.advance(minute);
	const {length: due} = schedules;
	if ((await cron.ticks.tick(100)).fired !== due) throw new Error('not all were fired');
	return rests;
};

test('while many schedules are planned, all else has its turn after every 25 of them', async (t) => {
	const different = Array.from({length: 59}, (_, index) => `31,${(32 + index) % 60} * * * *`);
	t.is(await restsOf(different), 2);
	t.is(await restsOf(Array(59).fill('31 * * * *')), 0);
});

test('[JOB-094] forbid: a tick is skipped while a scheduled run is pending or running', async (t) => {
	const world = await startWorld();
	await addJob(world);
	const session = await addAgent(world);
	const tick = async () => {
		await world.clock.advance(minute);
		return (await world.cron.ticks.tick(10)).fired;
	};
	t.is(await tick(), 1);
	t.is(await tick(), 0);
	const spec = await startOne(world, session);
	t.is(await tick(), 0);
	await world.cron.executions.cancel(world.caller, spec.execution_id);
	t.is(await tick(), 1);
});

test('[JOB-095] allow: each tick makes an execution', async (t) => {
	const world = await startWorld();
	await addJob(world, {concurrency: 'allow'});
	for (let ticks = 0; ticks < 3; ticks += 1) {
		await world.clock.advance(minute);
		await world.cron.ticks.tick(10);
	}
	t.deepEqual(
		(await runsOf(world)).map(({status}) => status),
		['pending', 'pending', 'pending'],
	);
});

test('[JOB-096 JOB-147] replace: the run that is going is canceled, and its agent hears of it', async (t) => {
	const world = await startWorld();
	await addJob(world, {concurrency: 'replace'});
	const session = await addAgent(world);
	await world.clock.advance(minute);
	await world.cron.ticks.tick(10);
	const spec = await startOne(world, session);
	const events: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => events.push(event));
	await world.clock.advance(minute);
	await world.cron.ticks.tick(10);
	t.deepEqual(
		(await runsOf(world)).map(({status}) => status),
		['pending', 'canceled'],
	);
	t.like(events[0], {type: 'cron.execution', execution_id: spec.execution_id, status: 'canceled'});
});

test('[JOB-097 JOB-098] manual runs are made beside a scheduled one, and hold no tick up', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	await world.cron.jobs.run(world.caller, job.id);
	await world.clock.advance(minute);
	t.is((await world.cron.ticks.tick(10)).fired, 1);
	await world.cron.jobs.run(world.caller, job.id);
	t.is((await runsOf(world)).length, 3);
});

test('ticks that nobody was there for become one run that counts them', async (t) => {
	const world = await startWorld();
	await addJob(world);
	await world.clock.advance(10 * minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 1, fired: 1});
	t.like((await runsOf(world))[0], {scheduled_for: '2026-01-31T09:40:00.000Z', missed_count: 9});
});

test('a tick that is too late makes no run, and the job goes on', async (t) => {
	const world = await startWorld();
	const job = await addJob(world, {schedule: 'every day at 10:00'});
	await world.clock.advance(8 * 60 * minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 1, fired: 0});
	t.deepEqual(await runsOf(world), []);
	t.is((await world.cron.jobs.get(world.caller, job.id)).next_run_at, '2026-02-01T10:00:00.000Z');
});

test('a job whose schedule cannot be read any more stops, its user is told, and the others run', async (t) => {
	const world = await startWorld();
	const {user_id, team_id} = world.caller;
	const broken = buildCronJob({user_id, team_id, timezone: 'Mars/Olympus', next_run_at: builtAt});
	await world.ports.cronJobs.create(broken, null);
	await addJob({...world, caller: await addCaller(world.ports)});
	await world.clock.advance(minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 2, fired: 1});
	t.is((await world.cron.jobs.get(world.caller, broken.id)).next_run_at, null);
	t.deepEqual(
		(await toldOf(world)).map(({title}) => title),
		['Back up runs no more'],
	);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 0, fired: 0});
});

test('a job that cannot be fired leaves the others of its batch alone', async (t) => {
	const {ports} = await startWorld();
	const cronTicks = {
		...ports.cronTicks,
		fire: async (firings: Parameters<typeof ports.cronTicks.fire>[0]) => {
			if (firings.some(({job_id}) => job_id === broken)) throw new Error('disk is odd');
			return ports.cronTicks.fire(firings);
		},
	};
	const world = await startWorld({ports: {...ports, cronTicks}});
	const broken = (await addJob(world)).id;
	const sound = await addJob(world);
	await (world.ports.clock as typeof world.clock).advance(minute);
	t.deepEqual(await world.cron.ticks.tick(10), {due: 2, fired: 1});
	t.deepEqual(
		(await runsOf(world)).map(({job_id}) => job_id),
		[sound.id],
	);
	await t.throwsAsync(world.cron.ticks.tick(10), {message: 'disk is odd'});
});

test('a run that ended lets the next tick through', async (t) => {
	const world = await startWorld();
	await addJob(world);
	const session = await addAgent(world);
	for (let ticks = 0; ticks < 3; ticks += 1) {
		await world.clock.advance(minute);
		t.is((await world.cron.ticks.tick(10)).fired, 1);
		await runOne(world, session);
	}
});
