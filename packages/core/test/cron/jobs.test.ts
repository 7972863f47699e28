import {addCaller, builtAt} from '@signalbox/core/testing';
import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {addAgent, addJob, agentKey, runOne, runsOf, startWorld, wanted} from './world.ts';

const page = {limit: 100, offset: 0};

const problemsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
	const error = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof DomainError)) throw error ?? new Error('it was accepted');
	return error.details?.map(({path}) => path) ?? [error.reason];
};

test('[JOB-001 JOB-014 JOB-144] a job has all of its fields, and what was left out has its default', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	t.deepEqual(job, {
		...{id: job.id, name: 'Back up', schedule: 'every minute', schedule_cron: '* * * * *', timezone: 'UTC'},
		...{concurrency: 'forbid', command: 'backup --all', working_dir: '', timeout_seconds: 300},
		...{retry_config: {max_retries: 0, intervals: [30, 60, 300]}, notification_config: {}, environment: {}, tags: []},
		...{agent_id: null, agent_name: null, is_enabled: true},
		...{last_run_at: null, next_run_at: '2026-01-31T09:31:00.000Z', created_at: builtAt, updated_at: builtAt},
	});
});

test('[JOB-013 JOB-080 JOB-012] a job echoes what it was made with, and its schedule in both forms', async (t) => {
	const world = await startWorld();
	const {agent_id} = await addAgent(world);
	const settings = {
		...{schedule: 'Every Weekday at 9am', timezone: 'Europe/Berlin', concurrency: 'replace' as const},
		...{working_dir: '/srv', timeout_seconds: 3600, retry_config: {max_retries: 3, intervals: [1, 2]}},
		...{notification_config: {on_failure: {enabled: true, webhook_url: 'https://a.example'}}},
		...{environment: {A: '1'}, tags: ['nightly'], agent_id},
	} as const;
	const job = await addJob(world, settings);
	t.like(job, {...settings, schedule_cron: '0 9 * * 1-5', next_run_at: '2026-02-02T08:00:00.000Z'});
	t.deepEqual(await world.cron.jobs.get(world.caller, job.id), job);
});

test('[JOB-083 JOB-093] a job is in UTC and forbids overlap unless told otherwise', async (t) => {
	const job = await addJob(await startWorld());
	t.deepEqual([job.timezone, job.concurrency], ['UTC', 'forbid']);
});

test('[JOB-016 JOB-002] a job without an agent has the default one, by id and name', async (t) => {
	const world = await startWorld();
	const first = await addAgent(world, {name: 'first'});
	const second = await addAgent(world, {name: 'second'});
	const [any, own] = [await addJob(world), await addJob(world, {agent_id: second.agent_id})];
	t.deepEqual([any.agent_id, any.agent_name], [first.agent_id, 'first']);
	t.deepEqual([own.agent_id, own.agent_name], [second.agent_id, 'second']);
	await world.cron.agents.update(world.caller, second.agent_id, {is_default: true});
	t.is((await world.cron.jobs.get(world.caller, any.id)).agent_id, second.agent_id);
});

test('an agent of another user, or none, is refused by its field', async (t) => {
	const world = await startWorld();
	const other = await addCaller(world.ports);
	const {agent_id} = await addAgent({cron: world.cron, key: agentKey(other)});
	for (const each of [agent_id, 'nobody']) t.deepEqual(await problemsOf(addJob(world, {agent_id: each})), ['agent_id']);
	const job = await addJob(world);
	t.deepEqual(await problemsOf(world.cron.jobs.update(world.caller, job.id, {agent_id})), ['agent_id']);
});

test('[JOB-006 JOB-007 JOB-008] a job without name, schedule or command is refused, and so named', async (t) => {
	const {cron, caller} = await startWorld();
	for (const field of ['name', 'schedule', 'command'] as const)
		t.deepEqual(await problemsOf(cron.jobs.create(caller, {...wanted, [field]: undefined} as never)), [field]);
});

test('[JOB-010] fields of another type are refused, each by its name', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	const wrong = {
		name: 1,
		command: 5,
		timeout_seconds: '5',
		retry_config: 3,
		environment: {A: 1},
		tags: 'a',
		is_enabled: 1,
	};
	const named = ['name', 'command', 'timeout_seconds', 'retry_config', 'environment.A', 'tags', 'is_enabled'];
	t.deepEqual(await problemsOf(world.cron.jobs.create(world.caller, {...wanted, ...wrong} as never)), named);
	t.deepEqual(await problemsOf(world.cron.jobs.update(world.caller, job.id, wrong as never)), named);
});

test('[JOB-015] a timeout is at most 3,600 seconds', async (t) => {
	const world = await startWorld();
	t.is((await addJob(world, {timeout_seconds: 3600})).timeout_seconds, 3600);
	for (const timeout_seconds of [0, 3601, 1.5])
		t.deepEqual(await problemsOf(addJob(world, {timeout_seconds})), ['timeout_seconds']);
});

test('[JOB-009] everything that is wrong is named, each by its field', async (t) => {
	const world = await startWorld();
	const broken = {...wanted, name: ' ', schedule: 'now and then', timezone: 'Mars/Olympus', nonsense: 1} as never;
	t.deepEqual(await problemsOf(world.cron.jobs.create(world.caller, broken)), ['name', 'nonsense']);
	const unreadable = {schedule: 'now and then', timezone: 'Mars/Olympus'};
	t.deepEqual(await problemsOf(addJob(world, unreadable)), ['schedule', 'timezone']);
	t.deepEqual(await problemsOf(world.cron.jobs.create(world.caller, {} as never)), ['name', 'schedule', 'command']);
	const job = await addJob(world);
	t.deepEqual(await problemsOf(world.cron.jobs.update(world.caller, job.id, unreadable)), ['schedule', 'timezone']);
});

const bounds: readonly [string, Parameters<typeof addJob>[1], readonly string[] | 'accepted'][] = [
	['a command of 64 KiB', {command: 'é'.repeat(32 * 1024)}, 'accepted'],
	['a command of more', {command: `${'é'.repeat(32 * 1024)}x`}, ['command']],
	['a NUL in the command', {command: 'a\0b'}, ['command']],
	['a value of 32 KiB', {environment: {A: 'x'.repeat(32 * 1024)}}, 'accepted'],
	['a value of more', {environment: {A: 'x'.repeat(32 * 1024 + 1)}}, ['environment.A']],
	['a NUL in a value', {environment: {A: 'a\0b'}}, ['environment.A']],
	['a name that is none', {environment: {'A-B': 'x'}}, ['environment.A-B']],
	[
		'100 variables',
		{environment: Object.fromEntries(Array.from({length: 100}, (_, at) => [`V${at}`, '']))},
		'accepted',
	],
	[
		'101 variables',
		{environment: Object.fromEntries(Array.from({length: 101}, (_, at) => [`V${at}`, '']))},
		['environment'],
	],
	['10 retries', {retry_config: {max_retries: 10}}, 'accepted'],
	['11 retries', {retry_config: {max_retries: 11}}, ['retry_config.max_retries']],
	[
		'another field of a notice',
		{notification_config: {on_failure: {enabled: true, to: 'me'}} as never},
		['notification_config.on_failure.to'],
	],
	['another notice', {notification_config: {on_start: {enabled: true}} as never}, ['notification_config.on_start']],
];

test('[JOB-140 JOB-141 JOB-142] commands and variables have their bounds', async (t) => {
	const world = await startWorld();
	for (const [title, settings, outcome] of bounds)
		t.deepEqual(
			outcome === 'accepted'
				? await addJob(world, settings).then(() => outcome)
				: await problemsOf(addJob(world, settings)),
			outcome,
			title,
		);
});

test('[JOB-143] a NUL is in no command and no variable', async (t) => {
	const world = await startWorld();
	for (const settings of [{command: '\0'}, {environment: {A: '\0'}}, {working_dir: '\0'}])
		t.is((await problemsOf(addJob(world, settings))).length, 1);
});

test('[JOB-135] notices say on_failure and on_success, each with enabled and perhaps a webhook_url', async (t) => {
	const world = await startWorld();
	const notification_config = {
		on_failure: {enabled: false, webhook_url: 'https://a.example/{{env.PATH}}'},
		on_success: {enabled: true},
	};
	t.deepEqual((await addJob(world, {notification_config})).notification_config, notification_config);
	const unknown = {on_failure: {enabled: true, to: 'me'}} as never;
	t.deepEqual(await problemsOf(addJob(world, {notification_config: unknown})), ['notification_config.on_failure.to']);
});

test('[JOB-027] an update changes what it names', async (t) => {
	const world = await startWorld();
	const job = await addJob(world, {tags: ['a'], environment: {A: '1'}, retry_config: {max_retries: 2, intervals: [5]}});
	await world.clock.advance(10_000);
	const updated = await world.cron.jobs.update(world.caller, job.id, {name: 'New'});
	t.deepEqual(updated, {...job, name: 'New', updated_at: world.clock.now()});
});

test('[JOB-004] a change of the schedule, the zone or the flag moves the next run, another one does not', async (t) => {
	const {cron, caller, clock} = await startWorld();
	const job = await addJob({cron, caller}, {schedule: 'every day at noon'});
	const nextAfter = async (change: Parameters<typeof cron.jobs.update>[2]) =>
		(await cron.jobs.update(caller, job.id, change)).next_run_at;
	t.is(job.next_run_at, '2026-01-31T12:00:00.000Z');
	t.is(await nextAfter({timezone: 'Europe/Berlin'}), '2026-01-31T11:00:00.000Z');
	t.is(await nextAfter({schedule: '0 18 * * *'}), '2026-01-31T17:00:00.000Z');
	await clock.advance(9 * 3600 * 1000);
	t.is(await nextAfter({name: 'New'}), '2026-01-31T17:00:00.000Z');
	t.is(await nextAfter({is_enabled: false}), null);
	t.is(await nextAfter({schedule: '0 20 * * *'}), null);
	t.is(await nextAfter({is_enabled: true}), '2026-01-31T19:00:00.000Z');
});

test('[JOB-030 JOB-031] a disabled job has no next run and no tick runs it, until it is enabled', async (t) => {
	const world = await startWorld();
	const {cron, caller, clock} = world;
	const job = await addJob(world);
	const disabled = await cron.jobs.disable(caller, job.id);
	t.deepEqual([disabled.is_enabled, disabled.next_run_at], [false, null]);
	await clock.advance(600_000);
	t.deepEqual(await cron.ticks.tick(10), {due: 0, fired: 0});
	const enabled = await cron.jobs.enable(caller, job.id);
	t.deepEqual([enabled.is_enabled, enabled.next_run_at], [true, '2026-01-31T09:41:00.000Z']);
	await clock.advance(60_000);
	t.deepEqual(await cron.ticks.tick(10), {due: 1, fired: 1});
});

test('[JOB-032 JOB-033] a manual run is pending, whatever the schedule says, also of a disabled job', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	await world.cron.jobs.disable(world.caller, job.id);
	const execution = await world.cron.jobs.run(world.caller, job.id);
	t.like(execution, {job_id: job.id, status: 'pending', triggered_by: 'manual', attempt: 1, scheduled_for: builtAt});
	t.deepEqual(await runsOf(world), [execution]);
});

test('[JOB-003] a job says when it last ran', async (t) => {
	const world = await startWorld();
	const [job, session] = [await addJob(world), await addAgent(world)];
	await world.cron.jobs.run(world.caller, job.id);
	t.is((await world.cron.jobs.get(world.caller, job.id)).last_run_at, null);
	await world.clock.advance(5000);
	await runOne(world, session);
	t.is((await world.cron.jobs.get(world.caller, job.id)).last_run_at, '2026-01-31T09:30:05.000Z');
});

test('[JOB-018 JOB-022 JOB-023] lists hold the jobs of their user, by flag and by tag', async (t) => {
	const world = await startWorld();
	const other = await addCaller(world.ports);
	await addJob({...world, caller: other}, {tags: ['a']});
	const [a, b] = [await addJob(world, {tags: ['a']}), await addJob(world, {is_enabled: false})];
	const idsWith = async (filter: Parameters<typeof world.cron.jobs.list>[1]) =>
		(await world.cron.jobs.list(world.caller, filter, page)).data.map(({id}) => id);
	t.deepEqual((await idsWith({})).toSorted(), [a.id, b.id].toSorted());
	t.deepEqual(await idsWith({tag: 'a'}), [a.id]);
	t.deepEqual(await idsWith({enabled: false}), [b.id]);
});

test('[JOB-024] upcoming runs are those of enabled jobs, soonest first', async (t) => {
	const world = await startWorld();
	const daily = await addJob(world, {name: 'daily', schedule: 'every day'});
	const often = await addJob(world, {name: 'often'});
	await addJob(world, {is_enabled: false});
	t.deepEqual((await world.cron.jobs.upcoming(world.caller, page)).data, [
		{job_id: often.id, name: 'often', next_run_at: '2026-01-31T09:31:00.000Z'},
		{job_id: daily.id, name: 'daily', next_run_at: '2026-02-01T00:00:00.000Z'},
	]);
});

test('[JOB-028 JOB-029] a deleted job is gone with its executions', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	const {id} = await world.cron.jobs.run(world.caller, job.id);
	await world.cron.jobs.delete(world.caller, job.id);
	await t.throwsAsync(world.cron.jobs.get(world.caller, job.id), {message: /no such/});
	await t.throwsAsync(world.cron.executions.get(world.caller, id), {message: /no such/});
});

test('[JOB-035] what is done to a job that is unknown, or of another user, is refused', async (t) => {
	const world = await startWorld();
	const {jobs} = world.cron;
	const other = await addCaller(world.ports);
	const {id} = await addJob(world);
	for (const call of [jobs.get, jobs.delete, jobs.enable, jobs.disable, jobs.run])
		for (const [caller, job_id] of [
			[other, id],
			[world.caller, 'unknown'],
		] as const)
			t.deepEqual(await problemsOf(call(caller, job_id)), ['resource_not_found']);
	t.deepEqual(await problemsOf(jobs.update(other, id, {name: 'x'})), ['resource_not_found']);
});

test('[JOB-017] the plan limits the jobs, also of parallel requests', async (t) => {
	const world = await startWorld();
	const caller = await addCaller(world.ports, {plan: 'free'});
	const outcomes = await Promise.all(
		Array.from({length: 12}, () =>
			addJob({...world, caller}).then(
				() => 'made',
				(error: DomainError) => error.reason,
			),
		),
	);
	t.is(outcomes.filter((outcome) => outcome === 'made').length, 5);
	t.is(outcomes.filter((outcome) => outcome === 'plan_limit_reached').length, 7);
});

test('[JOB-088] a schedule is explained in words and by its next five runs', async (t) => {
	const {cron} = await startWorld();
	const explained = await cron.jobs.explain({schedule: '@daily', timezone: 'Asia/Tokyo'});
	t.is(explained.schedule_cron, '0 0 * * *');
	t.regex(explained.description, /every day/);
	t.deepEqual(explained.next_runs.slice(0, 2), ['2026-01-31T15:00:00.000Z', '2026-02-01T15:00:00.000Z']);
	t.is(explained.next_runs.length, 5);
	t.is((await cron.jobs.explain({schedule: '@daily', count: 8})).next_runs.length, 8);
	t.deepEqual(await problemsOf(cron.jobs.explain({schedule: 'x', timezone: 'y'})), ['schedule', 'timezone']);
});

test('changes are on record, and what may hold a secret is named but not shown', async (t) => {
	const world = await startWorld();
	const job = await addJob(world, {command: 'login --password hunter2'});
	await world.cron.jobs.update(world.caller, job.id, {name: 'New', environment: {TOKEN: 'hunter2'}});
	await world.cron.jobs.run(world.caller, job.id);
	await world.cron.jobs.delete(world.caller, job.id);
	const {data} = await world.core.live.audit.list(world.caller, page);
	t.deepEqual(data.map(({action}) => action).toReversed(), [
		'cron_job.created',
		'cron_job.updated',
		'cron_job.run',
		'cron_job.deleted',
	]);
	t.deepEqual(data[2]?.data, {name: 'New', fields: ['name', 'environment']});
	t.false(JSON.stringify(data).includes('hunter2'));
});

test('saving a job that was planned while the clock was far ahead plans it anew, and one that is due stays so', async (t) => {
	const world = await startWorld();
	const {id} = await addJob(world);
	const started = world.clock.now();
	await world.clock.set('2031-01-31T09:30:00.000Z');
	await world.cron.ticks.tick(10);
	t.is((await world.cron.jobs.get(world.caller, id)).next_run_at, '2031-01-31T09:31:00.000Z');
	await world.clock.set(started);
	const saved = await world.cron.jobs.update(world.caller, id, {name: 'Saved'});
	t.is(saved.next_run_at, '2026-01-31T09:31:00.000Z');
	await world.clock.advance(120_000);
	t.is((await world.cron.jobs.update(world.caller, id, {name: 'Due'})).next_run_at, '2026-01-31T09:31:00.000Z');
});
