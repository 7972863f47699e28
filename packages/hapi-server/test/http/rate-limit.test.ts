import {type Caller, defaultPlans, defaultSettings, type KeyScope} from '@signalbox/core';
import {createMemoryRateLimiter} from '@signalbox/core/memory';
import {createManualClock} from '@signalbox/core/testing';
import {defaultEdgeLimits} from '@signalbox/hapi-server';
import test from 'ava';
import {type Api, createApi, registerPerson} from '../../../../test/support/api.ts';
import {startTestServer, type TestServerOptions} from '../../../../test/support/server.ts';
import {createRateLimits, networkOf} from '../../src/http/rate-limit.ts';

type Context = {teardown(end: () => Promise<void>): void};

const start = async (t: Context, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	return {server, api: createApi(server.baseUrl)};
};

const plenty = {per_minute: 1_000_000, burst: 0};
const roomy = {
	anonymous: plenty,
	address: {login: plenty, register: plenty, refresh: plenty},
	account: {login: plenty, register: plenty, refresh: plenty},
};
const three = {per_minute: 3, burst: 0};

const rateOf = (headers: Headers) =>
	['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN));

test('[HTTP-048] every /v1 answer carries the three headers, errors and unknown routes too', async (t) => {
	const {api} = await start(t, {limits: defaultEdgeLimits});
	const person = await registerPerson(api);
	const answers = [
		await api.post('/v1/auth/login', {email: person.email, password: person.password}),
		await api.post('/v1/auth/login', {email: 'nobody'}),
		await person.api.get('/v1/auth/me'),
		await person.api.post('/v1/environment', '{'),
		await person.api.delete('/v1/teams/not-an-id'),
		await api.get('/v1/auth/me'),
		await api.get('/v1/nowhere'),
		await api.post('/v1/auth/logout', {refresh_token: 'unknown'}),
	];
	for (const {headers} of answers) {
		const [limit = 0, remaining = -1, reset = 0] = rateOf(headers);
		t.true(limit > 0);
		t.true(remaining >= 0 && Number.isInteger(remaining));
		t.true(Math.abs(reset - Date.now() / 1000) < 120);
	}
});

test('a plan without a limit answers the largest number a header takes', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const [limit, remaining] = rateOf((await person.api.get('/v1/auth/me')).headers);
	t.deepEqual([limit, remaining], [2_147_483_647, 2_147_483_647]);
});

test('[HTTP-035 HTTP-049 ACC-081] beyond the plan a user is 429 with Retry-After, and nobody else is', async (t) => {
	const {server, api} = await start(t, {env: {SIGNALBOX_DEFAULT_PLAN: 'free'}});
	const [busy, calm] = [await registerPerson(api), await registerPerson(api)];
	const begin = Date.now();
	const answers = await Promise.all(Array.from({length: 200}, () => busy.api.get('/v1/auth/me')));
	const allowed = answers.filter(({status}) => status === 200).length;
	// A minute's worth and the burst, and what flows in while the requests are on their way.
	t.true(allowed >= 70 && allowed <= 71 + (Date.now() - begin) / 1000, String(allowed));
	const refused = answers.filter(({status}) => status === 429);
	t.is(refused.length, 200 - allowed);
	for (const {headers, body} of refused) {
		t.is(body.error.code, 'rate_limited');
		t.true(Number(headers.get('retry-after')) >= 1);
		t.deepEqual(rateOf(headers).slice(0, 2), [60, 0]);
	}
	t.is((await calm.api.get('/v1/auth/me')).status, 200);
	server.advance(60_000);
	t.is((await busy.api.get('/v1/auth/me')).status, 200);
});

test('[HTTP-050] login, register and refresh count per address, each on its own', async (t) => {
	const limits = {...roomy, address: {login: three, register: three, refresh: three}};
	const {api} = await start(t, {limits});
	const person = await registerPerson(api);
	const entries = [
		['login', (n: number) => ({email: `other${n}@example.com`, password: 'a long password'})],
		['register', (n: number) => ({email: `new${n}@example.com`, password: 'a long password'})],
		['refresh', (n: number) => ({refresh_token: `unknown-${n}`})],
	] as const;
	for (const [entry, payload] of entries) {
		const statuses = [];
		for (let n = 0; n < 4; n += 1) statuses.push((await api.post(`/v1/auth/${entry}`, payload(n))).status);
		// One of the three registrations of this address made the person.
		const firstRefused = entry === 'register' ? 2 : 3;
		t.is(statuses.indexOf(429), firstRefused, `${entry}: ${statuses}`);
	}
	t.is((await person.api.get('/v1/auth/me')).status, 200);
});

test('[HTTP-051] login, register and refresh count per account, whatever its spelling, and no other account', async (t) => {
	const limits = {...roomy, account: {login: three, register: three, refresh: three}};
	const {api} = await start(t, {limits});
	const person = await registerPerson(api);
	const login = async (email: string) => (await api.post('/v1/auth/login', {email, password: 'not this one'})).status;
	const spelled = [person.email, person.email.toUpperCase(), person.email, person.email];
	const statuses = [];
	for (const email of spelled) statuses.push(await login(email));
	t.deepEqual(statuses, [401, 401, 401, 429]);
	t.is(await login('somebody-else@example.com'), 401);

	const register = async () =>
		(await api.post('/v1/auth/register', {email: person.email, password: 'long enough'})).status;
	t.deepEqual([await register(), await register(), await register()], [409, 409, 429]);

	let {refresh_token} = person;
	const refresh = async () => {
		const {status, body} = await api.post('/v1/auth/refresh', {refresh_token});
		if (status === 200) refresh_token = body.refresh_token;
		return status;
	};
	t.deepEqual([await refresh(), await refresh(), await refresh(), await refresh()], [200, 200, 200, 429]);
});

test('a stolen access token finds no password by trying to change it', async (t) => {
	const {api} = await start(t, {limits: {...roomy, account: {login: three, register: plenty, refresh: plenty}}});
	const [person, other] = [await registerPerson(api), await registerPerson(api)];
	const guess = async ({api: mine}: {api: Api}, current_password: string) =>
		(await mine.post('/v1/auth/change-password', {current_password, new_password: 'another password'})).status;
	const statuses = [];
	for (const password of ['guess 1', 'guess 2', 'guess 3', person.password])
		statuses.push(await guess(person, password));
	t.deepEqual(statuses, [400, 400, 400, 429]);
	t.is(await guess(other, other.password), 204);
});

test('[HTTP-051] spellings that become one only once they are lower case count as one account too', async (t) => {
	const limits = {...roomy, account: {login: three, register: plenty, refresh: plenty}};
	const {api} = await start(t, {limits});
	const login = async (email: string) => (await api.post('/v1/auth/login', {email, password: 'not this one'})).status;
	// Of h with a line below Unicode has a composed form, of H it has none.
	const spelled = ['\u1e96\u1e96', 'H\u0331\u1e96', '\u1e96H\u0331', 'H\u0331H\u0331'].map(
		(name) => `${name}@example.com`,
	);
	const statuses = [];
	for (const email of spelled) statuses.push(await login(email));
	t.deepEqual(statuses, [401, 401, 401, 429]);
});

test('the addresses of one IPv6 network count as one, those of IPv4 each for itself', (t) => {
	const network = '2001:db8:0:7::/64';
	for (const address of ['2001:db8:0:7::1', '2001:DB8::7:a:b:c:d', '2001:db8:0:7:ffff::', '2001:db8:0:7::1%eth0']) {
		t.is(networkOf(address), network, address);
	}
	t.is(networkOf('::1'), '0:0:0:0::/64');
	t.is(networkOf('1:2:3:4:5:6:192.0.2.1'), '1:2:3:4::/64');
	t.is(networkOf('2001:db8:0:8::1'), '2001:db8:0:8::/64');
	for (const address of ['192.0.2.1', '']) t.is(networkOf(address), address);
});

const callerWith = (scope: KeyScope, plan = 'free'): Caller => ({
	...{user_id: 'u1', team_id: 't1', team_ids: ['t1'], plan},
	credential: {kind: 'api_key', id: 'k1', scopes: [scope]},
});

const ownLimits = () => {
	const clock = createManualClock();
	const settings = {...defaultSettings, plans: defaultPlans};
	return createRateLimits({rateLimiter: createMemoryRateLimiter({clock}), clock, settings, limits: roomy});
};

test('agents make a hundred calls for each request of the plan, and take nothing from it', async (t) => {
	const limits = ownLimits();
	const agent = callerWith('agent');
	for (let calls = 0; calls < 7000; calls += 1) t.is((await limits.agent(agent)).refusal, undefined);
	t.like((await limits.agent(agent)).refusal, {reason: 'rate_limited', retryAfterSeconds: 1});
	t.is((await limits.caller(agent)).standing.remaining, 69);
});

test('what is called as an agent with a key that is none for agents counts as a request', async (t) => {
	const limits = ownLimits();
	const proxy = callerWith('proxy');
	for (let calls = 0; calls < 70; calls += 1) t.is((await limits.agent(proxy)).refusal, undefined);
	t.like((await limits.agent(proxy)).refusal, {reason: 'rate_limited'});
	t.like((await limits.caller(proxy)).refusal, {reason: 'rate_limited'});
	t.is((await limits.agent(callerWith('agent'))).refusal, undefined);
});

test('agents of a plan without a limit have none', async (t) => {
	const {standing, refusal} = await ownLimits().agent(callerWith('agent', 'self_hosted'));
	t.deepEqual([standing.remaining, refusal], [2_147_483_647, undefined]);
});

test('a plan that is gone has the limit of the default plan', async (t) => {
	const {server, api} = await start(t, {env: {SIGNALBOX_DEFAULT_PLAN: 'free'}});
	const person = await registerPerson(api);
	const {users, clock} = server.composition.ports;
	await users.update(person.id, {plan: 'of-last-year'}, clock.now());
	t.is(rateOf((await person.api.get('/v1/auth/me')).headers)[0], 60);
});

test('a refresh that was refused for its rate loses nothing: the same token answers after the wait', async (t) => {
	const limits = {...roomy, account: {login: plenty, register: plenty, refresh: {per_minute: 30, burst: 0}}};
	const {server, api} = await start(t, {limits});
	let {refresh_token} = await registerPerson(api);
	for (;;) {
		const {status, body, headers} = await api.post('/v1/auth/refresh', {refresh_token});
		if (status === 200) refresh_token = body.refresh_token;
		else {
			t.is(status, 429);
			server.advance(Number(headers.get('retry-after')) * 1000);
			break;
		}
	}
	t.is((await api.post('/v1/auth/refresh', {refresh_token})).status, 200);
});

test('requests without a valid credential are counted for their address, so guessing is bounded', async (t) => {
	const {api} = await start(t, {limits: {...roomy, anonymous: three}});
	const person = await registerPerson(api);
	const guess = async (key: string) => (await api.get('/v1/auth/me', {'x-api-key': key})).status;
	t.deepEqual(
		[await guess('sbx_a'), await guess('sbx_b'), await guess('sbx_c'), await guess('sbx_d')],
		[401, 401, 401, 429],
	);
	t.is((await api.get('/v1/nowhere')).status, 429);
	t.is((await person.api.get('/v1/auth/me')).status, 200);
});
