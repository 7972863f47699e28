import type {Concurrency, CronJobRecord} from '../../cron/model/job.ts';
import type {DueJob} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildFiring} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addJob,
	addOwner,
	addRun,
	type CronContract,
	type CronWorld,
	fireOne,
	leaseRuns,
	listRuns,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf, parallel, tally} from './world.ts';

const minute = 60;

const outcomesOf = (fired: readonly Readonly<{outcome: string}>[]) => tally(fired.map(({outcome}) => outcome));

/** A job with a scheduled run that is pending, due again in a minute that has come. */
const addBusy = async (world: CronWorld, concurrency: Concurrency) => {
	const owner = await addOwner(world, {concurrency});
	const next_run_at = plusSeconds(world.now(), minute);
	await fireOne(world, owner.job, {next_run_at});
	await world.advance(2 * minute);
	const [run] = await listRuns(world, owner);
	if (run === undefined) throw new Error('nothing was fired');
	return {...owner, job: {...owner.job, next_run_at}, run};
};

const statusesOf = async (world: CronWorld, owner: Readonly<{user_id: string}>) =>
	(await listRuns(world, owner)).map(({status}) => status);

export const dueJobs: CronContract = {
	subject: 'due cron jobs',
	cases: {
		'enabled jobs of all users are due when their time has come, the longest due first': async (t, world) => {
			const owner = await world.addTenant();
			const at = (seconds: number) => plusSeconds(world.now(), seconds);
			const second = await addJob(world, owner, {next_run_at: at(-minute)});
			const first = await addJob(world, await world.addTenant(), {
				next_run_at: at(-2 * minute),
				timezone: 'Asia/Tokyo',
			});
			const later = await addJob(world, owner, {next_run_at: at(10 * minute)});
			await addJob(world, owner, {next_run_at: null});
			await addJob(world, owner, {is_enabled: false});
			const before = world.now();
			const {now, jobs} = await world.stores.cronTicks.due(10);
			t.is(now >= before && now <= world.now(), true);
			t.deepEqual(idsOf(jobs), [first.id, second.id]);
			const {id, user_id, schedule_cron, timezone, concurrency, next_run_at} = first;
			t.deepEqual(jobs[0], {id, user_id, schedule_cron, timezone, concurrency, next_run_at});
			t.deepEqual(idsOf((await world.stores.cronTicks.due(1)).jobs), [first.id]);
			await world.advance(11 * minute);
			t.deepEqual(idsOf((await world.stores.cronTicks.due(10)).jobs), [first.id, second.id, later.id]);
		},
		'they are read by pages, whether or not those before were fired meanwhile': async (t, world) => {
			const owner = await world.addTenant();
			const next_run_at = plusSeconds(world.now(), -minute);
			await parallel(3, () => addJob(world, owner, {next_run_at}));
			await addJob(world, owner, {next_run_at: plusSeconds(next_run_at, -minute)});
			const {now, jobs: all} = await world.stores.cronTicks.due(10);
			t.is(all.length, 4);
			// Due by the time that the pages are read, but not at their moment.
			await addJob(world, owner, {next_run_at: plusSeconds(now, minute)});
			await world.advance(2 * minute);
			const read: DueJob[] = [];
			for (let page: readonly DueJob[] = all.slice(0, 1), last = page.at(-1); last !== undefined; last = page.at(-1)) {
				const job = await world.stores.cronJobs.get(owner.user_id, page[0]?.id ?? '');
				if (job && read.length > 0) await fireOne(world, job);
				read.push(...page);
				page = (await world.stores.cronTicks.due(2, {now, last})).jobs;
			}
			t.deepEqual(idsOf(read), idsOf(all));
		},
		'the next due time is the earliest one of an enabled job, past or to come': async (t, world) => {
			const {nextDue} = world.stores.cronTicks;
			t.is(await nextDue(), undefined);
			const owner = await world.addTenant();
			await addJob(world, owner, {is_enabled: false, next_run_at: plusSeconds(world.now(), -minute)});
			t.is(await nextDue(), undefined);
			const later = await addJob(world, owner, {next_run_at: plusSeconds(world.now(), minute)});
			t.is(await nextDue(), later.next_run_at ?? '');
			const past = await addJob(world, await world.addTenant(), {next_run_at: plusSeconds(world.now(), -minute)});
			t.is(await nextDue(), past.next_run_at ?? '');
		},
		'the clock is that of the store': async (t, world) => {
			await world.advance(10 * minute);
			const before = world.now();
			const now = await world.stores.cronTicks.now();
			t.is(now >= before && now <= world.now(), true);
		},
	},
};

export const firing: CronContract = {
	subject: 'cron ticks',
	cases: {
		'a tick moves the job on and makes a pending run': async (t, world) => {
			const {user_id, team_id, job} = await addOwner(world, {name: 'Nightly'});
			const next_run_at = plusSeconds(world.now(), 60 * minute);
			const start_deadline_at = plusSeconds(world.now(), 5 * minute);
			const [id, scheduled_for] = [buildId(), job.next_run_at ?? ''];
			const execution = {id, missed_count: 7, start_deadline_at};
			const fired = await world.stores.cronTicks.fire([buildFiring({job, next_run_at, execution})]);
			t.deepEqual(fired, [{outcome: 'fired', replaced: []}]);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.next_run_at, next_run_at);
			t.deepEqual(await readRun(world, {user_id}, id), {
				...{id, user_id, team_id, job_id: job.id, job_name: 'Nightly', agent_id: null},
				...{status: 'pending', triggered_by: 'scheduled', attempt: 1, retry_of: null},
				...{scheduled_for, due_at: scheduled_for, start_deadline_at, missed_count: 7},
				...{output: '', truncated: false, exit_code: null, duration_ms: null, error: null},
				...{started_at: null, completed_at: null},
			});
		},
		'of 200 parallel firings of a tick one makes a run': async (t, world) => {
			const {job, ...owner} = await addOwner(world, {concurrency: 'allow'});
			const fired = await parallel(200, () => fireOne(world, job));
			t.deepEqual(outcomesOf(fired), {fired: 1, lost: 199});
			t.is((await listRuns(world, owner)).length, 1);
		},
		'a tick that has been fired makes no second run, and the job moves on': async (t, world) => {
			const {job, user_id} = await addOwner(world, {concurrency: 'allow'});
			await fireOne(world, job, {next_run_at: job.next_run_at});
			t.is((await fireOne(world, job)).outcome, 'lost');
			t.is((await listRuns(world, {user_id})).length, 1);
			t.deepEqual((await world.stores.cronTicks.due(5)).jobs, []);
		},
		'a job that was changed, disabled or deleted meanwhile is left as it is': async (t, world) => {
			const {update, delete: remove} = world.stores.cronJobs;
			const owner = await world.addTenant();
			const add = () => addJob(world, owner);
			const [moved, disabled, stopped, deleted] = [await add(), await add(), await add(), await add()];
			const next_run_at = plusSeconds(world.now(), 5 * minute);
			await update(owner.user_id, {...moved, next_run_at}, 1);
			await update(owner.user_id, {...disabled, is_enabled: false, next_run_at: null}, 1);
			// It says when it would be due, as one does that comes back.
			await update(owner.user_id, {...stopped, is_enabled: false}, 1);
			await remove(owner.user_id, deleted.id);
			const firings = [moved, disabled, stopped, deleted].map((job) => buildFiring({job}));
			t.deepEqual(outcomesOf(await world.stores.cronTicks.fire(firings)), {lost: 4});
			t.deepEqual(await listRuns(world, owner), []);
			const nextOf = async ({id}: CronJobRecord) => (await world.stores.cronJobs.get(owner.user_id, id))?.next_run_at;
			t.deepEqual(
				[await nextOf(moved), await nextOf(disabled), await nextOf(stopped)],
				[next_run_at, null, stopped.next_run_at],
			);
		},
		'each of a batch is answered in its place': async (t, world) => {
			const owner = await world.addTenant();
			const jobs = await parallel(3, () => addJob(world, owner));
			const [first] = jobs;
			if (first !== undefined) await fireOne(world, first);
			const fired = await world.stores.cronTicks.fire(jobs.map((job) => buildFiring({job})));
			t.deepEqual(
				fired.map(({outcome}) => outcome),
				['lost', 'fired', 'fired'],
			);
			t.is((await listRuns(world, owner)).length, 3);
		},
		'one that is too late moves the job on and makes no run; after the last one it is never due': async (t, world) => {
			const {job, user_id} = await addOwner(world);
			const firings = [buildFiring({job, execution: null, next_run_at: null})];
			t.deepEqual(await world.stores.cronTicks.fire(firings), [{outcome: 'too_late'}]);
			t.deepEqual(await listRuns(world, {user_id}), []);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.next_run_at, null);
			t.is(await world.stores.cronTicks.nextDue(), undefined);
		},
	},
};

const ends: readonly [
	'pending' | 'running',
	(world: CronWorld, busy: Awaited<ReturnType<typeof addBusy>>) => Promise<unknown>,
][] = [
	['pending', async () => {}],
	['running', (world, {agent}) => startRun(world, agent)],
];

export const concurrency: CronContract = {
	subject: 'cron concurrency',
	cases: {
		'forbid skips a tick while a scheduled run is pending or running': async (t, world) => {
			for (const [status, reach] of ends) {
				const busy = await addBusy(world, 'forbid');
				await reach(world, busy);
				t.is((await fireOne(world, busy.job)).outcome, 'skipped');
				t.deepEqual(await statusesOf(world, busy), [status]);
			}
		},
		'forbid lets a tick through once the scheduled run has ended': async (t, world) => {
			const busy = await addBusy(world, 'forbid');
			await world.stores.executions.cancel(busy.user_id, busy.run.id);
			t.is((await fireOne(world, busy.job)).outcome, 'fired');
		},
		'allow makes a run beside the others': async (t, world) => {
			const busy = await addBusy(world, 'allow');
			t.deepEqual(await fireOne(world, busy.job), {outcome: 'fired', replaced: []});
			t.deepEqual(await statusesOf(world, busy), ['pending', 'pending']);
		},
		'replace cancels scheduled runs that are pending or running, and makes its own': async (t, world) => {
			for (const [, reach] of ends) {
				const busy = await addBusy(world, 'replace');
				await reach(world, busy);
				t.deepEqual(await fireOne(world, busy.job), {outcome: 'fired', replaced: [busy.run.id]});
				t.deepEqual(await statusesOf(world, busy), ['pending', 'canceled']);
				t.is((await readRun(world, busy, busy.run.id)).completed_at === null, false);
			}
		},
		'a replaced run does not start': async (t, world) => {
			const busy = await addBusy(world, 'replace');
			const [leased] = await leaseRuns(world, busy.agent, 1);
			await fireOne(world, busy.job);
			const hold = {execution_id: busy.run.id, lease_token: leased?.lease_token ?? ''};
			t.is(await world.stores.executionLeases.start(busy.user_id, hold), false);
		},
		'manual, retry and chain runs hold no tick up, and none takes their place': async (t, world) => {
			for (const each of ['forbid', 'replace'] as const) {
				const {job, ...owner} = await addOwner(world, {concurrency: each});
				for (const triggered_by of ['manual', 'retry', 'chain'] as const) await addRun(world, job, {triggered_by});
				t.deepEqual(await fireOne(world, job), {outcome: 'fired', replaced: []});
				t.deepEqual(tally(await statusesOf(world, owner)), {pending: 4});
			}
		},
		'the runs of another job hold no tick up': async (t, world) => {
			const busy = await addBusy(world, 'forbid');
			const other: CronJobRecord = await addJob(world, busy, {concurrency: 'forbid'});
			t.is((await fireOne(world, other)).outcome, 'fired');
		},
	},
};
