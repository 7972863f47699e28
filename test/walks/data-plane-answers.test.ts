import {type IncomingMessage, request} from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {listen} from '../support/mcp/listen.ts';
import {startTestServer} from '../support/server.ts';

const hostile = {
	'set-cookie': 'session=stolen',
	'clear-site-data': '"cookies"',
	'service-worker-allowed': '/',
	'content-security-policy': "default-src 'self'",
	'strict-transport-security': 'max-age=1',
	'content-type': 'text/html',
};

const open = async (t: ExecutionContext) => {
	const server = await startTestServer({env: {SIGNALBOX_MAX_WEBHOOK_BODY: '1 KiB'}});
	t.teardown(server.close);
	const upstream = await listen((_, response) => response.writeHead(200, hostile).end('<script>alert(1)</script>'));
	t.teardown(upstream.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const mcp = (await api.post('/v1/mcp/servers', {name: 'Upstream', target_url: upstream.origin})).body;
	const fields = {name: 'Orders', destination_url: upstream.origin};
	const endpoint = (await api.post('/v1/webhook/endpoints', fields)).body;
	const answering = {...fields, response: {status: 200, body: '<script>alert(1)</script>'}};
	const custom = (await api.post('/v1/webhook/endpoints', answering)).body;
	const verification = {type: 'github', secret: 's3cret'};
	const verified = (await api.post('/v1/webhook/endpoints', {...fields, verification})).body;
	const slugs = {mcp: mcp.slug, endpoint: endpoint.slug, custom: custom.slug, verified: verified.slug};
	return {server, api, slugs};
};

type Asked = Readonly<{method?: string; headers?: Record<string, string>; body?: string}>;

/** The form of proxies, which a server must accept from anyone (RFC 9112, 3.2.2). */
const absolute = (path: string, authority = 'hooks.example') => `http://${authority}${path}`;

const ask = (port: number, path: string, {method = 'POST', headers = {}, body = ''}: Asked) =>
	new Promise<IncomingMessage>((resolve, reject) => {
		const asked = request({port, host: '127.0.0.1', path, method, headers}, (answer) => resolve(answer.resume()));
		asked.on('error', reject).end(body);
	});

test('[HTTP-091] every answer under /p and /wh carries the sandbox CSP and nosniff, and no set-cookie', async (t) => {
	const {server, slugs} = await open(t);
	const call = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});
	const json = {'content-type': 'application/json'};
	const asked: readonly (readonly [status: number, path: string, asked: Asked])[] = [
		[200, `/p/${slugs.mcp}`, {headers: json, body: call}],
		[400, `/p/${slugs.mcp}`, {headers: json, body: '{'}],
		[415, `/p/${slugs.mcp}`, {body: call}],
		[403, `/p/${slugs.mcp}`, {headers: {...json, origin: 'https://evil.example'}, body: call}],
		[200, `/p/${slugs.mcp}`, {method: 'GET'}],
		[404, '/p/nobody', {headers: json, body: call}],
		[404, '/p/', {method: 'GET'}],
		[202, `/wh/${slugs.endpoint}`, {body: '{}'}],
		[202, `/wh/${slugs.endpoint}/deeper?a=1`, {method: 'GET'}],
		[200, `/wh/${slugs.custom}`, {body: '{}'}],
		[401, `/wh/${slugs.verified}`, {body: '{}'}],
		[413, `/wh/${slugs.endpoint}`, {body: 'x'.repeat(2000)}],
		[404, '/wh/nobody', {body: '{}'}],
		[404, '/wh/', {method: 'GET'}],
	];
	for (const [status, path, sent] of asked) {
		const {statusCode, headers} = await ask(server.port, path, sent);
		const about = `${sent.method ?? 'POST'} ${path}`;
		t.is(statusCode, status, about);
		t.is(headers['content-security-policy'], "sandbox; default-src 'none'", about);
		t.is(headers['x-content-type-options'], 'nosniff', about);
		for (const name of ['set-cookie', 'clear-site-data', 'service-worker-allowed', 'strict-transport-security'])
			t.is(headers[name], undefined, `${about}: ${name}`);
		t.notRegex(headers['content-type'] ?? '', /html/, about);
	}
});

test('a webhook whose target is an absolute URL is accepted as by its path, whatever host it names', async (t) => {
	const {server, api, slugs} = await open(t);
	for (const [status, target] of [
		[202, absolute(`/wh/${slugs.endpoint}/deeper?a=http://b/wh/`)],
		[202, absolute(`/wh/${slugs.endpoint}`, '[::1]:8443').replace('http', 'HTTPS')],
		[404, absolute('/wh/nobody')],
		[404, absolute(`/elsewhere/wh/${slugs.endpoint}`)],
		[404, absolute(`/wh/${slugs.endpoint}`, '')],
		[404, absolute(`/wh/${slugs.endpoint}`, 'user:password@hooks.example')],
		[404, absolute(`?/wh/${slugs.endpoint}`)],
		[404, `ftp://hooks.example/wh/${slugs.endpoint}`],
	] as const)
		t.is((await ask(server.port, target, {body: '{}'})).statusCode, status, target);
	const {data} = (await api.get('/v1/webhook/events')).body;
	t.deepEqual(
		data.map(({path, query}: Body) => [path, query]),
		[
			['', ''],
			['/deeper', 'a=http://b/wh/'],
		],
	);
});
