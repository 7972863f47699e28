import test from 'ava';
import {type Api, bearer, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}, env: Record<string, string> = {}) => {
	const server = await startTestServer({env});
	t.teardown(server.close);
	return {server, api: createApi(server.baseUrl)};
};

const createKey = async (api: Api, request: object = {}) =>
	(await api.post('/v1/api-keys', {name: 'key', ...request})).body;

const unknownId = '01890000-0000-7000-8000-000000000000';

test('[ACC-047 ACC-049 ACC-054] creating a key answers 201 with its record and the full key', async (t) => {
	const {api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const reply = await mine.post('/v1/api-keys', {name: 'ci', expires_at: '2999-01-01T00:00:00.000Z'});
	t.is(reply.status, 201);
	t.regex(reply.body.key, /^sbx_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{32,}$/);
	const fields = ['created_at', 'expires_at', 'id', 'last_used_at', 'masked_key', 'name', 'scopes'];
	t.deepEqual(Object.keys(reply.body).sort(), [...fields, 'key'].sort());
	t.is(reply.body.expires_at, '2999-01-01T00:00:00.000Z');
	t.deepEqual(reply.body.scopes, ['api']);
});

test('[ACC-048 ACC-051 ACC-052] list and get answer the record without the key; an unknown id is 404', async (t) => {
	const {api} = await start(t);
	const [{api: mine}, {api: theirs}] = [await registerPerson(api), await registerPerson(api)];
	const {id, key} = await createKey(mine);
	const list = await mine.get('/v1/api-keys');
	const one = await mine.get(`/v1/api-keys/${id}`);
	t.is(list.body.data[0].id, id);
	t.is(one.body.id, id);
	t.false('key' in one.body);
	const secret = key.slice('sbx_12345678_'.length);
	t.false(list.text.includes(secret));
	t.false(one.text.includes(secret));
	t.is((await mine.get(`/v1/api-keys/${unknownId}`)).status, 404);
	t.is((await theirs.get(`/v1/api-keys/${id}`)).status, 404);
	t.deepEqual((await theirs.get('/v1/api-keys')).body, {data: []});
});

test('[ACC-050] a key needs a name', async (t) => {
	const {api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const reply = await mine.post('/v1/api-keys', {});
	t.is(reply.status, 400);
	t.is(reply.body.error.details[0].path, 'name');
});

test('[ACC-040 ACC-053] a key authenticates until it is deleted, which takes effect at once', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const {id, key} = await createKey(person.api);
	const keyed = api.with({'x-api-key': key});
	t.is((await keyed.get('/v1/auth/me')).body.id, person.id);
	t.is((await person.api.delete(`/v1/api-keys/${id}`)).status, 204);
	const refused = await keyed.get('/v1/auth/me');
	t.is(refused.status, 401);
	t.is(refused.body.error.code, 'invalid_token');
});

test('[ACC-041 ACC-042] with both headers Authorization decides', async (t) => {
	const {api} = await start(t);
	const person = await registerPerson(api);
	const {key} = await createKey(person.api);
	const goodBearer = api.with({...bearer(person.access_token), 'x-api-key': 'sbx_00000000_wrong'});
	t.is((await goodBearer.get('/v1/auth/me')).status, 200);
	const badBearer = api.with({...bearer('wrong'), 'x-api-key': key});
	t.is((await badBearer.get('/v1/auth/me')).status, 401);
});

test('[ACC-057 ACC-058] a key is refused past its expires_at; one without never expires', async (t) => {
	const {server, api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const soon = new Date(Date.now() + 3_600_000).toISOString();
	const brief = await createKey(mine, {expires_at: soon});
	const lasting = await createKey(mine);
	t.is((await api.get('/v1/auth/me', {'x-api-key': brief.key})).status, 200);
	await server.advance(3_601_000);
	t.is((await api.get('/v1/auth/me', {'x-api-key': brief.key})).status, 401);
	await server.advance(400 * 24 * 3600 * 1000);
	t.is((await api.get('/v1/auth/me', {'x-api-key': lasting.key})).status, 200);
});

test('[ACC-059] using a key updates its last_used_at', async (t) => {
	const {api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const {id, key} = await createKey(mine);
	t.is((await mine.get(`/v1/api-keys/${id}`)).body.last_used_at, null);
	await api.get('/v1/auth/me', {'x-api-key': key});
	t.truthy((await mine.get(`/v1/api-keys/${id}`)).body.last_used_at);
});

test('[ACC-056 ACC-114] a key acts within its scopes and makes no key with a scope it lacks', async (t) => {
	const {api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const plain = api.with({'x-api-key': (await createKey(mine)).key});
	const proxy = api.with({'x-api-key': (await createKey(mine, {scopes: ['proxy']})).key});
	const approver = api.with({'x-api-key': (await createKey(mine, {scopes: ['api', 'approvals']})).key});
	t.is((await plain.get('/v1/mcp/servers')).status, 200);
	t.is((await proxy.get('/v1/mcp/servers')).status, 403);
	for (const scopes of [['approvals'], ['api', 'agent'], ['proxy']]) {
		t.is((await plain.post('/v1/api-keys', {name: 'stronger', scopes})).status, 403, scopes.join());
	}
	t.is((await plain.post('/v1/api-keys', {name: 'same', scopes: ['api']})).status, 201);
	const server = {name: 's', target_url: 'http://127.0.0.1:9/mcp'};
	const {id} = (await mine.post('/v1/mcp/servers', {...server, approval_config: {enabled: true}})).body;
	for (const change of [
		{approval_config: {enabled: false}},
		{rate_limit_config: {requests_per_minute: 5}},
		{require_auth: true},
		{approval_config: {rules: [{pattern: '*', action: 'allow'}]}},
	]) {
		t.is((await plain.put(`/v1/mcp/servers/${id}`, change)).status, 403, JSON.stringify(change));
		t.is((await approver.put(`/v1/mcp/servers/${id}`, change)).status, 200, JSON.stringify(change));
	}
	t.is((await plain.put(`/v1/mcp/servers/${id}`, {name: 'renamed'})).status, 200);
});

test('[ACC-056] a key without approvals deletes no call log, also not with its server or its team', async (t) => {
	const {api} = await start(t);
	const {api: mine} = await registerPerson(api);
	const plain = api.with({'x-api-key': (await createKey(mine)).key});
	const approver = api.with({'x-api-key': (await createKey(mine, {scopes: ['api', 'approvals']})).key});
	const server = (await mine.post('/v1/mcp/servers', {name: 's', target_url: 'http://127.0.0.1:9/mcp'})).body;
	const team = (await mine.post('/v1/teams', {name: 'Platform'})).body;
	for (const path of [`/v1/mcp/servers/${server.id}`, `/v1/teams/${team.id}`]) {
		t.is((await plain.delete(path)).status, 403, path);
		t.is((await mine.get(path)).status, 200, path);
		t.is((await approver.delete(path)).status, 204, path);
	}
});

test('[ACC-098] a key beyond the plan is 403 plan_limit_reached, also when they are created in parallel', async (t) => {
	const {api} = await start(t, {SIGNALBOX_DEFAULT_PLAN: 'free'});
	const {api: mine} = await registerPerson(api);
	const replies = await Promise.all(
		Array.from({length: 8}, async (_, index) => mine.post('/v1/api-keys', {name: `key ${index}`})),
	);
	t.is(replies.filter((reply) => reply.status === 201).length, 2);
	const refused = replies.filter((reply) => reply.status === 403);
	t.is(refused.length, 6);
	t.true(refused.every((reply) => reply.body.error.code === 'plan_limit_reached'));
});
