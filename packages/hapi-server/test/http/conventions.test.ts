import {request} from 'node:http';
import {buildNewApproval} from '@signalbox/core/testing';
import test from 'ava';
import {type Api, type Body, createApi, type Person, registerPerson} from '../../../../test/support/api.ts';
import {startTestServer, type TestServer} from '../../../../test/support/server.ts';

let server: TestServer;
let api: Api;
let person: Person;

test.before(async () => {
	server = await startTestServer();
	api = createApi(server.baseUrl);
	person = await registerPerson(api);
});
test.after.always(() => server.close());

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const unknownId = '01990000-0000-7000-8000-000000000000';

/** Every field of a JSON value, however deep, with its name. */
const fieldsOf = (value: Body): [string, Body][] =>
	value !== null && typeof value === 'object'
		? Object.entries(value).flatMap(([name, field]) => [[name, field] as [string, Body], ...fieldsOf(field)])
		: [];

test('[HTTP-009 HTTP-011 HTTP-012] creating is 201, other answers with a body are 200, deleting is an empty 204', async (t) => {
	const created = await person.api.post('/v1/environment', {key: 'CODES', value: 'x'});
	t.is(created.status, 201);
	const path = `/v1/environment/${created.body.id}`;
	t.is((await person.api.get(path)).status, 200);
	t.is((await person.api.put(path, {scope: 'mcp'})).status, 200);
	const deleted = await person.api.delete(path);
	t.is(deleted.status, 204);
	t.is(deleted.text, '');
});

test('[HTTP-003 HTTP-006 HTTP-008] names are snake_case and ids are UUIDv7 texts that sort by when they were made', async (t) => {
	const first = (await person.api.post('/v1/mcp/servers', {name: 'a', target_url: 'https://a.example.com'})).body;
	const second = (await person.api.post('/v1/mcp/servers', {name: 'b', target_url: 'https://b.example.com'})).body;
	t.true(first.id < second.id);
	for (const [name, value] of fieldsOf([first, person.api, (await person.api.get('/v1/teams')).body])) {
		if (typeof value === 'function') continue;
		t.regex(name, /^([a-z][a-z0-9]*(_[a-z0-9]+)*|\d+)$/);
		if (name === 'id' || name.endsWith('_id')) t.regex(value, uuidV7);
	}
});

test('[HTTP-004 HTTP-007] timestamps are ISO 8601 in UTC with milliseconds', async (t) => {
	const fields = fieldsOf([
		(await person.api.get('/v1/auth/me')).body,
		(await person.api.post('/v1/environment', {key: 'STAMPS', value: 'x'})).body,
		(await person.api.post('/v1/api-keys', {name: 'k', expires_at: '2099-01-01T00:00:00+02:00'})).body,
	]).filter(([name, value]) => name.endsWith('_at') && value !== null);
	t.true(fields.length >= 5);
	for (const [, value] of fields) t.regex(value, instant);
	t.true(fields.some(([name, value]) => name === 'expires_at' && value === '2098-12-31T22:00:00.000Z'));
});

test('[HTTP-001 HTTP-005] the version is the prefix: nothing is served without it, and no header changes an answer', async (t) => {
	t.is((await person.api.get('/environment')).status, 404);
	t.is((await person.api.get('/v2/environment')).status, 404);
	const plain = await person.api.get('/v1/auth/me');
	const versioned = await person.api.get('/v1/auth/me', {'x-api-version': '9', 'accept-version': '0.1'});
	t.deepEqual(versioned.body, plain.body);
});

test('[HTTP-014] a list that does not page is {data} and nothing else', async (t) => {
	for (const path of ['environment', 'mcp/servers', 'mcp/approvals', 'api-keys', 'teams']) {
		t.deepEqual(Object.keys((await person.api.get(`/v1/${path}`)).body), ['data']);
	}
});

test('[HTTP-013 HTTP-018] pages have data, total, limit and offset, and walking them yields each record once', async (t) => {
	const walker = await registerPerson(api);
	for (let n = 0; n < 7; n += 1) await walker.api.post('/v1/environment', {key: `K${n}`, value: 'x'});
	const all = (await walker.api.get('/v1/audit?limit=100')).body;
	t.deepEqual(Object.keys(all), ['data', 'total', 'limit', 'offset']);
	t.is(all.total, all.data.length);
	const walked: string[] = [];
	for (let offset = 0; offset < all.total; offset += 3) {
		const page = (await walker.api.get(`/v1/audit?limit=3&offset=${offset}`)).body;
		t.like(page, {limit: 3, offset, total: all.total});
		walked.push(...page.data.map(({id}: Body) => id));
	}
	t.deepEqual(
		walked,
		all.data.map(({id}: Body) => id),
	);
});

test('[HTTP-015 HTTP-016 HTTP-017] limits outside 1 to 100 and negative offsets are 400, not clamped', async (t) => {
	for (const path of ['/v1/audit', '/v1/mcp/calls']) {
		for (const [query, name] of [
			['limit=0', 'limit'],
			['limit=-1', 'limit'],
			['limit=101', 'limit'],
			['offset=-1', 'offset'],
		] as const) {
			const {status, body} = await person.api.get(`${path}?${query}`);
			t.is(status, 400);
			t.is(body.error.details[0].path, name);
		}
		t.is((await person.api.get(`${path}?limit=100&offset=0`)).status, 200);
		t.is((await person.api.get(`${path}?limit=1`)).status, 200);
	}
});

test('[HTTP-029 HTTP-030] what does not exist is 404 resource_not_found', async (t) => {
	for (const path of ['environment', 'mcp/servers', 'mcp/calls', 'mcp/approvals', 'api-keys', 'teams']) {
		const {status, body} = await person.api.get(`/v1/${path}/${unknownId}`);
		t.is(status, 404);
		t.is(body.error.code, 'resource_not_found');
	}
});

test('a method or a path that the API does not have is told from a record that is gone', async (t) => {
	const nothing = 'Nothing answers to this method and path.';
	t.is((await person.api.get('/v1/enviroment')).body.error.message, nothing);
	t.is((await person.api.get('/v1/auth/login')).body.error.message, nothing);
	t.is((await person.api.get(`/v1/environment/${unknownId}`)).body.error.message, 'There is no such resource.');
});

test('[HTTP-032] a record that is not in the state for it is 409 conflict', async (t) => {
	const guarded = (await person.api.post('/v1/mcp/servers', {name: 'c', target_url: 'https://c.example.com'})).body;
	const held = buildNewApproval({server: guarded, user_id: person.id});
	const approval = await server.composition.ports.approvals.open(held, 1);
	const approve = () => person.api.post(`/v1/mcp/approvals/${approval?.id}/approve`, {note: 'fine'});
	t.is((await approve()).status, 200);
	const again = await approve();
	t.is(again.status, 409);
	t.is(again.body.error.code, 'conflict');
});

test('[HTTP-089] actions that create nothing answer 200 with the record', async (t) => {
	// Somebody whom no other test looks at meanwhile.
	const somebody = (await registerPerson(api)).api;
	const team = (await somebody.post('/v1/teams', {name: 'other'})).body;
	const activated = await somebody.post(`/v1/teams/${team.id}/activate`);
	t.is(activated.status, 200);
	t.is(activated.body.active_team_id, team.id);
});

test('[HTTP-044 HTTP-047] every response has an X-Request-Id, and an error repeats it', async (t) => {
	for (const path of ['/healthz', '/v1/auth/me', '/nowhere', '/openapi.json', '/docs', '/p/no-such-slug']) {
		t.truthy((await api.get(path)).headers.get('x-request-id'), path);
	}
	const {headers, body} = await api.get('/v1/auth/me');
	t.is(body.error.request_id, headers.get('x-request-id'));
});

test('[HTTP-045 HTTP-046] a sane X-Request-Id is echoed, any other is replaced', async (t) => {
	const echoed = async (id: string) => (await api.get('/healthz', {'x-request-id': id})).headers.get('x-request-id');
	t.is(await echoed('trace-1.a:b_c'), 'trace-1.a:b_c');
	t.is(await echoed('x'.repeat(128)), 'x'.repeat(128));
	for (const odd of ['x'.repeat(129), 'a b', 'a"b', '<script>', 'a,b', '']) t.regex((await echoed(odd)) ?? '', uuidV7);
});

test('answers carry no cache, no sniffing and no way to run anything', async (t) => {
	const {headers} = await person.api.get('/v1/auth/me');
	t.is(headers.get('cache-control'), 'no-store');
	t.is(headers.get('x-content-type-options'), 'nosniff');
	t.true(headers.get('content-security-policy')?.startsWith("default-src 'none'"));
});

test('[HTTP-092] the same Idempotency-Key and body answer the first result again; another body is 409', async (t) => {
	const key = {'idempotency-key': 'order-1'};
	const first = await person.api.post('/v1/api-keys', {name: 'once'}, key);
	const again = await person.api.post('/v1/api-keys', {name: 'once'}, key);
	t.is(again.status, 201);
	t.deepEqual(again.body, first.body);
	const other = await person.api.post('/v1/api-keys', {name: 'twice'}, key);
	t.is(other.status, 409);
	t.is(other.body.error.code, 'conflict');
	const names = (await person.api.get('/v1/api-keys')).body.data.map(({name}: Body) => name);
	t.deepEqual(
		names.filter((name: string) => name === 'once' || name === 'twice'),
		['once'],
	);
});

test("an Idempotency-Key is its user's own, is given back by a refused request, and lasts a day", async (t) => {
	const key = {'idempotency-key': 'shared-name'};
	const other = await registerPerson(api);
	t.is((await person.api.post('/v1/teams', {name: ''}, key)).status, 400);
	const first = (await person.api.post('/v1/teams', {name: 'mine'}, key)).body;
	t.not((await other.api.post('/v1/teams', {name: 'mine'}, key)).body.id, first.id);
	const clock = await startTestServer();
	t.teardown(clock.close);
	const late = await registerPerson(createApi(clock.baseUrl));
	await late.api.post('/v1/teams', {name: 'a'}, key);
	clock.advance(24 * 3600 * 1000 + 1000);
	const {refresh_token} = late;
	const {access_token} = (await createApi(clock.baseUrl).post('/v1/auth/refresh', {refresh_token})).body;
	const renewed = createApi(clock.baseUrl, {authorization: `Bearer ${access_token}`});
	t.is((await renewed.post('/v1/teams', {name: 'b'}, key)).status, 201);
});

test('an unusable Idempotency-Key is a 400', async (t) => {
	for (const odd of ['x'.repeat(256), 'k\u00e9y']) {
		const {status} = await person.api.post('/v1/teams', {name: 'n'}, {'idempotency-key': odd});
		t.is(status, 400);
	}
});

test('[HTTP-021] a Range is ignored: the answer is whole, and never in an envelope that is not ours', async (t) => {
	for (const range of ['bytes=0-3', 'bytes=999999-', 'bytes=5-1', 'lines=1-2']) {
		const reply = await person.api.get('/v1/auth/me', {range});
		t.is(reply.status, 200, range);
		t.is(reply.body.id, person.id);
	}
});

/** The answer to a request that names another host than the one it goes to, as a page does whose name was bound anew. */
const statusAt = (host: string, path: string, method = 'GET'): Promise<number | undefined> =>
	new Promise((resolve, reject) => {
		request(new URL(path, server.baseUrl), {method, headers: {host}}, (response) => {
			response.resume();
			resolve(response.statusCode);
		})
			.on('error', reject)
			.end();
	});

test('on a machine of its own the API answers to its own names only: a page may bind its name to it', async (t) => {
	const {host, port} = new URL(server.baseUrl);
	for (const own of [host, `localhost:${port}`, 'localhost', '[::1]'])
		t.is(await statusAt(own, '/v1/auth/me'), 401, own);
	for (const foreign of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '169.254.1.1'])
		for (const [path, method] of [
			['/v1/auth/me', 'GET'],
			['/v1/auth/register', 'POST'],
			['/v1/nothing', 'GET'],
		] as const)
			t.is(await statusAt(foreign, path, method), 403, `${foreign} ${path}`);
	t.is(await statusAt('evil.example', '/healthz'), 200);
});

test('a key that only approves lists and decides approvals, and does nothing else', async (t) => {
	const {body: made} = await person.api.post('/v1/api-keys', {name: 'stand-in', scopes: ['approvals']});
	const standIn = createApi(server.baseUrl).with({'x-api-key': made.key});
	t.is((await standIn.get('/v1/mcp/approvals')).status, 200);
	t.is((await standIn.post(`/v1/mcp/approvals/${unknownId}/approve`, {})).status, 404);
	for (const path of ['/v1/mcp/servers', '/v1/api-keys', '/v1/environment', '/v1/stream'])
		t.is((await standIn.get(path)).status, 403, path);
});
