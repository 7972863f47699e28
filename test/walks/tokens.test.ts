import test from 'ava';
import {type Api, bearer, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	return {server, api: createApi(server.baseUrl)};
};

const refresh = async (api: Api, refresh_token: string) => api.post('/v1/auth/refresh', {refresh_token});
const seconds = 1000;

test('[ACC-017 ACC-018 ACC-019] refresh answers the body of register with a new, single-use refresh token', async (t) => {
	const {server, api} = await start(t);
	const person = await registerPerson(api);
	const reply = await refresh(api, person.refresh_token);
	t.is(reply.status, 200);
	t.deepEqual(Object.keys(reply.body).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user']);
	t.not(reply.body.refresh_token, person.refresh_token);
	t.is((await api.with(bearer(reply.body.access_token)).get('/v1/auth/me')).status, 200);
	await server.advance(11 * seconds);
	t.is((await refresh(api, person.refresh_token)).status, 401);
});

test('[ACC-020 ACC-021] a used token presented after the grace is 401 and takes its whole family with it', async (t) => {
	const {server, api} = await start(t);
	const person = await registerPerson(api);
	const successor = (await refresh(api, person.refresh_token)).body.refresh_token;
	await server.advance(11 * seconds);
	const replay = await refresh(api, person.refresh_token);
	t.is(replay.status, 401);
	t.is(replay.body.error.code, 'invalid_token');
	t.is((await refresh(api, successor)).status, 401);
});

test('[ACC-022] within 10 seconds a lost answer is answered again: the same pair, nothing revoked', async (t) => {
	const {server, api} = await start(t);
	const person = await registerPerson(api);
	const first = await refresh(api, person.refresh_token);
	// Its edge is held to the millisecond where no real time passes.
	await server.advance(2 * seconds);
	const second = await refresh(api, person.refresh_token);
	t.is(second.status, 200);
	t.is(second.body.refresh_token, first.body.refresh_token);
	t.is(second.body.access_token, first.body.access_token);
	t.is((await refresh(api, first.body.refresh_token)).status, 200);
});

test('200 parallel uses of one refresh token give one new family head', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const replies = await Promise.all(
		Array.from({length: 200}, async (_, index) =>
			api.with({'x-request-id': `race-${index}`}).post('/v1/auth/refresh', {refresh_token: person.refresh_token}),
		),
	);
	const answered = replies.filter((reply) => reply.status === 200);
	t.true(answered.length > 0);
	t.true(replies.every((reply) => reply.status === 200 || reply.status === 429));
	t.is(new Set(answered.map((reply) => reply.body.refresh_token)).size, 1);
	t.is((await refresh(api, answered[0]?.body.refresh_token)).status, 200);
});

test('[ACC-023 ACC-025 HTTP-026] an access token lives 15 minutes, then refresh and repeat', async (t) => {
	const {server, api} = await start(t);
	const person = await registerPerson(api);
	await server.advance(14 * 60 * seconds);
	t.is((await person.api.get('/v1/auth/me')).status, 200);
	await server.advance(61 * seconds);
	const expired = await person.api.get('/v1/auth/me');
	t.is(expired.status, 401);
	t.is(expired.body.error.code, 'token_expired');
	const {access_token} = (await refresh(api, person.refresh_token)).body;
	t.is((await api.with(bearer(access_token)).get('/v1/auth/me')).status, 200);
});

test('[ACC-024] a refresh token lives 7 days', async (t) => {
	const {server, api} = await start(t);
	const [early, late] = [await registerPerson(api), await registerPerson(api)];
	await server.advance((7 * 24 * 3600 - 60) * seconds);
	t.is((await refresh(api, early.refresh_token)).status, 200);
	await server.advance(61 * seconds);
	t.is((await refresh(api, late.refresh_token)).status, 401);
});

test('[ACC-026 ACC-045 HTTP-025] a token that we did not sign, or with another algorithm, is 401 invalid_token', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const [header, payload, signature] = person.access_token.split('.') as [string, string, string];
	const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const decoded = JSON.parse(Buffer.from(header, 'base64url').toString());
	const forged = [
		'x',
		'a.b.c',
		`${header}.${payload}.`,
		`${encode({...decoded, alg: 'none'})}.${payload}.`,
		`${encode({...decoded, alg: 'none'})}.${payload}.${signature}`,
		`${encode({...decoded, alg: 'HS384'})}.${payload}.${signature}`,
		`${header}.${encode({...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'someone'})}.${signature}`,
	];
	for (const token of forged) {
		const reply = await api.with(bearer(token)).get('/v1/auth/me');
		t.is(reply.status, 401, token.slice(0, 30));
		t.is(reply.body.error.code, 'invalid_token');
	}
});

test('[ACC-036] logout answers 204, and its refresh token is refused afterwards', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const reply = await api.post('/v1/auth/logout', {refresh_token: person.refresh_token});
	t.is(reply.status, 204);
	t.is(reply.text, '');
	t.is((await refresh(api, person.refresh_token)).status, 401);
});

test('[ACC-039] another scheme than Bearer is 401', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	for (const value of [`Token ${person.access_token}`, person.access_token, 'Basic YTpi', 'Bearer', 'Bearer ']) {
		t.is((await api.get('/v1/auth/me', {authorization: value})).status, 401, value.slice(0, 12));
	}
});

test('[ACC-115] login with session cookie keeps the refresh token in an HttpOnly SameSite=Strict cookie', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const reply = await api.post('/v1/auth/login', {email: person.email, password: person.password, session: 'cookie'});
	t.is(reply.status, 200);
	t.false('refresh_token' in reply.body);
	const cookie = reply.headers.get('set-cookie') ?? '';
	t.regex(cookie, /;\s*HttpOnly/i);
	t.regex(cookie, /;\s*SameSite=Strict/i);
	const pair = cookie.split(';')[0] ?? '';
	const again = await api.post('/v1/auth/refresh', {session: 'cookie'}, {cookie: pair});
	t.is(again.status, 200);
	t.truthy(again.body.access_token);
	t.false('refresh_token' in again.body);
});
