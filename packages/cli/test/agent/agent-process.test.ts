import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {serveGrpc} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {findTagged} from '../../src/agent/processes.ts';
import {apiKey, createScriptedServer, specOf} from './scripted-server.ts';
import {temporaryFolder} from './world.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A server on a port, and a host on which agents can be started. */
const openHost = async (t: ExecutionContext) => {
	const server = createScriptedServer();
	const {port, stop} = await serveGrpc({...server.settings, port: 0});
	t.teardown(() => stop(0));
	const home = await temporaryFolder(t);
	const start = (...words: string[]): ChildProcess => {
		const child = spawn(
			process.execPath,
			['--conditions=@signalbox/source', main, 'agent', 'run', '--allow-root', '--capacity', '2', ...words],
			{
				stdio: ['ignore', 'ignore', 'pipe'],
				cwd: home,
				env: {
					...{PATH: process.env.PATH, HOME: home},
					...{SIGNALBOX_API_KEY: apiKey, SIGNALBOX_GRPC_URL: `http://127.0.0.1:${port}`},
				},
			},
		);
		t.teardown(() => end(child, 'SIGKILL'));
		return child;
	};
	// Commands are found by the id of their execution, on the whole machine.
	const id = crypto.randomUUID();
	return {server, home, id, stateFolder: join(home, '.local/state/signalbox/agent'), start};
};

/** Sends a signal and waits for the end. @returns the exit code */
const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
	const exited = once(child, 'exit');
	child.kill(signal);
	const [code] = await exited;
	return code;
};

test('an agent runs a command over gRPC, reports it, and ends on SIGTERM', async (t) => {
	const {server, id, stateFolder, start} = await openHost(t);
	const agent = start('--name', 'builder');
	server.offer(specOf(id, {command: 'echo "hello $WHO"; exit 3', environment: {WHO: 'world'}}));
	await until(() => server.told.finish.length > 0, 'the report');
	t.like(server.told.register[0], {name: 'builder', capacity: 2, os: process.platform});
	t.is(server.printed(), 'hello world\n');
	t.like(server.told.finish, [{execution_id: id, outcome: 'EXITED', exit_code: 3, stdout_bytes: 12}]);
	t.is(await end(agent, 'SIGTERM'), 0);
	t.is(server.told.deregister.length, 1);
	t.deepEqual((await readdir(stateFolder)).sort(), ['agent-id']);
});

test('a state folder may be named from where the agent is started', async (t) => {
	const {server, home, id, start} = await openHost(t);
	const agent = start('--state-folder', 'state');
	server.offer(specOf(id, {command: 'pwd', working_dir: '/'}));
	await until(() => server.told.finish.length > 0, 'the report');
	t.is(server.printed(), '/\n');
	t.like(server.told.finish, [{outcome: 'EXITED', exit_code: 0}]);
	t.is(await end(agent, 'SIGTERM'), 0);
	t.deepEqual(await readdir(join(home, 'state')), ['agent-id']);
});

test('[AGT-025] after its death an agent reports what it ran, and runs no attempt twice', async (t) => {
	const {server, id, home, start} = await openHost(t);
	const ran = join(home, 'ran');
	const spec = specOf(id, {command: `echo once >> ${ran}; echo started; sleep 600`});
	const first = start();
	server.offer(spec);
	await until(() => existsSync(ran), 'the command running');
	await end(first, 'SIGKILL');
	t.true((await findTagged(`${id}.1`)).length > 0);

	const second = start();
	await until(() => server.told.finish.length > 0, 'the report');
	t.like(server.told.finish, [{execution_id: id, lease_token: `lease-${id}`, outcome: 'AGENT_RESTARTED'}]);
	t.deepEqual(await findTagged(`${id}.1`), []);
	t.is(server.told.register[1]?.agent_id, 'agent-1');
	t.is(await readFile(ran, 'utf8'), 'once\n');
	t.is(await end(second, 'SIGTERM'), 0);
});

test('a second agent in the same folder is refused, and harms nothing', async (t) => {
	const {server, start} = await openHost(t);
	const first = start();
	await until(() => server.told.lease.length > 0, 'the first agent asking for work');
	const second = start();
	const [code] = await once(second, 'exit');
	t.is(code, 1);
	t.is(server.told.register.length, 1);
	t.is(await end(first, 'SIGTERM'), 0);
});

test('a second SIGTERM ends what runs', async (t) => {
	const {server, id, home, start} = await openHost(t);
	const ran = join(home, 'ran');
	const agent = start();
	server.offer(specOf(id, {command: `touch ${ran}; sleep 600`}));
	await until(() => existsSync(ran), 'the command running');
	let log = '';
	agent.stderr?.on('data', (text) => {
		log += text;
	});
	agent.kill('SIGTERM');
	await until(() => log.includes('No new work'), 'the agent draining');
	t.is(await end(agent, 'SIGTERM'), 0);
	t.like(server.told.finish, [{execution_id: id, outcome: 'AGENT_RESTARTED'}]);
	t.deepEqual(await findTagged(`${id}.1`), []);
});

test('whoever reads the output may leave: no fault, and an agent goes on', async (t) => {
	const child = spawn(process.execPath, ['--conditions=@signalbox/source', main, '--help'], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stdout.destroy();
	const told = text(child.stderr);
	t.is((await once(child, 'exit'))[0], 0);
	t.is(await told, '');

	const {server, id, start} = await openHost(t);
	const agent = start();
	agent.stderr?.destroy();
	server.offer(specOf(id, {command: 'echo on'}));
	await until(() => server.told.finish.length > 0, 'the report');
	t.is(await end(agent, 'SIGTERM'), 0);
});

test('as many commands run as the agent is told, whatever the processors, unless the policy says less', async (t) => {
	const {server, home, start} = await openHost(t);
	const agent = start('--capacity', '300');
	await until(() => server.told.register.length === 1, 'the agent');
	t.is(server.told.register[0]?.capacity, 300);
	await end(agent, 'SIGTERM');
	const policy = join(home, 'policy.json');
	await writeFile(policy, '{"max_concurrent": 3}', {mode: 0o600});
	const bounded = start('--capacity', '300', '--policy', policy);
	const told = text(bounded.stderr as Readable);
	await until(() => server.told.register.length === 2, 'the agent');
	t.is(server.told.register[1]?.capacity, 3);
	await end(bounded, 'SIGTERM');
	t.regex(await told, /allows 3 commands at the same time, not 300/);
});
