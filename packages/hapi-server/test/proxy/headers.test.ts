import test, {type ExecutionContext} from 'ava';
import {type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {sendRaw} from '../support/raw-http.ts';
import {openProxy, post, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, script?: Script) => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	return {...(await openProxy(t)), upstream};
};

test('[PRX-031 PRX-032] headers that Connection names stop here, whatever they are', async (t) => {
	const proxy = await open(t);
	const {slug} = await proxy.addServer({
		target_url: proxy.upstream.url,
		forward_headers: ['te', 'x-hop', 'x-api-key', 'cookie'],
	});
	const lines = [
		'Connection: close, X-Hop, MCP-Session-Id',
		'X-Hop: 1',
		'MCP-Session-Id: s',
		'TE: trailers',
		'Cookie: a=b',
	];
	const body = JSON.stringify(rpc('ping'));
	const head = [`POST /p/${slug} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines];
	await sendRaw(proxy.port, `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
	const {headers} = proxy.upstream.received[0] ?? {};
	for (const name of ['x-hop', 'mcp-session-id', 'te', 'cookie']) t.is(headers?.[name], undefined);
});

test('[PRX-034] upstream_headers come last and win; framing is not theirs to set', async (t) => {
	const proxy = await open(t);
	const upstream_headers = {
		Authorization: 'Bearer of-the-team',
		'X-Tenant': 'ours',
		'User-Agent': 'signalbox',
		'X-API-Key': 'key-of-the-team',
		Cookie: 'session=of-the-team',
	};
	const {id} = await proxy.core.mcp.servers.create(proxy.owner, {
		name: 'tickets',
		target_url: proxy.upstream.url,
		upstream_headers,
		forward_headers: ['x-tenant'],
	});
	const {slug} = await proxy.core.mcp.servers.get(proxy.owner, id);
	const headers = {authorization: 'Bearer of-the-client', 'x-tenant': 'theirs', cookie: 'session=of-the-client'};
	await post(`${proxy.origin}/p/${slug}`, rpc('ping'), {headers});
	const received = proxy.upstream.received[0]?.headers;
	t.is(received?.authorization, 'Bearer of-the-team');
	t.is(received?.['x-tenant'], 'ours');
	t.is(received?.['user-agent'], 'signalbox');
	t.is(received?.['x-api-key'], 'key-of-the-team');
	t.is(received?.cookie, 'session=of-the-team');
});

test('what an upstream could use against our origin is dropped from its answers', async (t) => {
	const hostile = {
		'set-cookie': 'session=stolen',
		'clear-site-data': '"*"',
		'service-worker-allowed': '/',
		'content-security-policy': 'default-src *',
		'content-security-policy-report-only': 'default-src *',
		'strict-transport-security': 'max-age=1',
		'access-control-allow-origin': 'https://evil.example',
		'alt-svc': 'h3=":443"',
		location: 'https://evil.example',
		refresh: '0; https://evil.example',
		link: '<https://evil.example>; rel=preload',
		'x-content-type-options': 'sniff',
	};
	const proxy = await open(t, (_request, response) => {
		response.writeHead(200, {
			...hostile,
			'content-type': 'application/json',
			'mcp-session-id': 's-1',
			'cache-control': 'no-store',
		});
		response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
	});
	const answer = await post(proxy.url(await proxy.addServer({target_url: proxy.upstream.url})), rpc('ping'));
	for (const name of Object.keys(hostile).filter(
		(name) => !['content-security-policy', 'x-content-type-options'].includes(name),
	))
		t.is(answer.headers.get(name), null, name);
	t.is(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'");
	t.is(answer.headers.get('x-content-type-options'), 'nosniff');
	t.is(answer.headers.get('mcp-session-id'), 's-1');
	t.is(answer.headers.get('cache-control'), 'no-store');
});

test('headers that an upstream repeats are read as one', async (t) => {
	const repeated: [Record<string, string[]>, number, string | null][] = [
		[{connection: ['x-hop', 'close'], 'x-hop': ['1', '2']}, 200, 'application/json'],
		[{'content-type': ['application/json', 'text/html']}, 200, 'text/plain; charset=utf-8'],
		[{'content-encoding': ['identity', 'br']}, 502, 'application/json'],
		[{'www-authenticate': ['Basic', 'Bearer']}, 200, 'application/json'],
	];
	for (const [headers, status, type] of repeated) {
		const proxy = await open(t, (_request, response) => {
			response.writeHead(200, {'content-type': 'application/json', ...headers});
			response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
		});
		const answer = await post(proxy.url(await proxy.addServer({target_url: proxy.upstream.url})), rpc('ping'));
		t.is(answer.status, status);
		t.is(answer.headers.get('content-type'), type);
		t.is(answer.headers.get('x-hop'), null);
	}
});

test('an answer without a body announces none', async (t) => {
	const proxy = await open(t, (_request, response) => {
		response.writeHead(204, {'content-length': 5}).end();
	});
	const answer = await post(proxy.url(await proxy.addServer({target_url: proxy.upstream.url})), rpc('ping'));
	t.is(answer.status, 204);
	t.is(answer.headers.get('content-length'), null);
});

test('only JSON and events keep their content type', async (t) => {
	const proxy = await open(t, ({headers}, response) => {
		response.writeHead(200, {'content-type': String(headers['mcp-type'])}).end('<script>alert(1)</script>');
	});
	const url = proxy.url(await proxy.addServer({target_url: proxy.upstream.url}));
	for (const [sent, got] of [
		['text/html', 'text/plain; charset=utf-8'],
		['image/svg+xml', 'text/plain; charset=utf-8'],
		['application/json-patch+json', 'text/plain; charset=utf-8'],
		['Application/JSON; charset=utf-8', 'Application/JSON; charset=utf-8'],
		['text/event-stream;charset=utf-8', 'text/event-stream;charset=utf-8'],
	] as const) {
		const answer = await post(url, rpc('ping'), {headers: {'mcp-type': sent}});
		t.is(answer.headers.get('content-type'), got);
		await answer.text();
	}
});
