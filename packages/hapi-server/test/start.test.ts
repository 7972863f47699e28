import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {openDatabase} from '@signalbox/adapters-sql';
import {connectGrpc, RpcError} from '@signalbox/rpc';
import test from 'ava';
import {createApi, registerPerson} from '../../../test/support/api.ts';
import {bareEnvironment} from '../../../test/support/bare-environment.ts';
import {listen} from '../../../test/support/mcp/listen.ts';
import {until} from '../../../test/support/mcp/until.ts';

type Context = {teardown(end: () => Promise<void>): void};

const main = join(import.meta.dirname, '..', 'src', 'main.ts');

const directory = async (t: Context): Promise<string> => {
	const path = await mkdtemp(join(tmpdir(), 'signalbox-start-'));
	t.teardown(() => rm(path, {recursive: true, force: true}));
	return path;
};

type Program = Readonly<{
	out: string[];
	err: string[];
	ended: Promise<number>;
	stop(): Promise<number>;
	ready: Promise<string>;
}>;

const follow = (child: ChildProcessWithoutNullStreams): Program => {
	const [out, err]: [string[], string[]] = [[], []];
	const ended = once(child, 'close').then(([code]) => Number(code));
	const ready = new Promise<string>((resolve, reject) => {
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			out.push(...text.split('\n').filter((line) => line !== ''));
			const line = out.find((candidate) => candidate.startsWith('{"ready":true'));
			if (line !== undefined) resolve(line);
		});
		ended.then(() => reject(new Error(err.join(''))), reject);
	});
	ready.catch(() => {});
	child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
	const stop = () => {
		child.kill('SIGTERM');
		return ended;
	};
	return {out, err, ended, stop, ready};
};

const program = [process.execPath, '--conditions=@signalbox/source', main];

/** Runs the program from its sources, in a folder of its own, with nothing of this process's configuration. */
const run = (cwd: string, args: readonly string[], env: Record<string, string> = {}): Program => {
	const [node = '', ...rest] = program;
	return follow(spawn(node, [...rest, ...args], {cwd, env: {...bareEnvironment(), ...env}}));
};

/** The same where no file grows past 64 KiB: a disk that is full for whoever runs the tests, also for root. */
const runWithoutRoom = (cwd: string, args: readonly string[]): Program => {
	const limited = `trap '' XFSZ; ulimit -f 128; exec "$@"`;
	const env = {...bareEnvironment(), PORT: '0', GRPC_PORT: '0'};
	return follow(spawn('sh', ['-c', limited, 'sh', ...program, ...args], {cwd, env}));
};

const start = (t: Context, cwd: string, env: Record<string, string> = {}): Program => {
	const program = run(cwd, ['start'], {PORT: '0', GRPC_PORT: '0', ...env});
	t.teardown(async () => {
		await program.stop();
	});
	return program;
};

const shownCredentials = (out: readonly string[]) =>
	/First account \(shown this once\): (\S+) {2}password: (\S+)/.exec(out.join('\n'))?.slice(1);

test('[HTTP-088 HTTP-066] start without .env or any setting: the last line is one line of JSON; SIGTERM ends it', async (t) => {
	const cwd = await directory(t);
	const program = start(t, cwd);
	const line = JSON.parse(await program.ready);
	t.deepEqual(Object.keys(line), ['ready', 'base_url', 'proxy_url', 'hook_url', 'grpc']);
	t.is(program.out.at(-1), JSON.stringify(line));
	t.true(program.out.includes(`Dashboard: ${line.base_url}`));
	t.is((await createApi(line.base_url).get('/readyz')).status, 200);
	t.is(await program.stop(), 0);
});

/** Milliseconds from the signal to the end. */
const timeToStop = async ({stop}: Program): Promise<number> => {
	const asked = performance.now();
	await stop();
	return performance.now() - asked;
};

test('a server whose database is locked ends within ten seconds, whatever waits for the lock', async (t) => {
	const cwd = await directory(t);
	const program = start(t, cwd);
	const {base_url} = JSON.parse(await program.ready);
	const other = new DatabaseSync(join(cwd, 'data', 'signalbox.db'), {timeout: 5000});
	other.exec('BEGIN IMMEDIATE');
	const account = {email: 'ada@example.com', password: 'a long password'};
	const waiting = createApi(base_url)
		.post('/v1/auth/register', account)
		.catch(() => undefined);
	const took = await timeToStop(program);
	other.close();
	await waiting;
	// It took half a minute and more; machines are slow, too.
	t.true(took < 20_000, `${took} ms`);
});

test('destination and upstream that hang are waited for at the same time, and no longer than ten seconds', async (t) => {
	const asked: string[] = [];
	const hanging = await listen(({url = ''}) => void asked.push(url));
	t.teardown(hanging.close);
	const program = start(t, await directory(t), {SIGNALBOX_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8'});
	const {base_url} = JSON.parse(await program.ready);
	const {api} = await registerPerson(createApi(base_url));
	const at = (path: string) => `${hanging.origin}/${path}`;
	const endpoint = await api.post('/v1/webhook/endpoints', {name: 'Hanging', destination_url: at('hook')});
	const server = await api.post('/v1/mcp/servers', {name: 'Hanging', target_url: at('mcp')});
	t.is((await fetch(`${base_url}/wh/${endpoint.body.slug}`, {method: 'POST', body: '{}'})).status, 202);
	const call = {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'pay', arguments: {}}};
	const headers = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};
	const answer = fetch(`${base_url}/p/${server.body.slug}`, {method: 'POST', headers, body: JSON.stringify(call)});
	await until(() => asked.length === 2, 'both requests');
	const took = await timeToStop(program);
	t.is((await answer).status, 503);
	// One after the other it was 15 s.
	t.true(took < 14_000, `${took} ms`);
	t.is(await program.ended, 0);
});

test('the first password is shown also by a start that fails, since the next one has none to show', async (t) => {
	const {origin, close} = await listen((_request, response) => response.end());
	t.teardown(close);
	const cwd = await directory(t);
	const failing = run(cwd, ['start'], {PORT: new URL(origin).port, GRPC_PORT: '0'});
	t.is(await failing.ended, 1);
	const [email, password] = shownCredentials(failing.out) ?? [];
	const {base_url} = JSON.parse(await start(t, cwd).ready);
	t.is((await createApi(base_url).post('/v1/auth/login', {email, password})).status, 200);
});

test('[AGT-037 AGT-055] gRPC has a port of its own, any free one, on 127.0.0.1, and the ready line says which', async (t) => {
	const program = start(t, await directory(t));
	const {base_url, grpc} = JSON.parse(await program.ready);
	t.regex(grpc, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
	t.not(new URL(grpc).port, new URL(base_url).port);
	const {peer, close} = connectGrpc({url: grpc, apiKey: 'sbx_00000000_guessed'});
	const error = await t.throwsAsync(peer.whoAmI({}), {instanceOf: RpcError});
	t.is(error?.kind, 'unauthenticated');
	close();
});

test('without the role nobody listens for agents', async (t) => {
	const program = start(t, await directory(t), {SIGNALBOX_ROLES: 'api'});
	t.is(JSON.parse(await program.ready).grpc, false);
});

for (const [name, env, message] of [
	[
		'a certificate that is not there',
		{GRPC_TLS_CERT: 'cert.pem', GRPC_TLS_KEY: 'key.pem'},
		/GRPC_TLS_CERT: cannot be read/,
	],
	['a gRPC port that is taken', {}, /GRPC_PORT: cannot listen on 127\.0\.0\.1:\d+/],
] as const) {
	test(`${name} ends the start with a message, and no stack`, async (t) => {
		const {origin, close} = await listen((_request, response) => response.end());
		t.teardown(close);
		const program = run(await directory(t), ['start'], {PORT: '0', GRPC_PORT: new URL(origin).port, ...env});
		t.is(await program.ended, 1);
		t.regex(program.err.join(''), message);
		t.notRegex(program.err.join(''), /\n\s+at /);
	});
}

test('[WHK-083] start opens loopback destinations and says so; a server for others does neither', async (t) => {
	const arrived = Promise.withResolvers<string | undefined>();
	const destination = await listen((request, response) => {
		arrived.resolve(request.url);
		response.end();
	});
	t.teardown(destination.close);
	const opened = 'Upstreams and destinations may be at private addresses: ';
	const program = start(t, await directory(t));
	const {base_url, hook_url} = JSON.parse(await program.ready);
	t.true(program.out.includes(`${opened}127.0.0.0/8, ::1/128`));
	const {api} = await registerPerson(createApi(base_url));
	const fields = {name: 'Local', destination_url: `${destination.origin}/hook`};
	const {slug} = (await api.post('/v1/webhook/endpoints', fields)).body;
	t.is((await fetch(`${hook_url}/wh/${slug}`, {method: 'POST'})).status, 202);
	t.is(await arrived.promise, '/hook');
	const reachable = start(t, await directory(t), {HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'});
	await reachable.ready;
	t.false(reachable.out.some((line) => line.startsWith(opened)));
});

test('[ACC-101 ENV-048] keys are made in DATA_DIR for their owner only, and kept', async (t) => {
	const cwd = await directory(t);
	const names = ['jwt.keys', 'master.keys'].map((name) => join(cwd, 'data', name));
	const read = () => Promise.all(names.map((name) => readFile(name, 'utf8')));
	const first = start(t, cwd);
	await first.ready;
	const keys = await read();
	for (const name of names) t.is((await stat(name)).mode & 0o777, 0o600);
	await first.stop();
	const second = start(t, cwd);
	await second.ready;
	t.deepEqual(await read(), keys);
	t.false(
		[...first.out, ...first.err].some((line) => keys.some((key) => line.includes(key.trim().split(':')[1] ?? ''))),
	);
});

test('values whose master key got lost are reported at the start', async (t) => {
	const cwd = await directory(t);
	const first = start(t, cwd);
	const api = createApi(JSON.parse(await first.ready).base_url);
	await (await registerPerson(api)).api.post('/v1/environment', {key: 'A', value: 'x'});
	await first.stop();
	await rm(join(cwd, 'data', 'master.keys'));
	const second = start(t, cwd);
	await second.ready;
	t.true(second.out.some((line) => /^Secrets of environment variables are sealed with the master key k-/.test(line)));
});

test('token keys that got lost are reported by the start that makes them anew, and by no other', async (t) => {
	const cwd = await directory(t);
	const file = join(cwd, 'data', 'jwt.keys');
	const reports = async () => {
		const program = start(t, cwd);
		await program.ready;
		await program.stop();
		return program.err
			.join('')
			.split('\n')
			.filter((line) => line.includes('no key that signs'));
	};
	t.deepEqual(await reports(), []);
	await rm(file);
	t.is(await run(cwd, ['migrate']).ended, 0);
	t.is(await run(cwd, ['users', 'list']).ended, 0);
	await t.throwsAsync(stat(file), {code: 'ENOENT'});
	const [report = '', ...more] = await reports();
	t.like(JSON.parse(report), {level: 40});
	t.deepEqual(more, []);
	t.deepEqual(await reports(), []);
});

test('secrets that do not open are reported whatever they belong to, also when another key has the name of theirs', async (t) => {
	const cwd = await directory(t);
	const masterKeys = () => `k1:${randomBytes(32).toString('base64')}`;
	const SIGNALBOX_MASTER_KEYS = masterKeys();
	const first = start(t, cwd, {SIGNALBOX_MASTER_KEYS});
	const api = createApi(JSON.parse(await first.ready).base_url);
	const {api: person} = await registerPerson(api);
	await person.post('/v1/webhook/endpoints', {name: 'Orders', destination_url: 'https://orders.example.com/'});
	await first.stop();
	const check = (env: Record<string, string>) => run(cwd, ['keys', 'check'], env);
	const [right, wrong] = [check({SIGNALBOX_MASTER_KEYS}), check({SIGNALBOX_MASTER_KEYS: masterKeys()})];
	t.deepEqual([await right.ended, right.out], [0, ['Everything that is sealed opens.']], right.err.join(''));
	t.is(await wrong.ended, 1);
	t.regex(wrong.out.join('\n'), /^webhook endpoint \S+: sealed with k1, does not open$/);
	const second = start(t, cwd, {SIGNALBOX_MASTER_KEYS: masterKeys()});
	await second.ready;
	t.true(second.out.some((line) => /^Secrets of webhook endpoints .* master key k1,/.test(line)));
	t.regex(second.err.join(''), /Secrets of webhook endpoints/);
});

test('[ACC-109] local mode makes a first account and prints it once, and it can sign in', async (t) => {
	const cwd = await directory(t);
	const first = start(t, cwd);
	const {base_url} = JSON.parse(await first.ready);
	const [email = '', password = ''] = shownCredentials(first.out) ?? [];
	t.is((await createApi(base_url).post('/v1/auth/login', {email, password})).status, 200);
	await first.stop();
	const second = start(t, cwd);
	await second.ready;
	t.is(shownCredentials(second.out), undefined);
});

test('[ACC-107 ACC-108] the configured account is made on an empty database, and changes nothing later', async (t) => {
	const cwd = await directory(t);
	const admin = (password: string) => ({
		SIGNALBOX_ADMIN_EMAIL: 'boss@example.com',
		SIGNALBOX_ADMIN_PASSWORD: password,
	});
	const login = async (program: Program, password: string) => {
		const {base_url} = JSON.parse(await program.ready);
		return (await createApi(base_url).post('/v1/auth/login', {email: 'boss@example.com', password})).status;
	};
	const first = start(t, cwd, admin('the first password'));
	t.is(await login(first, 'the first password'), 200);
	t.false(first.out.join('\n').includes('the first password'));
	await first.stop();
	const second = start(t, cwd, admin('another password'));
	t.is(await login(second, 'another password'), 401);
	t.is(await login(second, 'the first password'), 200);
});

test('[ACC-110] outside local mode no account is made by itself', async (t) => {
	const cwd = await directory(t);
	const program = start(t, cwd, {HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'});
	t.like(JSON.parse(await program.ready), {base_url: 'https://box.example.com', hook_url: 'https://box.example.com'});
	t.false(program.out.some((line) => line.startsWith('First account')));
});

test('a .env file is read, and what is set in the environment wins over it', async (t) => {
	const cwd = await directory(t);
	await writeFile(join(cwd, '.env'), 'SIGNALBOX_DEFAULT_PLAN=pro\nSIGNALBOX_REGISTRATION=closed\nDATA_DIR=./kept\n');
	const program = start(t, cwd, {SIGNALBOX_REGISTRATION: 'open'});
	await program.ready;
	for (const line of ['SIGNALBOX_DEFAULT_PLAN=pro', 'SIGNALBOX_REGISTRATION=open', 'DATA_DIR=./kept']) {
		t.true(program.out.includes(line), line);
	}
	t.truthy(await stat(join(cwd, 'kept', 'signalbox.db')));
});

test('a bad setting ends the start with a message that names it, and no stack', async (t) => {
	const program = run(await directory(t), ['start'], {PORT: 'eighty'});
	t.is(await program.ended, 1);
	t.regex(program.err.join(''), /PORT: must be a port/);
	t.notRegex(program.err.join(''), /\n\s+at /);
});

test('a database that does not answer ends the start with a message, and no stack', async (t) => {
	const key = `k:${Buffer.alloc(32).toString('base64')}`;
	const program = run(await directory(t), ['start'], {
		// Nobody listens there.
		DATABASE_URL: 'mysql://app:s3cret@127.0.0.1:1/signalbox',
		SIGNALBOX_MASTER_KEYS: key,
		SIGNALBOX_JWT_KEYS: key,
	});
	t.is(await program.ended, 1);
	t.regex(
		program.err.join(''),
		/DATABASE_URL: the database 127\.0\.0\.1:1\/signalbox could not be opened: connect ECONNREFUSED/,
	);
	t.notRegex(program.err.join(''), /\n\s+at |s3cret/);
});

test('a file that cannot be opened or written ends a command with its path and the reason, and no stack', async (t) => {
	const cwd = await directory(t);
	const folder = run(cwd, ['start'], {PORT: '0', GRPC_PORT: '0', DATABASE_URL: `sqlite:${cwd}`});
	t.is(await folder.ended, 1);
	t.is(
		folder.err.join(''),
		`DATABASE_URL: the database ${cwd} could not be opened: SQLITE_CANTOPEN: unable to open database file\n`,
	);
	const full = runWithoutRoom(cwd, ['start']);
	t.is(await full.ended, 1);
	t.regex(full.err.join(''), /^The database \S+\/data\/signalbox\.db is not available: SQLITE_\w+: [a-z/ ]+\n$/i);
});

test('a backup that fails says where to and why', async (t) => {
	const cwd = await directory(t);
	const database = await openDatabase({url: `sqlite:${join(cwd, 'data', 'signalbox.db')}`});
	await database.migrate();
	await database.close();
	const backup = runWithoutRoom(cwd, ['backup', 'copy.db']);
	t.is(await backup.ended, 1);
	t.regex(backup.err.join(''), /^The database could not be copied to copy\.db: SQLITE_\w+: [a-z/ ]+\n$/i);
});

test('an unknown command says what there is', async (t) => {
	const program = run(await directory(t), ['strat'], {});
	t.is(await program.ended, 1);
	t.regex(program.err.join(''), /^usage: signalbox-server <command>\n {2}start {2,}runs the server/);
});

test('--version says which release it is, as the package does, and does nothing else', async (t) => {
	const cwd = await directory(t);
	const program = run(cwd, ['--version']);
	t.is(await program.ended, 0, program.err.join(''));
	const manifest = JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
	t.deepEqual(program.out, [manifest.version]);
	t.deepEqual(await readdir(cwd), []);
});

test('start and migrate refuse what they would not heed, and --help behind a command does nothing but help', async (t) => {
	const cwd = await directory(t);
	for (const args of [
		['start', '--port', '8080'],
		['migrate', 'again'],
	]) {
		const refused = run(cwd, args);
		t.is(await refused.ended, 1);
		t.regex(refused.err.join(''), /^(start|migrate) takes no arguments, not (--port|again): settings are variables/);
	}
	for (const command of ['start', 'backup']) {
		const helping = run(cwd, [command, '--help']);
		t.is(await helping.ended, 0);
		t.is(helping.out[0], 'usage: signalbox-server <command>');
	}
	t.deepEqual(await readdir(cwd), []);
});

test('migrate, users and backup work on the database of the configuration', async (t) => {
	const cwd = await directory(t);
	const command = async (...args: string[]) => {
		const program = run(cwd, args, {
			SIGNALBOX_ADMIN_EMAIL: 'boss@example.com',
			SIGNALBOX_ADMIN_PASSWORD: 'a long password',
		});
		return {code: await program.ended, out: program.out.join('\n'), err: program.err.join('')};
	};
	t.like(await command('migrate'), {code: 0});
	t.like(await command('users', 'list'), {code: 0, out: ''});
	const program = start(t, cwd, {
		SIGNALBOX_ADMIN_EMAIL: 'boss@example.com',
		SIGNALBOX_ADMIN_PASSWORD: 'a long password',
	});
	const api = createApi(JSON.parse(await program.ready).base_url);
	t.regex((await command('users', 'list')).out, /^boss@example\.com\tself_hosted\tactive\t/);
	t.is((await command('users', 'set-plan', 'boss@example.com', 'pro')).code, 0);
	const reset = await command('users', 'reset-password', 'boss@example.com');
	const password = /: (\S+)$/.exec(reset.out)?.[1] ?? '';
	const signedIn = await api.post('/v1/auth/login', {email: 'boss@example.com', password});
	t.like(signedIn, {status: 200, body: {user: {plan: 'pro'}}});
	t.is((await command('users', 'disable', 'boss@example.com')).code, 0);
	t.is((await api.post('/v1/auth/login', {email: 'boss@example.com', password})).status, 401);
	t.is((await command('users', 'enable', 'boss@example.com')).code, 0);
	t.is((await api.post('/v1/auth/login', {email: 'boss@example.com', password})).status, 200);
	t.is((await command('users', 'disable', 'nobody@example.com')).code, 1);
	t.is((await command('users', 'rename')).code, 1);
	t.is((await command('backup', join(cwd, 'copy.db'))).code, 0);
	t.true((await stat(join(cwd, 'copy.db'))).size > 0);
	t.is((await command('backup')).code, 1);
});

test('in a wrong folder no command takes a new, empty database for the one that is meant', async (t) => {
	const cwd = await directory(t);
	for (const args of [
		['users', 'list'],
		['keys', 'rotate'],
		['backup', 'copy.db'],
	]) {
		const program = run(cwd, args);
		t.is(await program.ended, 1, args.join(' '));
		t.regex(program.err.join(''), /signalbox\.db is not there: set DATA_DIR or DATABASE_URL/);
		t.notRegex(program.err.join(''), /\n\s+at /);
	}
	t.deepEqual(await readdir(cwd), []);
	const inMemory = run(cwd, ['backup', 'copy.db'], {DATABASE_URL: 'sqlite::memory:'});
	t.is(await inMemory.ended, 1);
});

test('a database that is not migrated is copied as it is, and otherwise left alone', async (t) => {
	const cwd = await directory(t);
	const url = `sqlite:${join(cwd, 'data', 'signalbox.db')}`;
	const empty = await openDatabase({url});
	const all = await empty.pending();
	await empty.close();
	const list = run(cwd, ['users', 'list']);
	t.is(await list.ended, 1);
	t.regex(list.err.join(''), /0001-initial.*: run signalbox-server migrate/);
	t.is(await run(cwd, ['backup', 'copy.db']).ended, 0);
	for (const file of [url, `sqlite:${join(cwd, 'copy.db')}`]) {
		const database = await openDatabase({url: file});
		t.deepEqual(await database.pending(), all);
		await database.close();
	}
});
