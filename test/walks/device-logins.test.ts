import {createHash} from 'node:crypto';
import {RpcError} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {createApi, type Person, registerPerson} from '../support/api.ts';
import {connect, failureOf, logIn} from '../support/grpc.ts';
import {startTestServer, type TestServerOptions} from '../support/server.ts';

const start = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	return {server, api, person: await registerPerson(api, 'ada'), anyone: connect(t, server)};
};

const host = {
	...{agent_id: '', name: 'db-1', hostname: 'db-1.example.com', os: 'linux', arch: 'x64', version: '1.0.0'},
	...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
};

/** Calls until it is refused. */
const drained = async (call: () => Promise<unknown>): Promise<never> => {
	for (;;) await call();
};

const verifier = 'v'.repeat(43);
const code_challenge = createHash('sha256').update(verifier).digest('base64url');
const callback = 'http://127.0.0.1:4711/callback';
const wanted = {code_challenge, redirect_uri: callback, state: 'a state & more', device_name: 'Ada’s <laptop>'};

type Form = Readonly<Record<string, string>>;

/** Sends the form of the page, as a browser on it does. */
const submit = (url: string, form: Form, headers: Record<string, string> = {}): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		body: new URLSearchParams(form),
		headers: {origin: new URL(url).origin, ...headers},
		redirect: 'manual',
	});

const withPassword = ({email, password}: Person): Form => ({with: 'password', email, password});

/** Confirms on the page. @returns what the browser brings to the device. */
const confirm = async (t: ExecutionContext, url: string, person: Person): Promise<URLSearchParams> => {
	const answer = await submit(url, withPassword(person));
	t.is(answer.status, 303);
	return new URL(answer.headers.get('location') ?? '').searchParams;
};

const keysOf = async ({api}: Person) => (await api.get('/v1/api-keys')).body.data;

test('[AGT-041 AGT-043 AGT-035] email and password make an API key named after the device, which works at once', async (t) => {
	const {server, api, person, anyone} = await start(t);
	const made = await logIn(anyone, person, 'build server');
	t.like(made, {user_id: person.id, email: person.email});
	const [key] = await keysOf(person);
	t.like(key, {id: made.api_key_id, name: 'build server', scopes: ['api', 'approvals', 'agent']});
	t.like(await connect(t, server, made.api_key).whoAmI({}), {
		...{
			server_version: '0.0.0',
			user_id: person.id,
			email: person.email,
			api_key_id: made.api_key_id,
			protocol_version: 1,
		},
	});
	t.is((await api.get('/v1/auth/me', {'x-api-key': made.api_key})).status, 200);
});

test('a wrong password and an unknown address are the same, and make nothing', async (t) => {
	const {person, anyone} = await start(t);
	t.is(await failureOf(logIn(anyone, {...person, password: 'wrong password'})), 'unauthenticated');
	t.is(await failureOf(logIn(anyone, {...person, email: 'nobody@example.com'})), 'unauthenticated');
	t.is(await failureOf(logIn(anyone, person, '')), 'invalid');
	t.deepEqual(await keysOf(person), []);
});

test('a name with control characters is refused over gRPC by its field, of an agent and of a device', async (t) => {
	const {server, person, anyone} = await start(t);
	const refused = {instanceOf: RpcError, message: /^(device_)?name: must not hold control characters/};
	await t.throwsAsync(logIn(anyone, person, 'lap\u0000top'), refused);
	await t.throwsAsync(anyone.startBrowserLogin({...wanted, device_name: 'lap\u001btop'}), refused);
	t.deepEqual(await keysOf(person), []);
	const peer = connect(t, server, (await logIn(anyone, person)).api_key);
	t.is(await failureOf(peer.register({...host, name: 'db\u0000'})), 'invalid');
	await t.throwsAsync(peer.register({...host, name: 'db\u0000'}), refused);
});

test('guesses over gRPC count as those over HTTP do', async (t) => {
	const most = {per_minute: 2, burst: 0};
	const plenty = {per_minute: 1_000_000, burst: 0};
	const limits = {
		anonymous: plenty,
		address: {login: plenty, register: plenty, refresh: plenty},
		account: {login: most, register: plenty, refresh: plenty},
	};
	const {api, person, anyone} = await start(t, {limits});
	const {email} = person;
	await api.post('/v1/auth/login', {email, password: 'wrong password'});
	await failureOf(logIn(anyone, {...person, password: 'wrong password'}));
	t.is(await failureOf(logIn(anyone, person)), 'limited');
	t.is((await api.post('/v1/auth/login', {email, password: person.password})).status, 429);
});

test('API keys that are guessed over gRPC count for their address, as those over HTTP do, and keep no valid one out', async (t) => {
	const plenty = {per_minute: 1_000_000, burst: 0};
	const limits = {
		anonymous: {per_minute: 3, burst: 0},
		address: {login: plenty, register: plenty, refresh: plenty},
		account: {login: plenty, register: plenty, refresh: plenty},
	};
	const {server, api, person, anyone} = await start(t, {limits});
	const mine = connect(t, server, (await logIn(anyone, person)).api_key);
	const guess = connect(t, server, 'sbx_00000000_guessed');
	t.is((await api.get('/v1/auth/me', {'x-api-key': 'sbx_00000000_guessed'})).status, 401);
	t.is(await failureOf(guess.whoAmI({})), 'unauthenticated');
	t.is(await failureOf(anyone.whoAmI({})), 'unauthenticated');
	t.is(await failureOf(guess.whoAmI({})), 'limited');
	t.is(await failureOf(anyone.whoAmI({})), 'limited');
	t.is((await api.get('/v1/auth/me')).status, 429);
	t.is((await mine.whoAmI({})).user_id, person.id);
	server.advance(61_000);
	t.is(await failureOf(guess.whoAmI({})), 'unauthenticated');
});

test('calls with a key count with its requests over HTTP, and agents go on meanwhile', async (t) => {
	const {server, api, person, anyone} = await start(t, {env: {SIGNALBOX_DEFAULT_PLAN: 'free'}});
	const {api_key} = await logIn(anyone, person);
	const peer = connect(t, server, api_key);
	const request = async () => (await api.get('/v1/auth/me', {'x-api-key': api_key})).status;
	const begin = Date.now();
	for (let requests = 0; requests < 40; requests += 1) t.is(await request(), 200);
	let calls = -1;
	const call = () => {
		calls += 1;
		return peer.whoAmI({});
	};
	const refused = await t.throwsAsync(drained(call));
	// A minute's worth and the burst, and what flows in meanwhile.
	t.true(calls >= 30 && calls <= 31 + (Date.now() - begin) / 1000, String(calls));
	t.true([await request(), await request(), await request()].includes(429));
	t.like(refused, {kind: 'limited', message: 'Too many requests: wait, then try again.', retryAfterSeconds: 1});
	t.is(await failureOf(peer.register(host)), 'nothing');
	server.advance(60_000);
	t.is((await peer.whoAmI({})).user_id, person.id);
});

test('a key that was revoked by its own device is refused from then on', async (t) => {
	const {server, person, anyone} = await start(t);
	const peer = connect(t, server, (await logIn(anyone, person)).api_key);
	await peer.revokeCurrentKey({});
	t.is(await failureOf(peer.whoAmI({})), 'unauthenticated');
	t.deepEqual(await keysOf(person), []);
});

test('[AGT-042 AGT-052 AGT-050] a browser confirms device and user code, and the exchange makes the key, not before', async (t) => {
	const {server, person, anyone} = await start(t);
	const {login_id, authorize_url, user_code} = await anyone.startBrowserLogin(wanted);
	t.true(authorize_url.startsWith(server.baseUrl));
	t.regex(user_code, /^[A-Z]{4}-[A-Z]{4}$/);
	const page = await (await fetch(authorize_url)).text();
	t.true(page.includes('Ada’s &lt;laptop&gt;'));
	t.true(page.includes(user_code));
	const brought = await confirm(t, authorize_url, person);
	t.is(brought.get('state'), wanted.state);
	t.deepEqual(await keysOf(person), []);
	const code = brought.get('code') ?? '';
	const made = await anyone.completeBrowserLogin({login_id, code, code_verifier: verifier});
	t.like(await connect(t, server, made.api_key).whoAmI({}), {user_id: person.id});
	t.like((await keysOf(person))[0], {id: made.api_key_id, name: wanted.device_name});
});

test('[AGT-048] a code works once', async (t) => {
	const {person, anyone} = await start(t);
	const {login_id, authorize_url} = await anyone.startBrowserLogin(wanted);
	const code = (await confirm(t, authorize_url, person)).get('code') ?? '';
	const exchange = () => anyone.completeBrowserLogin({login_id, code, code_verifier: verifier});
	const answers = await Promise.all([exchange(), exchange(), exchange()].map(failureOf));
	t.deepEqual(answers.sort(), ['nothing', 'unauthenticated', 'unauthenticated']);
	t.is((await keysOf(person)).length, 1);
});

test('[AGT-047] another verifier, another code and another login are refused, and make no key', async (t) => {
	const {person, anyone} = await start(t);
	const {login_id, authorize_url} = await anyone.startBrowserLogin(wanted);
	const other = await anyone.startBrowserLogin(wanted);
	const code = (await confirm(t, authorize_url, person)).get('code') ?? '';
	for (const exchange of [
		{login_id, code, code_verifier: 'w'.repeat(43)},
		{login_id, code: 'another', code_verifier: verifier},
		{login_id: other.login_id, code, code_verifier: verifier},
	])
		t.is(await failureOf(anyone.completeBrowserLogin(exchange)), 'unauthenticated');
	t.deepEqual(await keysOf(person), []);
});

test('[AGT-049] a code is refused after 60 seconds, and a login after ten minutes', async (t) => {
	const {server, person, anyone} = await start(t);
	const [late, stale] = [await anyone.startBrowserLogin(wanted), await anyone.startBrowserLogin(wanted)];
	const code = (await confirm(t, late.authorize_url, person)).get('code') ?? '';
	server.advance(61_000);
	const exchange = {login_id: late.login_id, code, code_verifier: verifier};
	t.is(await failureOf(anyone.completeBrowserLogin(exchange)), 'unauthenticated');
	server.advance(600_000);
	t.is((await fetch(stale.authorize_url)).status, 404);
	t.is((await submit(stale.authorize_url, withPassword(person))).status, 404);
});

test('[AGT-045] a callback is on 127.0.0.1 with any port, and nowhere else', async (t) => {
	const {anyone} = await start(t);
	const begin = (redirect_uri: string) => failureOf(anyone.startBrowserLogin({...wanted, redirect_uri}));
	for (const uri of ['http://127.0.0.1:1/', 'http://127.0.0.1:65535/a/b', 'http://127.0.0.1'])
		t.is(await begin(uri), 'nothing', uri);
	for (const uri of [
		'http://127.0.0.1.evil.example/',
		'http://127.0.0.1@evil.example/',
		'http://127.0.0.1:80@evil.example/',
		'http://localhost:4711/',
		'http://127.0.0.2:4711/',
		'https://127.0.0.1:4711/',
		'http://127.0.0.1:4711/?next=//evil.example',
		'http://127.0.0.1:4711/#',
		'http://127.0.0.1:99999/',
		'http://127.0.0.1\\@evil.example/',
		'javascript:alert(1)',
		'//evil.example/',
	])
		t.is(await begin(uri), 'invalid', uri);
});

test('[AGT-051] nobody confirms without signing in: a wrong password asks again, and brings no code', async (t) => {
	const {person, anyone} = await start(t);
	const {authorize_url} = await anyone.startBrowserLogin(wanted);
	const forms: readonly Form[] = [{}, {with: 'session'}, {...withPassword(person), password: 'wrong password'}];
	for (const form of forms) {
		const answer = await submit(authorize_url, form);
		t.true([400, 401].includes(answer.status));
		t.is(answer.headers.get('location'), null);
		t.true((await answer.text()).includes('role="alert"'));
	}
	await confirm(t, authorize_url, person);
	t.is((await submit(authorize_url, withPassword(person))).status, 404);
});

test('who refuses sends the device away without a code, and makes no key', async (t) => {
	const {person, anyone} = await start(t);
	const {authorize_url} = await anyone.startBrowserLogin(wanted);
	const answer = await submit(authorize_url, {with: 'refusal'});
	t.is(answer.status, 303);
	const brought = new URL(answer.headers.get('location') ?? '').searchParams;
	t.deepEqual([...brought.keys()], ['error', 'state']);
	const pasted = await anyone.startBrowserLogin({...wanted, redirect_uri: ''});
	t.is((await submit(pasted.authorize_url, {with: 'refusal'})).status, 200);
	t.deepEqual(await keysOf(person), []);
});

test('a form of another site confirms nothing, and the session of the browser confirms without the password', async (t) => {
	const {server, api, person, anyone} = await start(t);
	const {email, password} = person;
	const signedIn = await api.post('/v1/auth/login', {email, password, session: 'cookie'});
	const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
	const {authorize_url} = await anyone.startBrowserLogin(wanted);
	for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
		t.is((await submit(authorize_url, {with: 'session'}, {cookie, origin})).status, 403);
	const bare = await fetch(authorize_url, {
		method: 'POST',
		body: 'with=session',
		headers: {cookie},
		redirect: 'manual',
	});
	t.is(bare.status, 403);
	t.true((await (await fetch(authorize_url, {headers: {cookie}})).text()).includes('value="session"'));
	t.is((await submit(authorize_url, {with: 'session'}, {cookie})).status, 303);
	t.is(server.logs().filter((line) => line.includes('"level":50')).length, 0);
});

test('a form of more than 16 KiB is not read', async (t) => {
	const {person, anyone} = await start(t);
	const {authorize_url} = await anyone.startBrowserLogin(wanted);
	const answer = await submit(authorize_url, {...withPassword(person), more: 'x'.repeat(16 * 1024)});
	t.is(answer.status, 413);
	t.true((await answer.text()).includes('The body is too large: at most 16 KiB are taken here.'));
	t.is((await submit(authorize_url, withPassword(person))).status, 303);
});

test('the page runs nothing, is kept by nobody, and is framed by nobody', async (t) => {
	const {anyone} = await start(t);
	const {authorize_url} = await anyone.startBrowserLogin(wanted);
	const {headers} = await fetch(authorize_url);
	t.regex(
		headers.get('content-security-policy') ?? '',
		/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:4711; base-uri 'none'; frame-ancestors 'none'$/,
	);
	t.is(headers.get('cache-control'), 'no-store');
	t.is(headers.get('x-content-type-options'), 'nosniff');
	t.is(headers.get('referrer-policy'), 'same-origin');
});

test('without a callback the page shows the code, to be pasted', async (t) => {
	const {person, anyone} = await start(t);
	const {login_id, authorize_url} = await anyone.startBrowserLogin({...wanted, redirect_uri: ''});
	const answer = await submit(authorize_url, withPassword(person));
	t.is(answer.status, 200);
	const code = /<code>([A-Za-z0-9_-]{43})<\/code>/.exec(await answer.text())?.[1] ?? '';
	const made = await anyone.completeBrowserLogin({login_id, code, code_verifier: verifier});
	t.is(made.email, person.email);
});
