import test from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {open} from './scripted-api.ts';

const step = (cron_job_id: string, step_order: number, condition_type = 'on_success') => ({
	...{cron_job_id, step_order, condition_type, timeout_seconds: 3600},
});

const chain = {
	...{id: 'c1', name: 'nightly', is_enabled: true, next_run_at: '2026-01-02T02:30:00.000Z'},
	...{trigger_type: 'schedule', trigger_schedule: 'every day at 2:30 am', timezone: 'UTC', trigger_endpoint_id: null},
	steps: [step('j1', 0), step('j2', 1), step('j3', 2, 'on_failure')],
};
const chains = {'GET /v1/cron/chains': {data: [chain]}};

const jobs = {
	data: [
		{id: 'j1', name: 'back up'},
		{id: 'j2', name: 'verify'},
	],
	...{total: 2, limit: 100, offset: 0},
};

type Stand = readonly [name: string, status: string, error?: string];

const execution = (status: string, ...steps: readonly Stand[]) => ({
	...{id: 'e1', chain_id: 'c1', chain_name: 'nightly', status, triggered_by: 'manual'},
	...{started_at: '2026-01-01T00:00:00.000Z', completed_at: status === 'running' ? null : '2026-01-01T00:00:09.000Z'},
	steps: steps.map(([job_name, step, error = null]) => ({job_name, status: step, error})),
});

/** Lets the command look again until it has looked that often. */
const untilLooked = ({told, clock}: Awaited<ReturnType<typeof open>>, times: number) =>
	until(async () => {
		await clock.advance(1000);
		return told.filter(({path}) => path === '/v1/cron/chain-executions/e1').length >= times;
	}, `look ${times}`);

test('chains list says what starts each chain', async (t) => {
	const gone = {...chain, id: 'c2', name: 'deploy', trigger_type: 'webhook', next_run_at: null, is_enabled: false};
	const {run} = await open(t, {'GET /v1/cron/chains': {data: [chain, gone, {...gone, trigger_endpoint_id: 'w1'}]}});
	t.deepEqual((await run('chains', 'list')).stdout.split('\n'), [
		'ID  NAME     TRIGGER                         ENABLED  STEPS  NEXT RUN',
		'c1  nightly  every day at 2:30 am (UTC)      yes      3      2026-01-02T02:30:00.000Z',
		'c2  deploy   webhook (its endpoint is gone)  no       3',
		'c2  deploy   webhook                         no       3',
		'',
	]);
});

test('chains show tells the condition and the job of each step, also of a job that is gone', async (t) => {
	const {run} = await open(t, {...chains, 'GET /v1/cron-jobs': jobs});
	t.deepEqual((await run('chains', 'show', 'nightly')).stdout.split('\n'), [
		'nightly: every day at 2:30 am (UTC), next run 2026-01-02T02:30:00.000Z',
		'STEP  CONDITION   TIMEOUT  JOB',
		'0     on_success  3600 s   back up',
		'1     on_success  3600 s   verify',
		'2     on_failure  3600 s   j3 (deleted)',
		'',
	]);
	t.deepEqual(JSON.parse((await run('chains', 'show', 'c1', '--json')).stdout), chain);
	t.is((await run('chains', 'show', 'weekly')).stderr, 'There is no chain weekly (resource_not_found)\n');
});

test('chains run starts a chain and says which execution that is', async (t) => {
	const {run} = await open(t, {
		...chains,
		'POST /v1/cron/chains/c1/run': () => [201, execution('running', ['back up', 'running'])],
	});
	t.is((await run('chains', 'run', 'nightly')).stdout, 'nightly: running, execution e1\n');
});

test('chains run --follow shows each state of a step once, and fails when the chain did', async (t) => {
	let current = execution('running', ['back up', 'running'], ['verify', 'pending'], ['tell', 'pending']);
	const terminal = await open(t, {
		...chains,
		'POST /v1/cron/chains/c1/run': () => [201, current],
		'GET /v1/cron/chain-executions/e1': () => current,
	});
	const result = terminal.run('chains', 'run', 'nightly', '-f');
	await untilLooked(terminal, 2);
	current = execution('running', ['back up', 'success'], ['verify', 'running'], ['tell', 'pending']);
	await untilLooked(terminal, 4);
	current = execution(
		'failed',
		['back up', 'success'],
		['verify', 'timeout', 'It took too long.'],
		['tell', 'skipped'],
	);
	await untilLooked(terminal, 5);
	t.deepEqual(await result, {
		code: 1,
		stdout: [
			...['back up: running', 'back up: success', 'verify: running', 'verify: timeout, It took too long.'],
			...['tell: skipped', ''],
		].join('\n'),
		stderr: 'nightly: failed\nnightly did not succeed\n',
	});
});

test('chains run --follow of a chain that completed is done; programs get the execution and nothing else', async (t) => {
	const ended = execution('completed', ['back up\u001b]0;evil\u0007', 'success']);
	const {run} = await open(t, {
		...chains,
		'POST /v1/cron/chains/c1/run': () => [201, ended],
		'GET /v1/cron/chain-executions/e1': ended,
	});
	const {code, stdout, stderr} = await run('chains', 'run', 'c1', '--follow');
	t.deepEqual([code, stderr], [0, 'nightly: completed\n']);
	t.false(stdout.includes('\u001b'));
	t.deepEqual(JSON.parse((await run('chains', 'run', 'c1', '--follow', '--json')).stdout), ended);
});

test('chains runs lists the latest executions with what became of their steps', async (t) => {
	const data: unknown[] = [];
	const {run, told} = await open(t, {
		...chains,
		'GET /v1/cron/chains/c1/executions': () => ({data, total: data.length, limit: 20, offset: 0}),
	});
	t.is((await run('chains', 'runs', 'nightly')).stdout, 'nightly has not run yet.\n');
	data.push(execution('failed', ['back up', 'failed'], ['verify', 'skipped']));
	t.is(
		(await run('chains', 'runs', 'nightly', '--limit', '5')).stdout.split('\n')[1],
		'e1  failed  manual      2026-01-01T00:00:00.000Z  2026-01-01T00:00:09.000Z  failed, skipped',
	);
	t.is(told.at(-1)?.path, '/v1/cron/chains/c1/executions?limit=5');
	t.is((await run('chains', 'runs', 'nightly', '--limit', '101')).code, 2);
});

test('chains cancel ends one execution, and tells when it was over already', async (t) => {
	const error = {code: 'conflict', message: 'It is over.', request_id: 'r'};
	const {run} = await open(t, {
		'POST /v1/cron/chain-executions/e1/cancel': execution('canceled'),
		'POST /v1/cron/chain-executions/e2/cancel': () => [409, {error}],
	});
	t.is((await run('chains', 'cancel', 'e1')).stdout, 'nightly: canceled.\n');
	const refused = await run('chains', 'cancel', 'e2');
	t.deepEqual([refused.code, refused.stderr], [1, 'It is over. (conflict, request r)\n']);
});

test('chains enable and disable change nothing else, and say when it runs next', async (t) => {
	const answers = [chain, {...chain, next_run_at: null}];
	const {run, told} = await open(t, {...chains, 'PUT /v1/cron/chains/c1': () => answers.shift()});
	t.is((await run('chains', 'enable', 'nightly')).stdout, 'nightly is enabled, next run 2026-01-02T02:30:00.000Z.\n');
	t.deepEqual(told.at(-1)?.body, {is_enabled: true});
	t.is((await run('chains', 'disable', 'nightly')).stdout, 'nightly is disabled.\n');
	t.deepEqual(told.at(-1)?.body, {is_enabled: false});
});

test('the chain commands are listed and completed', async (t) => {
	const {run} = await open(t, {});
	const help = (await run('chains', '--help')).stdout;
	for (const verb of ['list', 'show <chain>', 'run <chain>', 'runs <chain>', 'cancel <execution>', 'enable <chain>'])
		t.true(help.includes(`chains ${verb}`), verb);
	t.regex((await run('completion', 'bash')).stdout, /'chains'\) echo 'list show run runs cancel enable disable'/);
});
