import {gzipSync} from 'node:zlib';
import {type CallLog, DomainError} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {answerJson, type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {createClientAddress} from '../../src/http/client-address.ts';
import {callOf, openProxy, type ProxyOptions, post, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, script?: Script, options: ProxyOptions & {server?: object} = {}) => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, options);
	const server = await proxy.addServer({target_url: upstream.url, ...options.server});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

const sendEvents =
	(...chunks: string[]): Script =>
	(_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		for (const chunk of chunks) response.write(chunk);
		response.end();
	};

const result = (id: unknown, value: unknown = {}) => JSON.stringify({jsonrpc: '2.0', id, result: value});
const event = (data: string) => `event: message\ndata: ${data}\n\n`;

test('[MCP-035 MCP-036 MCP-038] a tools/call is logged with method, tool, both bodies, time and address', async (t) => {
	const proxy = await open(t);
	const body = ` {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"id":"7"}}}`;
	const answer = await (await post(proxy.address, body)).text();
	const [call] = await proxy.calls(1);
	t.like(call, {
		mcp_server_id: proxy.server.id,
		method: 'tools/call',
		tool_name: 'get_item',
		request_body: body,
		response_body: answer,
		status: 'success',
		status_code: 200,
		error_message: '',
		source_ip: '127.0.0.1',
		approval_id: null,
		duration_ms: 0,
		created_at: proxy.clock.now(),
	});
});

test('[MCP-037 MCP-039 MCP-040] other methods have no tool, and their results are successes', async (t) => {
	const proxy = await open(t, answerJson({tools: []}));
	await post(proxy.address, rpc('tools/list', {name: 'not_a_tool'}));
	const [call] = await proxy.calls(1);
	t.like(call, {
		method: 'tools/list',
		tool_name: '',
		status: 'success',
		error_message: '',
		response_body: result(1, {tools: []}),
	});
});

test('[MCP-041 MCP-042 MCP-044] JSON-RPC errors and HTTP errors are errors, with their message and status', async (t) => {
	const proxy = await open(t, ({body}, response) => {
		const {status, text} = JSON.parse(body).params;
		response.writeHead(status, {'content-type': 'application/json'}).end(text);
	});
	const answers = [
		[200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}', 'Unknown tool'],
		[404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}', 'Session not found'],
		[500, 'oops', 'HTTP 500'],
		[503, result(1), 'HTTP 503'],
		[200, 'oops', 'The upstream sent no response to this request.'],
		[200, result(2), 'The upstream sent no response to this request.'],
		[200, '', 'The upstream sent no response to this request.'],
	] as const;
	for (const [status, text] of answers) await post(proxy.address, rpc('ping', {status, text}));
	const calls = await proxy.calls(answers.length);
	for (const [index, [status_code, text, error_message]] of answers.entries())
		t.like(calls[index], {status: 'error', status_code, response_body: text, error_message});
});

test('[PRX-105] a tool that reports an error is an error, with its text', async (t) => {
	const content = [
		{type: 'text', text: 'no such'},
		{type: 'image', data: ''},
		{type: 'text', text: 'ticket'},
	];
	const proxy = await open(t, answerJson({content, isError: true}));
	await post(proxy.address, callOf('get_item'));
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 200, error_message: 'no such\nticket'});
});

test('[PRX-104] of a streamed answer the final response is logged, however its bytes are cut', async (t) => {
	const progress = JSON.stringify({jsonrpc: '2.0', method: 'notifications/progress', params: {progress: 1}});
	const theirs = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {}});
	const final = result(1, {text: 'é"result"'});
	const text = `: c\n\n${event(progress)}id: 1\r\ndata: ${theirs}\r\n\r\n${event(final)}${event(progress)}`;
	for (let cut = 1; cut < text.length; cut += 23) {
		const proxy = await open(t, sendEvents(text.slice(0, cut), text.slice(cut)));
		t.is(await (await post(proxy.address, callOf('get_item'))).text(), text);
		t.like((await proxy.calls(1))[0], {status: 'success', response_body: final});
	}
});

test('a response whose keys are written with escapes is a response', async (t) => {
	const data = result(1, {content: []}).replace('result', '\\u0072esult');
	const proxy = await open(t, sendEvents(event(data)));
	await (await post(proxy.address, callOf('get_item'))).text();
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'success', response_body: data});
});

test('a stream that ends without a response to the call is an error', async (t) => {
	const proxy = await open(t, sendEvents(event(result(2))));
	await (await post(proxy.address, rpc('ping'))).text();
	t.like((await proxy.calls(1))[0], {status: 'error', error_message: 'The upstream sent no response to this request.'});
});

test('[PRX-054 PRX-103] each request of a batch is a call of its own; notifications and answers are none', async (t) => {
	const batch = [
		rpc('ping', undefined, 'a'),
		{jsonrpc: '2.0', method: 'notifications/progress'},
		rpc('tools/list', {}, 7),
	];
	const error = {jsonrpc: '2.0', id: 7, error: {code: -1, message: 'no'}};
	for (const script of [
		sendEvents(event(JSON.stringify(error)), event(result('a'))),
		((_request, response) => {
			response.writeHead(200, {'content-type': 'application/json'}).end(`[${JSON.stringify(error)}, ${result('a')}]`);
		}) satisfies Script,
	]) {
		const proxy = await open(t, script);
		await (await post(proxy.address, batch)).text();
		await post(proxy.address, {jsonrpc: '2.0', id: 1, result: {}});
		const calls = [...(await proxy.calls(2))].sort((a, b) => a.method.localeCompare(b.method));
		t.is(calls.length, 2);
		t.like(calls[0], {
			method: 'ping',
			status: 'success',
			response_body: result('a'),
			request_body: '{"jsonrpc":"2.0","id":"a","method":"ping"}',
		});
		t.like(calls[1], {
			method: 'tools/list',
			status: 'error',
			error_message: 'no',
			response_body: JSON.stringify(error),
		});
	}
});

test('[MCP-047 MCP-048 MCP-050] the headers that the client sent are logged, credentials masked', async (t) => {
	const proxy = await open(t);
	const {key} = await proxy.addMember(['proxy']);
	const secrets = {
		authorization: 'Bearer hush-1',
		cookie: 'hush-2',
		'x-api-key': key,
		'proxy-authorization': 'hush-3',
		'mcp-session-id': 'hush-4',
		'x-my-token': 'hush-5',
	};
	await post(proxy.address, rpc('ping'), {headers: {...secrets, 'x-plain': 'seen'}});
	const [call] = await proxy.calls(1);
	t.is(call?.headers['x-plain'], 'seen');
	t.is(call?.headers['content-type'], 'application/json');
	for (const name of Object.keys(secrets)) t.truthy(call?.headers[name], name);
	t.false(/hush|sbx_/.test(JSON.stringify(call?.headers)));
});

test('[MCP-049 MCP-051] cookie and proxy-* are masked in logged headers', async (t) => {
	const proxy = await open(t);
	await post(proxy.address, rpc('ping'), {headers: {cookie: 'hush', 'proxy-connection': 'hush'}});
	const {headers} = (await proxy.calls(1))[0] ?? {};
	t.not(headers?.cookie, undefined);
	t.not(headers?.cookie, 'hush');
	t.not(headers?.['proxy-connection'], undefined);
	t.not(headers?.['proxy-connection'], 'hush');
});

test('[MCP-052] bodies are logged whole up to the limit', async (t) => {
	const proxy = await open(t, answerJson('y'.repeat(900_000)), {settings: {max_body_bytes: 1_000_000}});
	const body = JSON.stringify(rpc('ping', {filler: 'x'.repeat(900_000)}));
	const answer = await (await post(proxy.address, body)).text();
	const [call] = await proxy.calls(1);
	t.is(call?.request_body, body);
	t.is(call?.response_body, answer);
});

test('an event larger than the limit still passes; the log says that the call was answered without its body', async (t) => {
	const large = event(result(1, 'z'.repeat(500_000)));
	const proxy = await open(t, sendEvents(large), {settings: {max_body_bytes: 1_000}});
	t.is(await (await post(proxy.address, rpc('ping'))).text(), large);
	t.like((await proxy.calls(1))[0], {status: 'success', response_body: ''});
});

test('[MCP-091] log_bodies none keeps no bodies, redacted keeps no secrets, and neither does the error message', async (t) => {
	const content = [{type: 'text', text: 'hush-hush'}];
	for (const log_bodies of [
		{mode: 'none', paths: []},
		{mode: 'redacted', paths: ['$.params.arguments.card', '$.result.content']},
	]) {
		const proxy = await open(t, answerJson({content, isError: true}), {server: {log_bodies}});
		await post(proxy.address, callOf('get_item', {card: 'hush-1', password: 'hush-2', plain: 'seen'}));
		const [call] = await proxy.calls(1);
		t.is(call?.status, 'error');
		t.false(JSON.stringify(call).includes('hush'));
		t.is(call?.request_body.includes('seen'), log_bodies.mode === 'redacted');
	}
});

test('[MCP-091] headers that repeat the body are masked unless log_bodies is full', async (t) => {
	const uri = 'file:///hush-3';
	const headers = {'Mcp-Param-Card': 'hush-1', 'Mcp-Param-Plain': 'hush-2'};
	for (const mode of ['full', 'redacted', 'none']) {
		const proxy = await open(t, answerJson({}), {server: {log_bodies: {mode, paths: ['$.params']}}});
		const call = callOf('get_item', {card: 'hush-1', plain: 'hush-2'});
		await post(proxy.address, call, {headers: {...headers, 'Mcp-Name': 'get_item'}});
		await post(proxy.address, rpc('resources/read', {uri}), {headers: {'Mcp-Name': uri}});
		const [called, read] = await proxy.calls(2);
		t.is(called?.headers['mcp-name'], 'get_item');
		t.true('mcp-param-card' in (called?.headers ?? {}));
		t.is(/hush-1.*hush-2/.test(JSON.stringify(called?.headers)), mode === 'full', mode);
		t.is(JSON.stringify([called, read]).includes('hush'), mode === 'full', mode);
		t.is(read?.headers['mcp-name'] === uri, mode === 'full', mode);
	}
});

test('[MCP-045] duration_ms is the whole time from request to answer, by the clock', async (t) => {
	const gate = Promise.withResolvers<void>();
	const proxy = await open(t, async (request, response) => {
		await gate.promise;
		answerJson()(request, response);
	});
	const answering = post(proxy.address, rpc('ping'));
	await until(() => proxy.upstream.received.length === 1);
	await proxy.clock.advance(1_234);
	gate.resolve();
	await (await answering).text();
	t.is((await proxy.calls(1))[0]?.duration_ms, 1_234);
});

test('[MCP-046] source_ip is the address of the client, as the server was told to find it', async (t) => {
	const proxy = await open(t, undefined, {settings: {client_address: createClientAddress(['127.0.0.1'])}});
	await post(proxy.address, rpc('ping'), {headers: {'x-forwarded-for': '198.51.100.7'}});
	const direct = await open(t);
	await post(direct.address, rpc('ping'), {headers: {'x-forwarded-for': '198.51.100.7'}});
	t.is((await proxy.calls(1))[0]?.source_ip, '198.51.100.7');
	t.is((await direct.calls(1))[0]?.source_ip, '127.0.0.1');
});

test('a call that ran and cannot be logged is not to be sent again, and none is sent on until the log works', async (t) => {
	let away = false;
	const append: CallLog['append'] = async () => {
		if (away) throw new DomainError('service_unavailable');
	};
	const proxy = await open(t, answerJson({paid: true}), {core: {ports: {callLog: {append}}}});
	const call = async () => {
		const answer = await post(proxy.address, callOf('get_item'));
		return [answer.status, (await answer.json()).error?.message ?? 'ran', answer.headers.get('retry-after')];
	};
	away = true;
	const [status, message, retryAfter] = await call();
	t.is(status, 503);
	t.regex(String(message), /was sent, and its answer could not be logged/);
	t.is(retryAfter, null);
	t.is((await call())[0], 503);
	t.is(proxy.upstream.received.length, 1);
	away = false;
	t.like(await call(), [503, 'Calls cannot be logged now, and none is sent on: try again soon.', '1']);
	t.deepEqual(await call(), [200, 'ran', null]);
	t.is(proxy.upstream.received.length, 2);
});

/** A log that is not durable before it is told so. */
const slowLog = () => {
	const durable = Promise.withResolvers<void>();
	let asked = 0;
	return {
		durable,
		asked: () => asked,
		ports: {
			callLog: {
				append: async () => {
					asked += 1;
					await durable.promise;
				},
			},
		},
	};
};

for (const [kind, script] of [
	['JSON', answerJson({n: 1})],
	['events', sendEvents(': first\n\n', event(result(1)))],
] as const) {
	test(`[PRX-107] ${kind}: the last byte leaves only after the row is durable`, async (t) => {
		const log = slowLog();
		const proxy = await open(t, script, {core: {ports: log.ports}});
		let answered = false;
		const answering = post(proxy.address, rpc('ping')).then(async (answer) => {
			const text = await answer.text();
			answered = true;
			return text;
		});
		await until(() => log.asked() === 1);
		await new Promise((resolve) => setTimeout(resolve, 50));
		t.false(answered);
		log.durable.resolve();
		t.regex(await answering, /"result"/);
	});

	test(`${kind}: an answer that could not be logged is not given`, async (t) => {
		const log = slowLog();
		log.durable.promise.catch(() => {});
		log.durable.reject(new Error('disk full'));
		const proxy = await open(t, script, {core: {ports: log.ports}});
		const answering = post(proxy.address, rpc('ping')).then(
			async (answer) => `${answer.status} ${await answer.text()}`,
		);
		const told = await answering.catch(() => 'cut');
		t.true(told === 'cut' || told.startsWith('500 '), told);
		t.false(told.includes('"result"'));
		t.false(told.includes('disk full'));
		t.true(proxy.lines.length > 0);
	});
}

test('a compressed answer, which nobody asked for, is a bad gateway', async (t) => {
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'}).end(gzipSync(result(1)));
	});
	const answer = await post(proxy.address, rpc('ping'));
	t.is(answer.status, 502);
	t.like(await answer.json(), {id: 1, error: {code: 502}});
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 502});
});
