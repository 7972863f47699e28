import test from 'ava';
import {type Api, bearer, createApi, type Person, registerPerson} from '../../../../test/support/api.ts';
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

const send = (text: string | Buffer, headers: Record<string, string> = {'content-type': 'application/json'}) =>
	fetch(`${server.baseUrl}/v1/environment`, {
		method: 'POST',
		headers: {...bearer(person.access_token), ...headers},
		body: typeof text === 'string' ? text : new Uint8Array(text),
	});

const pathsOf = async (response: Response): Promise<string[]> => {
	const {error} = (await response.json()) as {error: {details?: {path: string}[]}};
	return (error.details ?? []).map(({path}) => path);
};

const stored = async (): Promise<number> => (await person.api.get('/v1/environment')).body.data.length;

/** Bodies that no field can be blamed for, and the path that is named. */
const bodies: readonly (readonly [string, string | Buffer, string])[] = [
	['no JSON', '{"key": ', 'body'],
	['two texts', '{}{}', 'body'],
	['a list', '[]', 'body'],
	['a number', '7', 'body'],
	['null', 'null', 'body'],
	['a comment', '{/* */}', 'body'],
	['a byte order mark', '\ufeff{}', 'body'],
	['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'body'],
	['a repeated key', '{"key":"A","key":"B","value":"x"}', 'key'],
	['NUL in a value', '{"key":"A","value":"a\\u0000b"}', 'value'],
	['a lone surrogate', '{"key":"A","value":"\\ud800"}', 'value'],
	['NUL in a nested field', '{"key":"A","value":{"deep":["\\u0000"]}}', 'value.deep.0'],
	['a missing field', '{"value":"x"}', 'key'],
	['a wrong type', '{"key":"A","value":7}', 'value'],
	['a value outside the choices', '{"key":"A","value":"x","scope":"world"}', 'scope'],
	['an unknown field', '{"key":"A","value":"x","vlaue":"y"}', 'vlaue'],
	['__proto__ as a field', '{"key":"A","value":"x","__proto__":{"is_secret":false}}', '__proto__'],
];

const members = (count: number, nameOf = (n: number) => `k${n}`): string =>
	Array.from({length: count}, (_, n) => `"${nameOf(n)}":0`).join();

for (const [what, body, path] of bodies) {
	test(`${what} is a 400 that names ${path}`, async (t) => {
		const response = await send(body);
		t.is(response.status, 400);
		t.deepEqual(await pathsOf(response), [path]);
		t.is(await stored(), 0);
	});
}

test('a body that holds more than 10,000 keys and items is refused before its fields are looked at', async (t) => {
	const full = JSON.stringify(Array.from({length: 9999}, () => 0));
	for (const [body, path] of [
		[`{${members(10_000)}}`, 'k0'],
		[`{${members(10_001)}}`, 'body'],
		[`{"key":"A","value":{${members(50_000)}}}`, 'body'],
		[`{"value":${full}}`, 'value'],
		[`{"value":[${full},0]}`, 'body'],
	] as const) {
		const response = await send(body);
		t.is(response.status, 400);
		t.true((await pathsOf(response)).includes(path));
	}
	t.is(await stored(), 0);
});

test('what anybody may send has at most 16 KiB, and takes the longest that is right', async (t) => {
	const most = 16 * 1024;
	for (const path of ['register', 'login', 'refresh', 'logout'].map((name) => `/v1/auth/${name}`)) {
		const sized = (size: number) => `{"x":"${'x'.repeat(size - '{"x":""}'.length)}"}`;
		t.is((await api.post(path, sized(most))).status, 400, path);
		const {status, body} = await api.post(path, sized(most + 1));
		t.deepEqual([status, body.error.code], [413, 'payload_too_large'], path);
		t.regex(body.error.message, /at most 16 KiB/);
	}
	const escaped = (text: string) => `"${text.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)}"`;
	const email = `${'e'.repeat(64)}@${'e'.repeat(61)}.${'e'.repeat(61)}.${'e'.repeat(61)}.ee`;
	const longest = {email, password: 'p'.repeat(256), name: 'n'.repeat(200), invite: 'i'.repeat(512)};
	const fields = Object.entries(longest).map(([name, value]) => `${escaped(name)}:${escaped(value)}`);
	t.is((await api.post('/v1/auth/register', `{${fields}}`)).body.error?.code, 'forbidden');
	t.is((await api.post('/v1/auth/refresh', `{"refresh_token":${escaped('t'.repeat(2048))}}`)).status, 401);
});

test('[HTTP-022 HTTP-023] every missing field is named, under code validation_error', async (t) => {
	const {status, body} = await person.api.post('/v1/environment', {});
	t.is(status, 400);
	t.is(body.error.code, 'validation_error');
	t.deepEqual(
		body.error.details.map(({path}: {path: string}) => path),
		['key', 'value'],
	);
});

test('[HTTP-041] an unknown field is refused wherever it stands', async (t) => {
	const server = {name: 'a', target_url: 'https://mcp.example.com', approval_config: {enabled: true, ttl: 5}};
	const {status, body} = await person.api.post('/v1/mcp/servers', server);
	t.is(status, 400);
	t.deepEqual(body.error.details, [{path: 'approval_config.ttl', message: 'is not a known field'}]);
	t.deepEqual((await person.api.get('/v1/mcp/servers')).body.data, []);
});

test('a route that takes no body refuses fields, and takes an empty body or none', async (t) => {
	const {team_id} = person;
	t.is((await person.api.post(`/v1/teams/${team_id}/activate`, {force: true})).status, 400);
	t.is((await person.api.post(`/v1/teams/${team_id}/activate`, {})).status, 200);
	t.is((await person.api.post(`/v1/teams/${team_id}/activate`)).status, 200);
});

const queries: readonly (readonly [string, string])[] = [
	['/v1/mcp/calls?limit=10&limit=20', 'limit'],
	['/v1/mcp/calls?status=success&status=error', 'status'],
	['/v1/mcp/calls?tool=x', 'tool'],
	['/v1/mcp/calls?LIMIT=10', 'LIMIT'],
	['/v1/mcp/calls?tool_name=a%00b', 'tool_name'],
	['/v1/mcp/calls?limit=1e1', 'limit'],
	['/v1/mcp/calls?limit=', 'limit'],
	['/v1/mcp/calls?offset=1.5', 'offset'],
	['/v1/mcp/calls?from=yesterday', 'from'],
	['/v1/mcp/calls?to=2026-02-30T00:00:00Z', 'to'],
	['/v1/mcp/calls/metrics?days=0', 'days'],
	['/v1/mcp/approvals?status=lost', 'status'],
	['/v1/mcp/approvals?status[]=pending', 'status[]'],
	['/v1/environment?__proto__=1', '__proto__'],
	['/v1/auth/me?verbose=1', 'verbose'],
];

for (const [path, name] of queries) {
	test(`${path} is a 400 that names ${name}`, async (t) => {
		const {status, body} = await person.api.get(path);
		t.is(status, 400);
		t.deepEqual(
			body.error.details.map((detail: {path: string}) => detail.path),
			[name],
		);
	});
}

test('[HTTP-042] an unknown query parameter is 400 validation_error, on writes too', async (t) => {
	const {status, body} = await person.api.post('/v1/environment?dry_run=1', {key: 'A', value: 'x'});
	t.is(status, 400);
	t.is(body.error.code, 'validation_error');
	t.deepEqual(body.error.details, [{path: 'dry_run', message: 'is not a known query parameter'}]);
	t.is(await stored(), 0);
});

const contentTypes: readonly Record<string, string>[] = [
	{'content-type': 'text/plain'},
	{'content-type': 'application/x-www-form-urlencoded'},
	{'content-type': 'multipart/form-data; boundary=x'},
	{'content-type': 'application/json; charset=latin1'},
	{'content-type': 'application/jsonp'},
	{'content-type': ''},
	{'content-type': 'application/json', 'content-encoding': 'gzip'},
];

for (const headers of contentTypes) {
	test(`${JSON.stringify(headers)} is 415`, async (t) => {
		const response = await send('{"key":"A","value":"x"}', headers);
		t.is(response.status, 415);
		t.is(await stored(), 0);
	});
}

test('[HTTP-002 HTTP-034] JSON in, JSON out; another content type is 415 unsupported_media_type', async (t) => {
	const refused = await send('key=A', {'content-type': 'text/plain'});
	t.is(((await refused.json()) as {error: {code: string}}).error.code, 'unsupported_media_type');
	const spelled = await send('{}', {'content-type': 'Application/JSON; charset="UTF-8"'});
	t.is(spelled.status, 400);
	t.true(spelled.headers.get('content-type')?.startsWith('application/json'));
});

test('[HTTP-033] ten megabytes are 413 payload_too_large, with their length announced or not', async (t) => {
	const big = JSON.stringify({key: 'A', value: 'x'.repeat(10 * 1024 * 1024)});
	for (const body of [big, new Blob([big]).stream()]) {
		const headers = {...bearer(person.access_token), 'content-type': 'application/json'};
		const init = {method: 'POST', headers, body, duplex: 'half'};
		const begin = performance.now();
		const response = await fetch(`${server.baseUrl}/v1/environment`, init as RequestInit);
		t.is(response.status, 413);
		t.is(((await response.json()) as {error: {code: string}}).error.code, 'payload_too_large');
		t.true(performance.now() - begin < 10_000);
	}
	t.is(await stored(), 0);
});

test('a body just over the limit is 413, and one of the limit is read', async (t) => {
	const limit = 1024 * 1024;
	const frame = JSON.stringify({key: 'A', value: ''}).length;
	t.is((await send(JSON.stringify({key: 'A', value: 'x'.repeat(limit - frame + 1)}))).status, 413);
	t.is((await send(JSON.stringify({key: 'A', value: 'x'.repeat(limit - frame)}))).status, 400);
});

test('five thousand levels of nesting are 400 at once', async (t) => {
	for (const [open, close] of [
		['[', ']'],
		['{"a":', '}'],
	] as const) {
		const begin = performance.now();
		const response = await send(`{"key":"A","value":${open.repeat(5000)}1${close.repeat(5000)}}`);
		t.is(response.status, 400);
		t.true(performance.now() - begin < 20_000);
	}
});

const resources = ['environment', 'mcp/servers', 'mcp/calls', 'mcp/approvals', 'api-keys', 'teams'];
const strangeIds = ['1', '%00', '..%2f..%2fetc', 'a'.repeat(5000), '%F0%9F%92%A9', "' OR 1=1 --", '%E0%A4%A'];

for (const id of strangeIds) {
	test(`an id like ${id.slice(0, 20)} names nothing`, async (t) => {
		for (const path of [...resources, 'webhook/endpoints', 'webhook/events']) {
			const {status} = await person.api.get(`/v1/${path}/${id}`);
			t.true(status === 404 || status === 400, `${path}: ${status}`);
		}
	});
}

test('[HTTP-021] unknown routes, malformed JSON, validation and domain rules all answer in one envelope', async (t) => {
	const answers = [
		await api.get('/nowhere'),
		await api.get('/v1/nowhere'),
		await api.get('/v1/auth/me'),
		await person.api.post('/v1/environment', '{'),
		await person.api.post('/v1/environment', {}),
		await person.api.get('/v1/environment/01990000-0000-7000-8000-000000000000'),
	];
	for (const {status, headers, body} of answers) {
		t.true(status >= 400 && status < 500);
		t.deepEqual(Object.keys(body), ['error']);
		t.is(body.error.request_id, headers.get('x-request-id'));
		t.is(typeof body.error.code, 'string');
	}
});
