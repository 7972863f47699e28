import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {createCommandLine, end} from '../support/command-line.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer, type TestServerOptions} from '../support/server.ts';

/** A person of a real server, and the program as they run it. */
const start = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	const person = await registerPerson(createApi(server.baseUrl), 'ada');
	const {open, run} = await createCommandLine(t, {
		SIGNALBOX_URL: server.baseUrl,
		SIGNALBOX_GRPC_URL: server.grpcUrl,
	});
	const logIn = () => run(`login --email ${person.email} --password-stdin`, `${person.password}\n`);
	return {server, person, open, run, logIn};
};

test('[AGT-043 AGT-044] a login from the command line makes an API key, with which later commands work', async (t) => {
	const {person, run, logIn} = await start(t);
	t.is((await run('whoami')).code, 3);
	const login = await logIn();
	t.deepEqual([login.code, login.stderr], [0, '']);
	t.is((await person.api.get('/v1/api-keys')).body.data.length, 1);
	t.true((await run('whoami')).stdout.startsWith(person.email));
	t.is((await run('env set TOKEN --secret', 's3cret value\n')).stdout, 'TOKEN is set.\n');
	t.like(JSON.parse((await run('env list --json')).stdout), [{key: 'TOKEN', is_secret: true}]);
	const refused = await run('env set 1 2');
	t.is(refused.code, 1);
	t.regex(refused.stderr, /^key: .+ \(validation_error, request .+\)\n$/);
	t.is((await run('logout')).code, 0);
	t.is((await run('whoami')).code, 3);
	t.deepEqual((await person.api.get('/v1/api-keys')).body.data, []);
});

test('email and password may both be piped in, a line each', async (t) => {
	const {person, run} = await start(t);
	const login = await run('login', `${person.email}\n${person.password}\n`);
	t.deepEqual([login.code, login.stderr], [0, '']);
	t.like(await run('login', `${person.email}\n`), {code: 1, stderr: 'Password: there was no answer.\n'});
});

test('a login through a browser brings a key back to the program that asked', async (t) => {
	const {person, open, run} = await start(t);
	// Where no browser is found: nobody wants a page to open in the middle of the tests.
	const login = open('login --browser', {PATH: '/nowhere'});
	let told = '';
	login.stderr.on('data', (piece) => {
		told += piece;
	});
	const url = await until(() => /browser: (\S+)\n/.exec(told)?.[1], 'the address of the page');
	const {email, password} = person;
	const confirmed = await fetch(url, {
		method: 'POST',
		body: new URLSearchParams({with: 'password', email, password}),
		headers: {origin: new URL(url).origin},
	});
	t.is(
		await confirmed.text(),
		'<!doctype html><title>Signalbox</title><p>You are logged in. You can close this page.</p>',
	);
	const [code] = login.exitCode === null ? await once(login, 'exit') : [login.exitCode];
	t.is(code, 0);
	t.true((await run('whoami')).stdout.startsWith(email));
});

test('[AGT-017] an agent that is told to end takes nothing new, is shown as draining, and lets what runs end', async (t) => {
	const {server, person, open, logIn} = await start(t, {agentTimes: {heartbeat: 1, offline: 3, lease: 60, lost: 120}});
	await logIn();
	const gate = join(server.dataDir, 'gate');
	await promisify(execFile)('mkfifo', [gate]);
	const job = {name: 'long', schedule: '@yearly', command: 'read line < "$GATE"', environment: {GATE: gate}};
	const {id} = (await person.api.post('/v1/cron-jobs', job)).body;
	const agent = open('agent run --allow-root --name builder');
	const begun = (await person.api.post(`/v1/cron-jobs/${id}/run`)).body;
	const statusOf = async (run: {id: string}) => (await person.api.get(`/v1/cron-executions/${run.id}`)).body.status;
	const shown = async () => (await person.api.get('/v1/agents')).body.data[0].status;
	await until(async () => (await statusOf(begun)) === 'running', 'the command runs');
	agent.kill('SIGTERM');
	await until(async () => (await shown()) === 'draining', 'the agent is shown as draining');
	const waiting = (await person.api.post(`/v1/cron-jobs/${id}/run`)).body;
	server.advance(4000);
	await until(async () => (await shown()) === 'draining', 'it goes on saying so');
	t.is(await statusOf(waiting), 'pending');
	await writeFile(gate, 'done\n');
	if (agent.exitCode === null) await once(agent, 'exit');
	t.is(agent.exitCode, 0);
	t.deepEqual([await statusOf(begun), await statusOf(waiting), await shown()], ['success', 'pending', 'offline']);
});

test('an agent runs what a person starts, alone or in a chain, and the person sees what became of it', async (t) => {
	const {person, open, run, logIn} = await start(t);
	await logIn();
	await run('env set TOKEN --secret', 's3cret value\n');
	await run('env set NOTE', 'a\nb\n');
	const environment = {T: '{{env.TOKEN}}', N: '{{env.NOTE}}'};
	const job = {name: 'nightly', schedule: '0 3 * * *', command: 'echo "it is $T, $N"', environment};
	const made = await person.api.post('/v1/cron-jobs', job);
	t.is(made.status, 201);
	const agent = open('agent run --allow-root --name builder');
	const listed = async () => (await person.api.get('/v1/agents')).body.data[0]?.status === 'online';
	await until(listed, 'the agent online');
	const {code, stdout, stderr} = await run('cron run nightly --follow');
	t.deepEqual([code, stdout], [0, 'it is ********, a\nb\n'], stderr);
	t.regex((await run('cron logs nightly')).stderr, /nightly: success, exit code 0/);
	const steps = [{cron_job_id: made.body.id, step_order: 0}];
	await person.api.post('/v1/cron/chains', {name: 'evening', trigger_type: 'manual', steps});
	const chain = await run('chains run evening --follow');
	t.deepEqual([chain.code, chain.stdout.endsWith('nightly: success\n')], [0, true], chain.stderr);
	t.is(await end(agent, 'SIGTERM'), 0);
	t.is((await person.api.get('/v1/agents')).body.data[0].status, 'offline');
});
