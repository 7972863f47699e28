import test, {type ExecutionContext} from 'ava';
import {startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {sendRaw} from '../support/raw-http.ts';
import {acceptBoth, callOf, openProxy, post, requireAll, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, fields: object = {}, settings: object = {}) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t, {settings});
	const server = await proxy.addServer({target_url: upstream.url, ...fields});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

const deep = (depth: number) =>
	`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;

const parseError = -32700;
const invalidRequest = -32600;

type Refused = readonly [title: string, body: unknown, status: number, code: number, id?: unknown];

/** Refused on every server, whatever its configuration. */
const never: readonly Refused[] = [
	['nothing', '', 400, parseError],
	['no JSON', '{"jsonrpc":"2.0",', 400, parseError],
	['data after the value', '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', 400, parseError],
	['a byte order mark', Buffer.from('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}'), 400, parseError],
	['bytes that are no UTF-8', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1'), 400, parseError],
	['UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le'), 400, parseError],
	['5,000 levels', deep(5_000), 400, invalidRequest],
	[
		'a repeated key on the envelope',
		'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}',
		400,
		invalidRequest,
	],
	[
		'a repeated key in params',
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}',
		400,
		invalidRequest,
	],
	['a repeated key by escape', '{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"x"}', 400, invalidRequest],
	['a look-alike of a key', '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}', 400, invalidRequest],
	[
		'a look-alike in params',
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}',
		400,
		invalidRequest,
	],
	...['RequestState', 'requeststate', 'request\\u0053tate', 'inputresponses', 'ｉnputResponses'].map(
		(key): Refused => [
			`a look-alike of a member of rounds: ${key}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","${key}":"b"}}`,
			400,
			invalidRequest,
		],
	),
	['a bare text', '"ping"', 400, invalidRequest],
	['null', 'null', 400, invalidRequest],
	['an empty batch', '[]', 400, invalidRequest],
	['a batch of batches', '[[{"jsonrpc":"2.0","id":1,"method":"ping"}]]', 400, invalidRequest],
	['a batch of 101', Array.from({length: 101}, (_, id) => rpc('ping', undefined, id)), 400, invalidRequest],
	['another version', {jsonrpc: '1.0', id: 5, method: 'ping'}, 400, invalidRequest, 5],
	['no version', {id: 'x', method: 'ping'}, 400, invalidRequest, 'x'],
	['a method that is no text', {jsonrpc: '2.0', id: 6, method: 7}, 400, invalidRequest, 6],
	['a null id', {jsonrpc: '2.0', id: null, method: 'ping'}, 400, invalidRequest],
	['an id that is an object', {jsonrpc: '2.0', id: {}, method: 'ping'}, 400, invalidRequest],
	['params that are a list', {jsonrpc: '2.0', id: 7, method: 'ping', params: []}, 400, invalidRequest, 7],
	['a call that is an answer too', {jsonrpc: '2.0', id: 8, method: 'ping', result: {}}, 400, invalidRequest, 8],
];

for (const [title, body, status, code, id = null] of never) {
	test(`[PRX-048] ${title} is refused, and nothing of it is forwarded`, async (t) => {
		const proxy = await open(t);
		const answer = await post(proxy.address, body);
		t.is(answer.status, status);
		t.is(answer.headers.get('content-type'), 'application/json');
		t.like(await answer.json(), {jsonrpc: '2.0', id, error: {code}});
		t.is(proxy.upstream.received.length, 0);
	});
}

/** Refused while approvals are on; without approvals, limits and budgets they pass. */
const whileGuarded: readonly Refused[] = [
	['a batch with a tools/call', [rpc('ping'), callOf('delete_item', {}, 2)], 400, invalidRequest],
	[
		'a tools/call without an id',
		{jsonrpc: '2.0', method: 'tools/call', params: {name: 'delete_item'}},
		400,
		invalidRequest,
	],
	['a tools/call without params', rpc('tools/call', undefined, 3), 400, invalidRequest, 3],
	['a tool name that is no text', rpc('tools/call', {name: ['delete_item']}, 4), 400, invalidRequest, 4],
	['arguments that are a text', callOf('delete_item', '{}', 5), 400, invalidRequest, 5],
];

for (const [title, body, status, code, id = null] of whileGuarded) {
	test(`[PRX-050 PRX-053 PRX-055] ${title} is refused where tool calls are guarded, and passes elsewhere`, async (t) => {
		for (const guarded of [
			{approval_config: requireAll},
			{rate_limit_config: {requests_per_minute: 10}},
			{rate_limit_config: {cost: {budget_cents: 100, alert_threshold_percent: 80}}},
			{default_cost_cents: 1},
		]) {
			const proxy = await open(t, guarded);
			const answer = await post(proxy.address, body);
			t.is(answer.status, status);
			t.like(await answer.json(), {id, error: {code}});
			t.is(proxy.upstream.received.length, 0);
		}
		const free = await open(t);
		t.is((await post(free.address, body)).status, 200);
		t.is(free.upstream.received.length, 1);
	});
}

/** What two readers of one text could take for different arguments. */
const repeatedKeys = [
	'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"to":"eve","to":"bob"}}}',
	'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"a":[{"to":1,"t\\u006f":2}]}}}',
	'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","_meta":{"x":1,"x":2}}}',
	'[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"x":1,"x":2}}}]',
];

test('while approvals are on no object of a message repeats a key, however deep; else only its envelope', async (t) => {
	const proxy = await open(t, {approval_config: requireAll});
	const free = await open(t);
	for (const body of repeatedKeys) {
		const answer = await post(proxy.address, body);
		t.is(answer.status, 400, body);
		t.like(await answer.json(), {id: null, error: {code: invalidRequest}});
		t.is((await post(free.address, body)).status, 200, body);
	}
	t.is(proxy.upstream.received.length, 0);
	t.is((await proxy.core.mcp.approvals.list(proxy.owner, 'pending')).length, 0);
	t.is(free.upstream.received.length, repeatedKeys.length);
});

test('[PRX-056] a method nobody knows does not pass while approvals are on, unless the server names it', async (t) => {
	const proxy = await open(t, {approval_config: requireAll, allowed_methods: ['x/known']});
	const stateless = {_meta: {'io.modelcontextprotocol/protocolVersion': '2026-07-28'}};
	for (const [method, params, status] of [
		['tools/execute', {}, 200],
		['Tools/Call', {}, 200],
		['tools/execute', stateless, 404],
	] as const) {
		const answer = await post(proxy.address, rpc(method, params, 9));
		t.is(answer.status, status);
		t.like(await answer.json(), {id: 9, error: {code: -32601}});
	}
	t.is((await post(proxy.address, {jsonrpc: '2.0', method: 'notifications/execute'})).status, 400);
	t.is(proxy.upstream.received.length, 0);
	t.is((await post(proxy.address, rpc('x/known'))).status, 200);
});

test('[PRX-057 PRX-058] Mcp-Method and Mcp-Name must say what the body says', async (t) => {
	const proxy = await open(t, {approval_config: requireAll});
	const mismatches: [unknown, Record<string, string>][] = [
		[rpc('tools/list'), {'mcp-method': 'tools/call'}],
		[callOf('delete_item'), {'mcp-method': 'tools/list'}],
		[callOf('delete_item'), {'mcp-name': 'list_items'}],
		[callOf('delete_item'), {'mcp-name': '=?base64?bGlzdF9pdGVtcw==?='}],
		[callOf('delete_item'), {'mcp-name': '=?base64?***?='}],
		[rpc('ping'), {'mcp-name': 'delete_item'}],
		[rpc('resources/read', {uri: 'a:b'}), {'mcp-name': 'a:c'}],
		[{jsonrpc: '2.0', id: 1, result: {}}, {'mcp-method': 'tools/call'}],
	];
	for (const [body, headers] of mismatches) {
		const answer = await post(proxy.address, body, {headers});
		t.is(answer.status, 400);
		t.like(await answer.json(), {error: {code: -32020}});
	}
	t.is(proxy.upstream.received.length, 0);
	const name = `=?base64?${Buffer.from('résumé').toString('base64')}?=`;
	const headers = {'mcp-method': 'prompts/get', 'mcp-name': name};
	t.is((await post(proxy.address, rpc('prompts/get', {name: 'résumé'}), {headers})).status, 200);
	t.is(proxy.upstream.received[0]?.headers['mcp-name'], name);
});

test('while approvals are on, Mcp-Param-* headers say nothing that is no value among the arguments', async (t) => {
	const allowAll = {...requireAll, default_action: 'allow'} as const;
	const proxy = await open(t, {approval_config: allowAll});
	const call = callOf('delete_item', {id: '7', note: 'ü', deep: {count: 3, ratio: 1.5, sure: true, no: null}});
	const passed = ['7', '=?base64?w7w=?=', '3', '3.0', '1.5', '15e-1', 'true', '=?base64?Nw==?='];
	for (const value of passed) t.is((await post(proxy.address, call, {headers: {'Mcp-Param-A': value}})).status, 200);
	t.is(proxy.upstream.received.length, passed.length);
	for (const value of [
		'8',
		'',
		'7, 7',
		'ID',
		'id',
		'=?base64?OA==?=',
		'=?base64?***?=',
		'0x3',
		'false',
		'null',
		'[object Object]',
	]) {
		const answer = await post(proxy.address, call, {headers: {'Mcp-Param-A': '7', 'Mcp-Param-B': value}});
		t.is(answer.status, 400, value);
		t.like(await answer.json(), {id: 1, error: {code: -32020}});
	}
	t.is(proxy.upstream.received.length, passed.length);
});

test('while approvals are off, the upstream compares Mcp-Param-* headers itself', async (t) => {
	const proxy = await open(t);
	const headers = {'Mcp-Param-A': 'of no argument'};
	t.is((await post(proxy.address, callOf('delete_item'), {headers})).status, 200);
	t.is(proxy.upstream.received[0]?.headers['mcp-param-a'], 'of no argument');
});

test('[PRX-039 PRX-040 PRX-041] only JSON in UTF-8 and in clear is taken', async (t) => {
	const proxy = await open(t);
	const refused: Record<string, string>[] = [
		{'content-type': 'text/plain'},
		{'content-type': 'application/json-rpc'},
		{'content-type': 'application/x-www-form-urlencoded'},
		{'content-type': 'application/json; charset=utf-16'},
		{'content-type': 'application/json; charset=utf-7; charset=utf-8'},
		{'content-type': "application/json; charset*=utf-16''"},
		{'content-type': 'application/json; charset*0=utf-; charset*1=16'},
		{'content-encoding': 'gzip'},
		{'content-encoding': 'identity, br'},
	];
	for (const headers of refused) {
		const answer = await post(proxy.address, rpc('ping'), {headers});
		t.is(answer.status, 415);
		t.like(await answer.json(), {error: {code: 415}});
	}
	t.is(proxy.upstream.received.length, 0);
	for (const type of ['APPLICATION/JSON', 'application/json;charset=UTF-8', 'application/json; charset="utf-8"'])
		t.is((await post(proxy.address, rpc('ping'), {headers: {'content-type': type}})).status, 200);
});

test('[PRX-047] a body over the limit is 413, announced or not, and the connection lives on', async (t) => {
	const proxy = await open(t, {}, {max_body_bytes: 1_000});
	const large = JSON.stringify(rpc('ping', {filler: 'x'.repeat(1_000)}));
	const announced = await post(proxy.address, large);
	t.is(announced.status, 413);
	t.like(await announced.json(), {error: {code: 413}});
	const pieces = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
	const head = `POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
	const next = `GET /p/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
	const {text: answers} = await sendRaw(proxy.port, `${head}Transfer-Encoding: chunked\r\n\r\n${pieces}${next}`);
	t.regex(answers, /^HTTP\/1.1 413 [\s\S]*HTTP\/1.1 404 /);
	t.is(proxy.upstream.received.length, 0);
});

test('a body without end is cut off', async (t) => {
	const proxy = await open(t, {}, {max_body_bytes: 1_000});
	const head = `POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
	const {text: answer} = await sendRaw(proxy.port, `${head}Content-Length: 9000000\r\n\r\n${' '.repeat(300_000)}`);
	// A connection that is cut may take the answer with it.
	t.regex(answer, /^(HTTP\/1.1 413 |$)/);
});

test('[PRX-003 PRX-005] unknown and inactive servers are the same 404, whatever is asked of them', async (t) => {
	const proxy = await open(t, {is_active: false});
	const answers = [];
	for (const address of [proxy.address, `${proxy.origin}/p/unknown`, `${proxy.origin}/p/..%2f..`]) {
		for (const method of ['POST', 'GET', 'DELETE', 'PUT', 'OPTIONS']) {
			const answer = await fetch(address, {method, ...(method === 'POST' && {body: '{'})});
			t.is(answer.status, 404);
			answers.push(await answer.text());
		}
	}
	t.is(new Set(answers).size, 1);
	t.is(proxy.upstream.received.length, 0);
});

test('methods that MCP does not know are 405, and a body where none belongs is 400', async (t) => {
	const proxy = await open(t);
	for (const method of ['PUT', 'PATCH', 'HEAD', 'QUERY']) {
		const answer = await fetch(proxy.address, {method});
		t.is(answer.status, 405);
		t.is(answer.headers.get('allow'), 'GET, POST, DELETE, OPTIONS');
	}
	t.is((await fetch(proxy.address, {method: 'DELETE', body: JSON.stringify(callOf('delete_item'))})).status, 400);
	const get = `GET /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
	t.is((await sendRaw(proxy.port, get)).status, 400);
	t.is(proxy.upstream.received.length, 0);
});

test('[PRX-035 PRX-036 PRX-113] a foreign Origin or Host is 403 before anything else', async (t) => {
	const proxy = await open(t, {}, {allowed_origins: ['https://inspector.example.org']});
	const send = async (host: string, origin?: string) => {
		const lines = [
			`POST /p/${proxy.server.slug} HTTP/1.1`,
			host,
			'Content-Type: application/json',
			'Connection: close',
		];
		const body = JSON.stringify(rpc('ping'));
		const extra = origin === undefined ? [] : [`Origin: ${origin}`];
		const head = [...lines, ...extra, `Content-Length: ${body.length}`, '', ''].join('\r\n');
		return (await sendRaw(proxy.port, head + body)).status;
	};
	const own = 'Host: proxy.example.com';
	for (const origin of [undefined, 'http://proxy.example.com', 'http://signalbox.example.com', 'http://localhost:6274'])
		t.is(await send(own, origin), 200);
	for (const origin of ['https://inspector.example.org', 'http://127.0.0.1:1', 'http://[::1]:5173'])
		t.is(await send('Host: localhost:3000', origin), 200);
	t.is(proxy.upstream.received.length, 7);
	const strangers = [
		'https://evil.example',
		'null',
		'http://proxy.example.com.evil.example',
		'https://proxy.example.com',
	];
	for (const origin of [...strangers, 'http://127.evil.example', 'http://localhost.evil.example', 'localhost'])
		t.is(await send(own, origin), 403);
	for (const host of ['Host: evil.example', 'Host: 127.evil.example', 'Host: proxy.example.com@evil.example', 'Host: '])
		t.true([400, 403].includes(await send(host)));
	t.true([400, 403].includes(await send(`${own}\r\nHost: evil.example`)));
	t.is(proxy.upstream.received.length, 7);
});

test('off loopback neither loopback names nor other origins pass', async (t) => {
	const proxy = await open(t, {}, {local: false});
	t.is((await post(proxy.address, rpc('ping'))).status, 403);
	t.is(proxy.upstream.received.length, 0);
});

test('a page of an allowed origin may read the answer, and learns beforehand what it may send', async (t) => {
	const proxy = await open(t);
	const origin = 'http://localhost:6274';
	const asking = {origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-session-id'};
	const preflight = await fetch(proxy.address, {method: 'OPTIONS', headers: asking});
	t.is(preflight.status, 204);
	t.is(preflight.headers.get('access-control-allow-origin'), origin);
	t.is(preflight.headers.get('access-control-allow-headers'), 'mcp-session-id');
	const answer = await post(proxy.address, rpc('ping'), {headers: {origin}});
	t.is(answer.headers.get('access-control-allow-origin'), origin);
	t.regex(answer.headers.get('access-control-expose-headers') ?? '', /Mcp-Session-Id/);
});

test('[MCP-081] calls beyond the rate limit are 429 under their id, are not forwarded, and are logged', async (t) => {
	const limits = {requests_per_minute: 2, burst: 1};
	const proxy = await open(t, {rate_limit_config: limits});
	const statuses = [];
	for (let id = 1; id <= 4; id += 1) statuses.push((await post(proxy.address, callOf('delete_item', {}, id))).status);
	const answer = await post(proxy.address, callOf('delete_item', {}, 'last'));
	t.is(answer.status, 429);
	t.true(Number(answer.headers.get('retry-after')) >= 1);
	t.like(await answer.json(), {id: 'last', error: {code: 429}});
	t.deepEqual(statuses, [200, 200, 200, 429]);
	t.is(proxy.upstream.received.length, 3);
	const calls = await proxy.calls(5);
	t.is(calls.filter(({status_code}) => status_code === 429).length, 2);
	await proxy.clock.advance(60_000);
	t.is((await post(proxy.address, rpc('ping'))).status, 200);
});

test('[PRX-070] a tools/call beyond the rate limit asks nobody for approval', async (t) => {
	const limits = {requests_per_minute: 1, burst: 0};
	const proxy = await open(t, {rate_limit_config: limits, approval_config: requireAll});
	t.is((await post(proxy.address, rpc('ping'))).status, 200);
	t.is((await post(proxy.address, callOf('delete_item'))).status, 429);
	t.deepEqual(await proxy.core.mcp.approvals.list(proxy.owner, 'pending'), []);
});

test('[APR-025] under autonomous, where nobody is asked, the rate limit still applies', async (t) => {
	const approval_config = {...requireAll, trust_level: 'autonomous'};
	const proxy = await open(t, {approval_config, rate_limit_config: {requests_per_minute: 2, burst: 0}});
	const statuses = [];
	for (let id = 1; id <= 3; id += 1) statuses.push((await post(proxy.address, callOf('delete_item', {}, id))).status);
	t.deepEqual(statuses, [200, 200, 429]);
	t.is(proxy.upstream.received.length, 2);
});

test('[PRX-069] a malformed body is 400 also when the limit is used up, and uses none of it', async (t) => {
	const proxy = await open(t, {rate_limit_config: {requests_per_minute: 1, burst: 0}});
	for (let sent = 0; sent < 3; sent += 1) t.is((await post(proxy.address, '{')).status, 400);
	t.is((await post(proxy.address, rpc('ping'))).status, 200);
	t.is((await post(proxy.address, '{')).status, 400);
	t.is((await post(proxy.address, rpc('ping'))).status, 429);
});

test('[MCP-082 PRX-072 PRX-114] a call over budget is 429 and never forwarded; one that never left costs nothing', async (t) => {
	const cost = {budget_cents: 10, alert_threshold_percent: 80};
	const proxy = await open(t, {default_cost_cents: 5, rate_limit_config: {cost}});
	for (const id of [1, 2]) t.is((await post(proxy.address, callOf('send_mail', {}, id))).status, 200);
	const answer = await post(proxy.address, callOf('send_mail', {}, 3));
	t.is(answer.status, 429);
	t.true(Number(answer.headers.get('retry-after')) > 0);
	t.like(await answer.json(), {id: 3, error: {code: 429}});
	t.is((await post(proxy.address, rpc('tools/list'))).status, 200);
	t.is(proxy.upstream.received.length, 3);
	const calls = await proxy.calls(4);
	t.deepEqual(
		calls.map(({cost_cents}) => cost_cents),
		[5, 5, 0, 0],
	);
	const unreachable = await proxy.addServer({
		target_url: 'http://127.0.0.1:1/',
		default_cost_cents: 5,
		rate_limit_config: {cost},
	});
	for (const id of [1, 2, 3]) t.is((await post(proxy.url(unreachable), callOf('send_mail', {}, id))).status, 502);
	t.is((await proxy.core.mcp.servers.costs(proxy.owner, unreachable.id, {})).total_cents, 0);
});

test('every answer carries the sandbox, nosniff and a request id', async (t) => {
	const proxy = await open(t, {require_auth: true});
	const answers = [
		await post(proxy.address, rpc('ping')),
		await post(proxy.address, '{', {headers: {'x-request-id': 'mine-1'}}),
		await fetch(`${proxy.origin}/p/unknown`),
		await fetch(proxy.address, {method: 'OPTIONS'}),
		await fetch(proxy.address, {headers: {...acceptBoth, origin: 'https://evil.example'}}),
	];
	for (const answer of answers) {
		t.is(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'");
		t.is(answer.headers.get('x-content-type-options'), 'nosniff');
		t.truthy(answer.headers.get('x-request-id'));
	}
	t.is(answers[1]?.headers.get('x-request-id'), 'mine-1');
});
