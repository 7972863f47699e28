import test from 'ava';
import {bearer, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}, env: Record<string, string> = {}) => {
	const server = await startTestServer({env});
	t.teardown(server.close);
	return {server, api: createApi(server.baseUrl)};
};

const userFields = ['active_team_id', 'created_at', 'email', 'id', 'name', 'plan', 'updated_at'];

test('[ACC-002 ACC-004 ACC-076] register answers 201 with tokens, 900 seconds, and a user of plan self_hosted', async (t) => {
	const {api} = await start(t);
	const reply = await api.post('/v1/auth/register', {
		email: 'ada@example.com',
		password: 'a long password',
		name: 'Ada',
	});
	t.is(reply.status, 201);
	t.deepEqual(Object.keys(reply.body).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user']);
	t.is(reply.body.token_type, 'Bearer');
	t.is(reply.body.expires_in, 900);
	t.is(reply.body.user.plan, 'self_hosted');
	t.is(reply.body.user.name, 'Ada');
});

test('[ACC-003 ACC-060] a name may be left out, and every user has a personal team that is active', async (t) => {
	const {api} = await start(t);
	const reply = await api.post('/v1/auth/register', {email: 'b@example.com', password: 'a long password'});
	t.is(reply.status, 201);
	t.is(reply.body.user.name, null);
	const teams = await api.with(bearer(reply.body.access_token)).get('/v1/teams');
	t.deepEqual(
		teams.body.data.map((team: {id: string; is_personal: boolean}) => [team.id, team.is_personal]),
		[[reply.body.user.active_team_id, true]],
	);
});

test('[ACC-005] register refuses what is no address, naming the field', async (t) => {
	const {api} = await start(t);
	for (const email of [
		'',
		'ada',
		'ada@',
		'@example.com',
		'a b@example.com',
		`${'a'.repeat(250)}@example.com`,
		7,
		null,
	]) {
		const reply = await api.post('/v1/auth/register', {email, password: 'a long password'});
		t.is(reply.status, 400, String(email));
		t.is(reply.body.error.code, 'validation_error');
		t.is(reply.body.error.details[0].path, 'email');
	}
});

test('[ACC-006 ACC-007 ACC-008] register takes passwords of 8 to 256 characters', async (t) => {
	const {api} = await start(t);
	const outcome = async (password: unknown, n: number) =>
		(await api.post('/v1/auth/register', {email: `p${n}@example.com`, password})).status;
	t.is(await outcome('x'.repeat(7), 1), 400);
	t.is(await outcome('x'.repeat(8), 2), 201);
	t.is(await outcome('x'.repeat(256), 3), 201);
	t.is(await outcome('x'.repeat(257), 4), 400);
	t.is(await outcome(12_345_678, 5), 400);
});

test('[ACC-009 ACC-010 HTTP-031] an address is taken whatever its case: 409 resource_exists', async (t) => {
	const {api} = await start(t);
	const password = 'a long password';
	t.is((await api.post('/v1/auth/register', {email: 'Eve@Example.com', password})).status, 201);
	for (const email of ['Eve@Example.com', 'eve@example.com', 'EVE@EXAMPLE.COM']) {
		const reply = await api.post('/v1/auth/register', {email, password});
		t.is(reply.status, 409);
		t.is(reply.body.error.code, 'resource_exists');
		t.is(reply.body.error.details[0].message, reply.body.error.message);
	}
});

test('[ACC-011 ACC-012] login answers 200 in the format of register, whatever the case of the address', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const reply = await api.post('/v1/auth/login', {email: person.email.toUpperCase(), password: person.password});
	t.is(reply.status, 200);
	t.deepEqual(Object.keys(reply.body).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user']);
	t.is(reply.body.user.id, person.id);
});

test('[ACC-013] login refuses a malformed address or password with 400', async (t) => {
	const {api} = await start(t);
	t.is((await api.post('/v1/auth/login', {email: 'nobody', password: 'a long password'})).status, 400);
	t.is((await api.post('/v1/auth/login', {email: 'a@example.com', password: 7})).status, 400);
	t.is((await api.post('/v1/auth/login', {email: 'a@example.com'})).status, 400);
});

test('[ACC-014 ACC-015] a wrong password and an unknown address are the same 401 invalid_credentials', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const wrong = await api.post('/v1/auth/login', {email: person.email, password: 'not the password'});
	const unknown = await api.post('/v1/auth/login', {email: 'nobody@example.com', password: 'not the password'});
	t.is(wrong.status, 401);
	t.is(unknown.status, 401);
	t.is(wrong.body.error.code, 'invalid_credentials');
	t.deepEqual({...wrong.body.error, request_id: ''}, {...unknown.body.error, request_id: ''});
});

test('[ACC-027 ACC-028 ACC-038] me answers exactly the fields of a user, as register, login and refresh do', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const me = await person.api.get('/v1/auth/me');
	t.is(me.status, 200);
	const login = await api.post('/v1/auth/login', {email: person.email, password: person.password});
	const refresh = await api.post('/v1/auth/refresh', {refresh_token: login.body.refresh_token});
	for (const user of [me.body, login.body.user, refresh.body.user]) {
		t.deepEqual(Object.keys(user).sort(), userFields);
		t.is(user.id, person.id);
	}
});

test('[ACC-029 ACC-030 ACC-035] change-password answers 204, moves login to the new one and ends every session', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const change = {current_password: person.password, new_password: 'another password'};
	const reply = await person.api.post('/v1/auth/change-password', change);
	t.is(reply.status, 204);
	t.is(reply.text, '');
	t.is((await api.post('/v1/auth/login', {email: person.email, password: person.password})).status, 401);
	t.is((await api.post('/v1/auth/login', {email: person.email, password: 'another password'})).status, 200);
	t.is((await api.post('/v1/auth/refresh', {refresh_token: person.refresh_token})).status, 401);
});

test('[ACC-031 ACC-032 ACC-034] change-password wants both fields, and the right current one', async (t) => {
	const {api} = await start(t);
	const {api: mine, password} = await registerPerson(api);
	const missingCurrent = await mine.post('/v1/auth/change-password', {new_password: 'another password'});
	t.is(missingCurrent.status, 400);
	t.is(missingCurrent.body.error.details[0].path, 'current_password');
	const missingNew = await mine.post('/v1/auth/change-password', {current_password: password});
	t.is(missingNew.status, 400);
	t.is(missingNew.body.error.details[0].path, 'new_password');
	const wrong = await mine.post('/v1/auth/change-password', {
		current_password: 'wrong wrong',
		new_password: 'another one',
	});
	t.is(wrong.status, 400);
	t.is(wrong.body.error.code, 'invalid_credentials');
});

test('[ACC-033] change-password refuses 7 characters and takes 8', async (t) => {
	const {api} = await start(t);
	const {api: mine, password} = await registerPerson(api);
	const outcome = async (new_password: string) =>
		(await mine.post('/v1/auth/change-password', {current_password: password, new_password})).status;
	t.is(await outcome('x'.repeat(7)), 400);
	t.is(await outcome('x'.repeat(8)), 204);
});

test('[ACC-001 HTTP-024] every API endpoint but the entry points answers 401 without credentials', async (t) => {
	const {api} = await start(t);
	const id = '01890000-0000-7000-8000-000000000000';
	const description = (await api.get('/openapi.json')).body;
	const open = new Set(['/v1/auth/register', '/v1/auth/login', '/v1/auth/refresh', '/v1/auth/logout']);
	let checked = 0;
	for (const [path, operations] of Object.entries<Record<string, unknown>>(description.paths)) {
		if (!path.startsWith('/v1/') || open.has(path)) continue;
		for (const method of Object.keys(operations)) {
			const url = path.replaceAll(/\{\w+\}/g, id);
			const send = {get: api.get, post: api.post, put: api.put, delete: api.delete}[method];
			const reply = await send?.(url, method === 'get' || method === 'delete' ? undefined : {});
			t.is(reply?.status, 401, `${method} ${path}`);
			t.is(reply?.body.error.code, 'authentication_required');
			checked += 1;
		}
	}
	t.true(checked > 35, `${checked} operations`);
});

test('[ACC-075] SIGNALBOX_DEFAULT_PLAN is the plan of new users', async (t) => {
	const {api} = await start(t, {SIGNALBOX_DEFAULT_PLAN: 'free'});
	const {api: mine} = await registerPerson(api);
	t.is((await mine.get('/v1/auth/me')).body.plan, 'free');
});

test('[ACC-104 HTTP-027] registration closed refuses register with 403 forbidden', async (t) => {
	const {api} = await start(t, {SIGNALBOX_REGISTRATION: 'closed'});
	const reply = await api.post('/v1/auth/register', {email: 'a@example.com', password: 'a long password'});
	t.is(reply.status, 403);
	t.is(reply.body.error.code, 'forbidden');
});

test('[ACC-105 ACC-113] registration by invite takes a single-use token of an owner, for 7 days', async (t) => {
	const env = {
		SIGNALBOX_REGISTRATION: 'invite',
		SIGNALBOX_ADMIN_EMAIL: 'admin@example.com',
		SIGNALBOX_ADMIN_PASSWORD: 'the first password',
	};
	const {server, api} = await start(t, env);
	const password = 'a long password';
	const register = async (email: string, invite?: string) =>
		(await api.post('/v1/auth/register', {email, password, ...(invite === undefined ? {} : {invite})})).status;
	t.is(await register('a@example.com'), 403);
	t.is(await register('a@example.com', 'made-up'), 403);
	const admin = await api.post('/v1/auth/login', {email: 'admin@example.com', password: 'the first password'});
	const mine = api.with(bearer(admin.body.access_token));
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const invite = async () => (await mine.post(`/v1/teams/${team}/invites`, {})).body.token;
	const [first, second] = [await invite(), await invite()];
	t.is(await register('a@example.com', first), 201);
	t.is(await register('b@example.com', first), 403);
	await server.advance(7 * 24 * 3600 * 1000 + 1000);
	t.is(await register('b@example.com', second), 403);
});
