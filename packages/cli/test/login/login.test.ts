import {once} from 'node:events';
import {chmod, readFile, stat, writeFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {RpcError} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {openLoopbackCallback} from '../../src/login/loopback-callback.ts';
import {temporaryFolder} from '../agent/world.ts';
import {openTerminal} from '../terminal.ts';
import {serveLogins} from './scripted-login.ts';

const email = 'anne@example.com';

const loggedIn = async (t: ExecutionContext) => {
	const server = await serveLogins(t);
	const terminal = await openTerminal(t, {answers: [email, 'correct horse']});
	const result = await terminal.run('login', '--grpc-url', server.grpcUrl);
	return {...server, ...terminal, result, file: join(terminal.home, '.config/signalbox/credentials.json')};
};

test('[AGT-041] login asks for email and password, and says who is logged in', async (t) => {
	const {result, told, questions} = await loggedIn(t);
	t.deepEqual(result, {code: 0, stdout: `Logged in to http://127.0.0.1:3000 as ${email}.\n`, stderr: ''});
	t.deepEqual(questions, [
		['Email: ', false],
		['Password: ', true],
	]);
	t.deepEqual(told.logins, [{email, password: 'correct horse', device_name: hostname()}]);
});

test('[AGT-044] the API key stands in a file that only this account can read, and nowhere else', async (t) => {
	const {file, apiKey, grpcUrl, result, run} = await loggedIn(t);
	t.is((await stat(file)).mode & 0o777, 0o600);
	t.is((await stat(join(file, '..'))).mode & 0o777, 0o700);
	t.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
		...{url: 'http://127.0.0.1:3000', grpc_url: grpcUrl, email, api_key_id: 'key-1', api_key: apiKey},
	});
	const answers = [result, await run('whoami'), await run('whoami', '--json')];
	t.false(JSON.stringify(answers).includes(apiKey));
});

test('the file stands below XDG_CONFIG_HOME where that is an absolute path', async (t) => {
	const server = await serveLogins(t);
	for (const [folder, expected] of [
		['config', '.config'],
		['/config', 'xdg'],
	] as const) {
		const {home} = await openTerminal(t);
		const XDG_CONFIG_HOME = folder.startsWith('/') ? join(home, 'xdg') : folder;
		const {run} = await openTerminal(t, {
			answers: ['correct horse'],
			environment: {HOME: home, XDG_CONFIG_HOME},
		});
		t.is((await run('login', '--email', email, '--grpc-url', server.grpcUrl)).code, 0);
		t.true((await stat(join(home, expected, 'signalbox/credentials.json'))).isFile());
	}
});

test('a password can be piped in', async (t) => {
	const {told, grpcUrl} = await serveLogins(t);
	const {run, questions} = await openTerminal(t, {readInput: async () => 'correct horse\n'});
	const words = ['login', '--email', email, '--password-stdin', '--device', 'laptop', '--json'];
	const {stdout} = await run(...words, '--grpc-url', grpcUrl);
	t.deepEqual(JSON.parse(stdout), {email, api_key_id: 'key-1', url: 'http://127.0.0.1:3000'});
	t.deepEqual(told.logins, [{email, password: 'correct horse', device_name: 'laptop'}]);
	t.deepEqual(questions, []);
});

test('a wrong password leaves nothing behind', async (t) => {
	const {grpcUrl} = await serveLogins(t);
	const {run} = await openTerminal(t, {answers: [email, 'wrong']});
	const {code, stderr} = await run('login', '--grpc-url', grpcUrl);
	t.is(code, 3);
	t.is(stderr, 'Email or password is wrong. (unauthenticated)\n');
	t.is((await run('whoami')).stderr, 'You are not logged in: run signalbox login (not_logged_in)\n');
});

test('credentials that others can read, or that are damaged, are refused', async (t) => {
	const {run, file} = await loggedIn(t);
	await chmod(file, 0o640);
	const {code, stderr} = await run('whoami');
	t.is(code, 1);
	t.true(stderr.startsWith(`${file}: others may read the API key in it`));
	await chmod(file, 0o600);
	await writeFile(file, '{"url":');
	t.true((await run('whoami')).stderr.startsWith(`${file}: it cannot be read`));
});

test('the key is not shown to another server than the one that made it', async (t) => {
	const {run} = await loggedIn(t);
	const {code, stderr} = await run('whoami', '--url', 'https://elsewhere.test');
	t.is(code, 3);
	t.regex(stderr, /not to https:\/\/elsewhere\.test: run signalbox login --url/);
});

test('logout revokes the key and forgets it, also when the server cannot be reached', async (t) => {
	const {run, told} = await loggedIn(t);
	t.is((await run('whoami')).stdout, `${email} at http://127.0.0.1:3000 (Signalbox 9.9.9), API key key-1\n`);
	t.is((await run('logout')).stdout, 'Logged out of http://127.0.0.1:3000.\n');
	t.is(told.revoked, 1);
	t.is((await run('logout')).stdout, 'You were not logged in.\n');

	const other = await loggedIn(t);
	await other.stop();
	const {code, stderr} = await other.run('logout');
	t.is(code, 4);
	t.regex(stderr, /^API key key-1 is forgotten here, but was not revoked/);
	t.is((await other.run('whoami')).code, 3);
});

test('a call that came too soon is made again when the server takes it, twice and within a minute', async (t) => {
	const {run, told, refusals, clock} = await loggedIn(t);
	const tooSoon = (retryAfterSeconds?: number) => new RpcError('limited', 'Too many requests.', {retryAfterSeconds});
	refusals.push(tooSoon(5), tooSoon(7));
	const [begun, result] = [Date.parse(clock.now()), run('whoami')];
	const third = async () => {
		await clock.advance(1000);
		return told.asked === 3;
	};
	await until(third, 'the third call');
	t.true(Date.parse(clock.now()) - begun >= 12_000);
	t.is((await result).code, 0);
	for (const [given, calls] of [
		[[tooSoon()], 4],
		[[tooSoon(61)], 5],
	] as const) {
		refusals.push(...given);
		t.is((await run('whoami')).stderr, 'Too many requests. (limited)\n');
		t.is(told.asked, calls);
	}
});

/** A browser in which Anne confirms: it brings what the page would to the callback. */
const callBack = async (redirect_uri: string, query: Record<string, string>): Promise<number> =>
	(await fetch(`${redirect_uri}?${new URLSearchParams(query)}`)).status;

const tenMinutes = 600_000;

const browserLogin = async (t: ExecutionContext, {serverAhead = 0, isTTY = false} = {}) => {
	const terminal = await openTerminal(t, {isTTY});
	const server = await serveLogins(t, Date.parse(terminal.clock.now()) + serverAhead + tenMinutes);
	const result = terminal.run('login', '--browser', '--grpc-url', server.grpcUrl);
	const request = await until(() => server.told.begun[0], 'the login to begin');
	await until(() => terminal.opened.length > 0, 'the browser to open');
	return {...terminal, ...server, result, request};
};

test('[AGT-042] a browser login brings its code to this machine, and no other process can use it', async (t) => {
	const {result, request, opened, run} = await browserLogin(t);
	t.regex(request.redirect_uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
	t.deepEqual(opened, ['https://signalbox.test/device']);
	t.is(await callBack(request.redirect_uri, {code: 'code-1', state: request.state}), 200);
	const {code, stderr} = await result;
	t.is(code, 0);
	t.regex(stderr, /https:\/\/signalbox\.test\/device\n.*ABCD-EFGH\n/);
	t.is((await run('whoami')).code, 0);
	await t.throwsAsync(callBack(request.redirect_uri, {}), undefined, 'nobody listens any more');
});

test('[AGT-046] what comes back with another state, or to another place, is refused and waited on', async (t) => {
	const {result, request} = await browserLogin(t);
	t.is(await callBack(request.redirect_uri, {code: 'evil', state: 'evil'}), 400);
	t.is(await callBack(request.redirect_uri, {code: 'evil'}), 400);
	t.is(await callBack(request.redirect_uri.replace('callback', ''), {code: 'evil', state: request.state}), 404);
	await callBack(request.redirect_uri, {code: 'code-1', state: request.state});
	t.is((await result).code, 0);
});

test('a login that is refused in the browser fails', async (t) => {
	const {result, request} = await browserLogin(t);
	await callBack(request.redirect_uri, {error: 'access_denied', state: request.state});
	t.regex((await result).stderr, /The login was refused in the browser\.\n$/);
});

test('a login that nobody confirms ends after ten minutes, whatever the clock of the server says', async (t) => {
	for (const serverAhead of [-3_600_000, 0, 3_600_000]) {
		const {result, clock} = await browserLogin(t, {serverAhead});
		let hasEnded = false;
		void result.then(() => {
			hasEnded = true;
		});
		await clock.advance(tenMinutes - 1000);
		t.false(hasEnded);
		await clock.advance(1000);
		t.regex((await result).stderr, /Nobody confirmed the login in time: begin again\.\n$/);
	}
});

test('a login that waits for the browser waits as long when the clock of the machine is set meanwhile', async (t) => {
	for (const step of [3_600_000, -3_600_000]) {
		const {result, clock, request} = await browserLogin(t);
		clock.step(step);
		await clock.advance(tenMinutes - 1000);
		await callBack(request.redirect_uri, {code: 'code-1', state: request.state});
		t.is((await result).code, 0);
	}
});

test('the wait for the browser is shown on a line that goes away, and only to people', async (t) => {
	for (const isTTY of [true, false]) {
		const {result, request} = await browserLogin(t, {isTTY});
		await callBack(request.redirect_uri, {code: 'code-1', state: request.state});
		const {stderr} = await result;
		t.is(stderr.includes('Waiting for the browser, 10:00 left'), isTTY);
		t.is(stderr.endsWith('\r\u001b[K'), isTTY);
	}
});

test('every browser login has a state and a verifier of its own', async (t) => {
	const logins = [await browserLogin(t), await browserLogin(t)];
	t.is(new Set(logins.flatMap(({request}) => [request.state, request.code_challenge])).size, 4);
	for (const {result, clock} of logins) {
		await clock.advance(tenMinutes);
		await result;
	}
});

test('[AGT-053] --no-browser opens none, and takes the code that the page shows', async (t) => {
	const {told, grpcUrl} = await serveLogins(t);
	const {run, opened, questions} = await openTerminal(t, {answers: [' code-1 ']});
	const {code, stderr} = await run('login', '--no-browser', '--grpc-url', grpcUrl);
	t.is(code, 0);
	t.deepEqual(opened, []);
	t.is(told.begun[0]?.redirect_uri, '');
	t.deepEqual(questions, [['Code from the page: ', false]]);
	t.regex(stderr, /https:\/\/signalbox\.test\/device\n.*ABCD-EFGH\n/);
});

test('a key that cannot be kept is revoked, and of the former one is told', async (t) => {
	const server = await serveLogins(t);
	const home = await temporaryFolder(t);
	await writeFile(join(home, 'file'), '');
	const inFile = await openTerminal(t, {
		answers: ['correct horse'],
		environment: {HOME: home, XDG_CONFIG_HOME: join(home, 'file')},
	});
	t.is((await inFile.run('login', '--email', email, '--grpc-url', server.grpcUrl)).code, 1);
	t.is(server.told.revoked, 1);

	const {run} = await openTerminal(t, {answers: ['correct horse', 'correct horse']});
	const {grpcUrl} = await serveLogins(t);
	t.is((await run('login', '--email', email, '--grpc-url', grpcUrl)).stderr, '');
	t.regex((await run('login', '--email', email, '--grpc-url', grpcUrl)).stderr, /^API key key-1 of the former login/);
});

test.serial('a connection that the browser opens to spare does not keep the program', async (t) => {
	const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
	const before = connections();
	const {redirectUri, close} = await openLoopbackCallback('state');
	const spare = connect(Number(new URL(redirectUri).port), '127.0.0.1');
	t.teardown(() => spare.destroy());
	await once(spare, 'connect');
	spare.unref();
	t.is(await callBack(redirectUri, {}), 400);
	close();
	await until(() => connections() <= before, 'nothing to keep it');
	t.pass();
});

test('an API key that cannot be sent is no login, and is not shown', async (t) => {
	for (const SIGNALBOX_API_KEY of ['sbx_anne0000_s€cret', 'sbx\n_anne0000_secret', 'sbx_anne0000 _secret']) {
		const {run} = await openTerminal(t, {environment: {SIGNALBOX_API_KEY}});
		for (const words of ['whoami', 'cron jobs', 'agent run']) {
			const {code, stderr} = await run(...words.split(' '));
			t.is(code, 3);
			t.regex(stderr, /^SIGNALBOX_API_KEY holds a blank or a character that no API key has/);
			t.notRegex(stderr, /anne/);
		}
	}
});

test('an API key from a file goes without the end of its line', async (t) => {
	const {apiKey, grpcUrl} = await serveLogins(t);
	const {run} = await openTerminal(t, {environment: {SIGNALBOX_API_KEY: `${apiKey}\r\n`}});
	t.is((await run('whoami', '--grpc-url', grpcUrl)).code, 0);
});
