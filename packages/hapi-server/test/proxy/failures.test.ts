import {connect, createServer} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {answerJson, type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {sendRaw} from '../support/raw-http.ts';
import {callOf, openProxy, type ProxyOptions, post, requireAll, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, script?: Script, options: ProxyOptions & {server?: object} = {}) => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, options);
	const server = await proxy.addServer({target_url: upstream.url, ...options.server});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

const event = (message: unknown) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

test('[PRX-060] an upstream that cannot be reached is 502 under the id of the request', async (t) => {
	const proxy = await open(t, undefined, {server: {target_url: 'http://127.0.0.1:1/mcp'}});
	const answer = await post(proxy.address, rpc('ping', undefined, 'x'));
	t.is(answer.status, 502);
	t.like(await answer.json(), {jsonrpc: '2.0', id: 'x', error: {code: 502}});
	t.like((await proxy.calls(1))[0], {
		status: 'error',
		status_code: 502,
		error_message: 'The upstream could not be reached.',
	});
	t.is((await fetch(proxy.address)).status, 502);
});

test('an upstream that hangs up before its headers is 502', async (t) => {
	const proxy = await open(t, (_request, response) => response.destroy());
	const answer = await post(proxy.address, rpc('ping'));
	t.is(answer.status, 502);
	t.like((await proxy.calls(1))[0], {status: 'error', error_message: 'The upstream broke off its answer.'});
});

test('[MCP-043 PRX-061] an upstream that does not answer in time is 504, logged as timeout', async (t) => {
	const proxy = await open(t, () => {}, {settings: {upstream_timeout_ms: 50}});
	const answer = await post(proxy.address, rpc('ping', undefined, 7));
	t.is(answer.status, 504);
	t.like(await answer.json(), {id: 7, error: {code: 504}});
	t.like((await proxy.calls(1))[0], {status: 'timeout', status_code: 504});
	await until(() => proxy.upstream.aborted() === 1);
});

test('a GET stream may be silent for longer than the timeout', async (t) => {
	const gate = Promise.withResolvers<void>();
	const script: Script = async (_request, response) => {
		await gate.promise;
		response.writeHead(200, {'content-type': 'text/event-stream'}).end(': late\n\n');
	};
	const proxy = await open(t, script, {settings: {upstream_timeout_ms: 50}});
	const answering = fetch(proxy.address);
	await until(() => proxy.upstream.received.length === 1);
	await pause(200);
	gate.resolve();
	t.is(await (await answering).text(), ': late\n\n');
});

test('[PRX-062] an upstream that dies within its events leaves an error event under the id of the call', async (t) => {
	const deaths: [Script, number, string][] = [
		[(_request, response) => response.socket?.resetAndDestroy(), 502, 'error'],
		[() => {}, 504, 'timeout'],
	];
	for (const [die, code, status] of deaths) {
		const script: Script = (request, response) => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write(': alive\n\ndata: {"half', () => setTimeout(() => die(request, response), 20));
		};
		const proxy = await open(t, script, {settings: {upstream_timeout_ms: 100}});
		const text = await (await post(proxy.address, rpc('ping', undefined, 'x'))).text();
		t.true(text.startsWith(': alive\n\n'));
		const last = text.trimEnd().split('\n').at(-1)?.slice('data: '.length) ?? '';
		t.like(JSON.parse(last), {id: 'x', error: {code}});
		t.like((await proxy.calls(1))[0], {status, status_code: 200});
	}
});

test('[PRX-063] after an event with an id a stream just ends, so that the client resumes', async (t) => {
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write('id: 1\ndata:\n\n', () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
	});
	t.is(await (await post(proxy.address, rpc('ping'))).text(), 'id: 1\ndata:\n\n');
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 200});
});

test('a stream whose length was announced and that breaks off leaves its connection fit for the next answer', async (t) => {
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream', 'content-length': 600});
		response.write(': alive\n\n', () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
	});
	const body = JSON.stringify(rpc('ping'));
	const head = `POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
	const next = 'GET /p/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
	const {text} = await sendRaw(proxy.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}${next}`);
	const [first = ''] = text.split('\r\n\r\n');
	t.notRegex(first, /content-length/i);
	t.regex(first, /transfer-encoding: chunked/i);
	t.regex(text, /\r\n0\r\n\r\nHTTP\/1\.1 404/);
});

test('an answer that is nested too deeply to be written again passes, and is logged', async (t) => {
	const depth = 50_000;
	const list = `[{"jsonrpc":"2.0","id":1,"result":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
	for (const [type, text] of [
		['application/json', list],
		['text/event-stream', `data: ${list}\n\n`],
	] as const) {
		const proxy = await open(t, (_request, response) => void response.writeHead(200, {'content-type': type}).end(text));
		t.is(await (await post(proxy.address, rpc('ping'))).text(), text);
		t.like((await proxy.calls(1))[0], {status: 'success', response_body: list});
	}
});

test('a document that breaks off is cut for the client too, and logged as far as it came', async (t) => {
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'application/json', 'content-length': 200_000});
		response.write('x'.repeat(70_000));
		setTimeout(() => response.write('y'.repeat(70_000)), 20);
		setTimeout(() => response.socket?.resetAndDestroy(), 60);
	});
	const answer = await post(proxy.address, rpc('ping'));
	await t.throwsAsync(answer.text());
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'error', status_code: 200, error_message: 'The upstream broke off its answer.'});
	t.true((call?.response_body.length ?? 0) > 0);
});

test('headers without end and a protocol nobody speaks are a bad gateway', async (t) => {
	for (const bytes of [
		`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
		'SSH-2.0-OpenSSH_9.2\r\n',
		'HTTP/1.1 101 Hi\r\n\r\n',
	]) {
		const upstream = createServer((socket) => {
			socket.on('error', () => {});
			socket.once('data', () => socket.end(bytes));
		});
		await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
		const {port} = upstream.address() as {port: number};
		const proxy = await openProxy(t);
		const address = proxy.url(await proxy.addServer({target_url: `http://127.0.0.1:${port}/`}));
		t.is((await post(address, rpc('ping'))).status, 502);
		upstream.close();
	}
});

test('a target that does not resolve is 502 with the name of the variable, and costs nothing', async (t) => {
	const proxy = await open(t, undefined, {server: {target_url: '{{env.TARGET}}', default_cost_cents: 5}});
	const answer = await post(proxy.address, callOf('get_item'));
	t.is(answer.status, 502);
	t.regex(await answer.text(), /TARGET/);
	t.is((await proxy.core.mcp.servers.costs(proxy.owner, proxy.server.id, {})).total_cents, 0);
});

test('why an upstream is not reached is logged, but no address that a variable holds', async (t) => {
	const host = 's3cr3t-host.invalid';
	const proxy = await open(t, undefined, {server: {target_url: '{{env.TARGET}}'}});
	await proxy.core.environment.variables.create(proxy.owner, {key: 'TARGET', value: `http://${host}/mcp`});
	t.is((await post(proxy.address, rpc('ping'))).status, 502);
	const metadata = `${proxy.origin}/.well-known/oauth-protected-resource/p/${proxy.server.slug}`;
	t.is((await fetch(metadata)).status, 502);
	t.is(proxy.lines.length, 2);
	for (const line of proxy.lines) {
		t.regex(line, /"code":"E[A-Z_]+"/);
		t.notRegex(line, /s3cr3t/);
	}
	const plain = await proxy.addServer({target_url: `http://${host}/mcp`});
	t.is((await post(proxy.url(plain), rpc('ping'))).status, 502);
	t.regex(proxy.lines.at(-1) ?? '', /s3cr3t-host/);
});

test('a client that leaves aborts its call at the upstream, and the call is logged', async (t) => {
	const silent: Script = () => {};
	const events: Script = (_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'}).write(': on my way\n\n');
	};
	for (const script of [silent, events]) {
		const proxy = await open(t, script);
		const leaving = new AbortController();
		const answering = post(proxy.address, callOf('get_item'), {signal: leaving.signal}).catch(() => undefined);
		await until(() => proxy.upstream.received.length === 1);
		if (script === events) await answering;
		leaving.abort();
		await until(() => proxy.upstream.aborted() === 1, 'the abort at the upstream');
		t.like((await proxy.calls(1))[0], {status: 'error'});
	}
});

test('a client that reads slowly slows the upstream down instead of filling memory', async (t) => {
	let sent = 0;
	const chunk = Buffer.alloc(64 * 1024, 'x');
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		const more = () => {
			while (!response.destroyed && sent < 400 * chunk.length) {
				sent += chunk.length;
				if (!response.write(chunk)) return void response.once('drain', more);
			}
		};
		more();
	});
	const socket = connect(proxy.port, '127.0.0.1');
	socket.pause();
	socket.write(`GET /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
	await until(() => sent > 0);
	let before = -1;
	await until(async () => {
		const still = before === sent;
		before = sent;
		await pause(100);
		return still;
	}, 'the standstill');
	t.true(sent < 200 * chunk.length, `${sent} bytes were taken from the upstream`);
	socket.destroy();
	await until(() => proxy.upstream.aborted() === 1);
});

const storm: [string, Script, object][] = [
	['a fast JSON upstream', answerJson(), {}],
	[
		'a stream of events',
		(_request, response) => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write(event({jsonrpc: '2.0', method: 'notifications/progress'}));
			setTimeout(() => response.end(event({jsonrpc: '2.0', id: 1, result: {}})), 5);
		},
		{},
	],
	['an upstream that says nothing', () => {}, {}],
	['an upstream that hangs up', (_request, response) => response.destroy(), {}],
	['a gate that holds every call', answerJson(), {approval_config: {...requireAll, ttl_seconds: 60}}],
];

for (const [title, script, server] of storm) {
	test(`clients that disconnect at every point leave nothing behind, before ${title}`, async (t) => {
		const proxy = await open(t, script, {server, core: {settings: {max_pending_approvals: 1_000}}});
		const body = JSON.stringify(callOf('delete_item', {id: '7'}));
		const head = `POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n`;
		const whole = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
		const leave = async (bytes: number, delay: number) => {
			const socket = connect(proxy.port, '127.0.0.1');
			socket.on('error', () => {});
			socket.write(whole.slice(0, bytes));
			await pause(delay);
			if (delay % 2 === 0) socket.destroy();
			else socket.resetAndDestroy();
		};
		const leaving = [];
		for (let at = 0; at < 120; at += 1) leaving.push(leave(at % 3 === 0 ? at * 2 : whole.length, at % 20));
		await Promise.all(leaving);
		await proxy.clock.advance(2_500);
		await until(() => proxy.held() === 0, 'the end of every hold');
		await proxy.clock.advance(61_000);
		t.is((await post(proxy.address, '{')).status, 400);
		t.is(proxy.lines.filter((line) => line.startsWith('a request to the proxy failed')).length, 0);
		const stopping = proxy.closeProxy().then(() => 'stopped');
		t.is(await Promise.race([stopping, pause(4_000, 'still running', {ref: false})]), 'stopped');
	});
}

test('a client whose call was sent is not told to try again when the server stops', async (t) => {
	const proxy = await open(t, () => {}, {settings: {close_grace_ms: 50}});
	const answering = post(proxy.address, callOf('create_payment'));
	await until(() => proxy.upstream.received.length === 1);
	await proxy.closeProxy();
	const answer = await answering;
	t.is(answer.status, 503);
	t.is(answer.headers.get('retry-after'), null);
	t.regex((await answer.json()).error.message, /The call was sent: see what it did before it is sent again/);
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 503, tool_name: 'create_payment'});
});

test('100 calls that wait at once and are approved at once run once each', async (t) => {
	const proxy = await open(t, undefined, {server: {approval_config: requireAll}});
	const calling = Array.from({length: 100}, (_, id) => post(proxy.address, callOf('delete_item', {id}, id)));
	await until(() => proxy.held() === 100);
	const pending = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
	const decide = ({id}: {id: string}) =>
		Promise.allSettled([1, 2, 3].map(() => proxy.core.mcp.approvals.approve(proxy.owner, id)));
	await Promise.all(pending.map(decide));
	const answers = await Promise.all(calling);
	t.true(answers.every(({status}) => status === 200));
	const ran = proxy.upstream.received.map(({body}) => JSON.parse(body).id).sort((a, b) => a - b);
	t.deepEqual(
		ran,
		Array.from({length: 100}, (_, id) => id),
	);
});
