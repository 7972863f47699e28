import test, {type ExecutionContext} from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {open} from './scripted-api.ts';

const job = {id: 'j1', name: 'nightly', is_enabled: true, next_run_at: '2026-01-02T00:00:00.000Z'};
const jobs = {'GET /v1/cron-jobs': {data: [job], total: 1, limit: 100, offset: 0}};
const ran = {
	id: 'r1',
	job_name: 'nightly',
	status: 'running',
	output: '',
	exit_code: null,
	duration_ms: null,
	error: null,
};

test('cron run starts a job that is named by its name, enable and disable say when it runs next', async (t) => {
	const {run} = await open(t, {
		...jobs,
		'POST /v1/cron-jobs/j1/run': () => [201, {...ran, status: 'pending'}],
		'POST /v1/cron-jobs/j1/enable': job,
		'POST /v1/cron-jobs/j1/disable': {...job, next_run_at: null},
	});
	t.is((await run('cron', 'run', 'nightly')).stdout, 'nightly: pending, run r1\n');
	t.is((await run('cron', 'enable', 'j1')).stdout, 'nightly is enabled, next run 2026-01-02T00:00:00.000Z.\n');
	t.is((await run('cron', 'disable', 'nightly')).stdout, 'nightly is disabled.\n');
});

test('cron create takes the schedule, the zone, the limits and an agent by its name', async (t) => {
	const {run, told} = await open(t, {
		'GET /v1/agents': {data: [{id: 'a1', name: 'builder', status: 'online'}]},
		'POST /v1/cron-jobs': () => [201, {...job, agent_id: 'a1'}],
	});
	t.is((await run('cron', 'create', 'nightly', './backup.sh')).code, 2);
	const options = ['--timezone', 'Europe/Berlin', '--timeout', '60', '--working-dir', '/srv', '--agent', 'builder'];
	const created = await run('cron', 'create', 'nightly', './backup.sh', '--schedule', 'every day at 3 am', ...options);
	t.is(created.stdout, 'nightly is created, next run 2026-01-02T00:00:00.000Z.\n');
	t.is(created.stderr, '');
	t.deepEqual(told.find(({method}) => method === 'POST')?.body, {
		...{name: 'nightly', command: './backup.sh', schedule: 'every day at 3 am', timezone: 'Europe/Berlin'},
		...{working_dir: '/srv', timeout_seconds: 60, agent_id: 'a1'},
	});
});

test('cron create says beside the job that no agent would run it, and what to do', async (t) => {
	const command = ['cron', 'create', 'nightly', './backup.sh', '--schedule', '@daily'];
	const create = async (agents: unknown, agent_id: string | null, ...more: readonly string[]) => {
		const {run} = await open(t, {'GET /v1/agents': agents, 'POST /v1/cron-jobs': () => [201, {...job, agent_id}]});
		return run(...command, ...more);
	};
	const todo = ': run signalbox agent run on the host where the job is to run.\n';
	const made = {code: 0, stdout: 'nightly is created, next run 2026-01-02T00:00:00.000Z.\n'};
	t.deepEqual(await create({data: []}, null), {...made, stderr: `No agent is registered${todo}`});
	const offline = [
		{id: 'a1', name: 'builder', status: 'offline'},
		{id: 'a2', name: 'other', status: 'online'},
	];
	t.deepEqual(await create({data: offline}, 'a1'), {...made, stderr: `Its agent builder is offline${todo}`});
	t.deepEqual(await create({data: offline}, 'a2'), {...made, stderr: ''});
	t.deepEqual(await create(() => [403, undefined], null), {...made, stderr: ''});
	const forPrograms = await create({data: []}, null, '--json');
	t.deepEqual([forPrograms.code, forPrograms.stderr, JSON.parse(forPrograms.stdout).id], [0, '', 'j1']);
});

test('cron run says beside the run that no agent is there to take it, and what to do', async (t) => {
	const {run} = await open(t, {
		...jobs,
		'GET /v1/agents': {data: []},
		'POST /v1/cron-jobs/j1/run': () => [201, {...ran, status: 'pending'}],
	});
	const todo = 'No agent is registered: run signalbox agent run on the host where the job is to run.\n';
	t.deepEqual(await run('cron', 'run', 'nightly'), {code: 0, stdout: 'nightly: pending, run r1\n', stderr: todo});
	t.is((await run('cron', 'run', 'nightly', '--json')).stderr, '');
});

test('cron rm removes by name', async (t) => {
	const {run, told} = await open(t, {...jobs, 'DELETE /v1/cron-jobs/j1': () => [204, undefined]});
	t.is((await run('cron', 'rm', 'nightly')).stdout, 'nightly is removed.\n');
	t.is(told.at(-1)?.path, '/v1/cron-jobs/j1');
});

test('cron logs -f of one run shows what it prints as it comes, and fails when the run did', async (t) => {
	let current: object = {...ran, output: 'one\n'};
	const {run, clock, told} = await open(t, {
		...jobs,
		'GET /v1/cron-executions': {data: [ran], total: 1, limit: 1, offset: 0},
		'GET /v1/cron-executions/r1': () => current,
	});
	const result = run('cron', 'logs', 'nightly', '-f', '--run', 'r1');
	const looks = () => told.filter(({path}) => path.endsWith('/r1')).length;
	await until(() => looks() === 1, 'the first look');
	current = {...ran, output: 'one\ntwo\n', status: 'failed', exit_code: 3, duration_ms: 12};
	await until(async () => {
		await clock.advance(1000);
		return looks() === 2;
	}, 'the second look');
	t.deepEqual(await result, {
		code: 1,
		stdout: 'one\ntwo\n',
		stderr: 'nightly: failed, exit code 3, 12 ms\nnightly did not succeed\n',
	});
});

test('a program that follows a run which failed gets the run, and the exit code', async (t) => {
	const failed = {...ran, status: 'failed', exit_code: 3, duration_ms: 12};
	const {run} = await open(t, {
		...jobs,
		'POST /v1/cron-jobs/j1/run': () => [201, ran],
		'GET /v1/cron-executions/r1': failed,
	});
	const {code, stdout} = await run('cron', 'run', 'nightly', '--follow', '--json');
	t.is(code, 1);
	t.like(JSON.parse(stdout), {id: 'r1', status: 'failed', exit_code: 3});
});

test('cron logs -f of a job that is deleted ends and says so', async (t) => {
	const gone = {error: {code: 'resource_not_found', message: 'There is no such cron job.'}};
	const {run, clock} = await open(t, {
		...jobs,
		'GET /v1/cron-executions': page([]),
		'GET /v1/cron-jobs/j1': () => [404, gone],
	});
	const result = run('cron', 'logs', 'nightly', '-f');
	let ended = false;
	void result.then(() => {
		ended = true;
	});
	await until(async () => {
		await clock.advance(1000);
		return ended;
	}, 'its end');
	t.like(await result, {code: 1});
	t.regex((await result).stderr, /There is no such cron job/);
});

const page = (data: readonly object[]) => ({data, total: data.length, limit: 100, offset: 0});

const ended = (id: string, more: object) => ({...ran, id, status: 'success', exit_code: 0, duration_ms: 5, ...more});

/** Somebody who follows the job while runs come, and lets it look again. */
const followJob = async (t: ExecutionContext, runs: readonly ReturnType<typeof ended>[]) => {
	const stop = new AbortController();
	let listed: readonly string[] = [];
	const {run, clock, told} = await open(
		t,
		{
			...jobs,
			'GET /v1/cron-executions': () => page(listed.map((id) => ({...ran, id}))),
			...Object.fromEntries(runs.map((each) => [`GET /v1/cron-executions/${each.id}`, each])),
		},
		{awaitStop: () => ({stopping: stop.signal, hurrying: new AbortController().signal})},
	);
	const looks = (path: string) => told.filter((each) => each.path.startsWith(path)).length;
	const listLooks = () => looks('/v1/cron-executions?');
	const result = run('cron', 'logs', 'nightly', '--follow');
	await until(() => listLooks() === 1, 'the first look');
	return {
		result,
		looksAt: (id: string) => looks(`/v1/cron-executions/${id}`),
		/** The list is now this one, and is looked at often enough for a run to be shown again. */
		list: async (...ids: readonly string[]) => {
			listed = ids;
			const before = listLooks();
			await until(async () => {
				await clock.advance(1000);
				return listLooks() >= before + 3;
			}, ids.join());
		},
		stop: () => stop.abort(),
	};
};

test('cron logs -f of a job waits for its first run, and shows run after run until it is told to stop', async (t) => {
	const runs = [ended('r1', {output: 'one\n'}), ended('r2', {output: 'two\n', status: 'failed', exit_code: 3})];
	const {result, list, looksAt, stop} = await followJob(t, runs);
	await list('r1');
	await list('r2', 'r1');
	stop();
	t.deepEqual(await result, {
		code: 0,
		stdout: 'one\ntwo\n',
		stderr: 'nightly: success, exit code 0, 5 ms\nnightly: failed, exit code 3, 5 ms\n',
	});
	t.is(looksAt('r1'), 1);
});

test('cron logs -f of a job shows each run once, also when a retry that was made before it falls due later', async (t) => {
	const runs = [ended('r1', {output: 'one\n'}), ended('r2', {output: 'retry\n'}), ended('r3', {output: 'by hand\n'})];
	const {result, list, stop} = await followJob(t, runs);
	await list('r1');
	await list('r2', 'r3', 'r1');
	stop();
	t.is((await result).stdout, 'one\nby hand\nretry\n');
});

test('cron logs of a job that has not run was understood, and fails', async (t) => {
	const {run} = await open(t, {...jobs, 'GET /v1/cron-executions': {data: [], total: 0, limit: 20, offset: 0}});
	t.like(await run('cron', 'logs', 'nightly'), {code: 1, stderr: 'nightly has not run yet\n'});
});

test('cron logs shows the whole output of a run that ended', async (t) => {
	const ended = {...ran, status: 'success', exit_code: 0, duration_ms: 5, output: 'done\n'};
	const {run} = await open(t, {'GET /v1/cron-executions/r1': ended});
	t.is(
		(await run('cron', 'logs', 'nightly', '--run', 'r1', '--json').then(({stdout}) => JSON.parse(stdout))).output,
		'done\n',
	);
	t.is((await run('cron', 'logs', 'nightly', '--run', 'r1')).stdout, 'done\n');
});

test('cron logs shows the run that began last, says when the next is due, and that output is missing', async (t) => {
	const failed = {...ran, status: 'failed', exit_code: 3, error: 'The reason is X.', truncated: true, output: 'x\n'};
	const retry = {...ran, id: 'r2', status: 'pending', scheduled_for: '2026-01-02T00:05:00.000Z'};
	const {run} = await open(t, {
		...jobs,
		'GET /v1/cron-executions': {data: [retry, failed], total: 2, limit: 20, offset: 0},
		'GET /v1/cron-executions/r1': failed,
		'GET /v1/cron-executions/r2': retry,
	});
	const {stdout, stderr} = await run('cron', 'logs', 'nightly');
	t.is(stdout, 'x\n');
	t.is(
		stderr,
		'nightly: the next run is due at 2026-01-02T00:05:00.000Z\n' +
			'nightly: failed, exit code 3, The reason is X., part of the output is missing\n',
	);
});

test('a name does not steer the terminal, wherever it is shown', async (t) => {
	const named = {...job, name: 'a\u001b]0;b\u0007'};
	const {run} = await open(t, {
		...jobs,
		'POST /v1/cron-jobs/j1/disable': {...named, next_run_at: null},
		'POST /v1/cron-jobs/j1/run': () => [201, {...ran, job_name: named.name}],
	});
	for (const verb of ['disable', 'run'] as const)
		t.notRegex((await run('cron', verb, 'j1')).stdout, /[^\n\u0020-\u007e]/);
});
