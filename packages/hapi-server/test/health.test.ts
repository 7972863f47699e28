import {request} from 'node:http';
import {
	compose,
	createLogger,
	createServer,
	defaultEdgeLimits,
	defaultEdgeTimeouts,
	readConfig,
} from '@signalbox/hapi-server';
import test from 'ava';
import {createApi} from '../../../test/support/api.ts';
import {startTestServer, type TestServerOptions} from '../../../test/support/server.ts';
import {createMetrics} from '../src/metrics.ts';
import {sendRaw} from './support/raw-http.ts';

type Context = {teardown(end: () => Promise<void>): void};

const start = async (t: Context, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	return {server, api: createApi(server.baseUrl)};
};

test('[HTTP-052 HTTP-053 HTTP-054] ready while the store answers; up, but not ready, once it does not', async (t) => {
	const {server, api} = await start(t);
	t.is((await api.get('/readyz')).status, 200);
	await server.composition.database.close();
	t.is((await api.get('/healthz')).status, 200);
	const {status, headers, body} = await api.get('/readyz');
	t.is(status, 503);
	t.is(body.error.code, 'service_unavailable');
	t.true(Number(headers.get('retry-after')) >= 1);
});

test('[HTTP-055 HTTP-056] not ready while a migration is missing, ready once it is applied, not ready without the store', async (t) => {
	const config = readConfig({PORT: '0', GRPC_PORT: '0', DATABASE_URL: 'sqlite::memory:'});
	const log = createLogger('silent', {write: () => {}});
	const {core, ports, database, stop} = await compose(config, {log});
	t.teardown(stop);
	const settings = {...config, limits: defaultEdgeLimits, timeouts: defaultEdgeTimeouts};
	const server = await createServer({core, ports, settings, health: database, log, metrics: createMetrics()});
	t.teardown(server.stop);
	const api = createApi(server.addresses.base_url);
	const missing = await api.get('/readyz');
	t.is(missing.status, 503);
	t.regex(missing.body.error.message, /migration/);
	await database.migrate();
	t.is((await api.get('/readyz')).status, 200);
	await database.close();
	t.is((await api.get('/readyz')).status, 503);
});

test('[HTTP-057] /metrics is Prometheus text, by route template and never by path', async (t) => {
	const {api} = await start(t);
	await api.get('/v1/environment/01990000-0000-7000-8000-000000000000');
	const {status, headers, text} = await api.get('/metrics');
	t.is(status, 200);
	t.true(headers.get('content-type')?.startsWith('text/plain'));
	t.regex(text, /^# TYPE signalbox_http_request_duration_seconds histogram$/m);
	t.regex(text, /route="\/v1\/environment\/\{id\}",status="401"/);
	t.false(text.includes('01990000'));
});

test('/metrics is for loopback, not for whoever a proxy on loopback speaks for, or for the token', async (t) => {
	const token = 'a-long-metrics-token';
	const {api} = await start(t, {env: {SIGNALBOX_METRICS_TOKEN: token}});
	const forwarded = {'x-forwarded-for': '198.51.100.1'};
	const refused = await api.get('/metrics', forwarded);
	t.is(refused.status, 403);
	t.regex(refused.body.error.message, /SIGNALBOX_METRICS_TOKEN/);
	t.is((await api.get('/metrics', {...forwarded, authorization: 'Bearer wrong'})).status, 403);
	t.is((await api.get('/metrics', {...forwarded, authorization: `Bearer ${token}`})).status, 200);
});

test('a connection is kept for longer than the 60 s for which proxies in front of it keep theirs', async (t) => {
	const {api} = await start(t);
	for (const path of ['/healthz', '/p/unknown']) {
		const kept = /^timeout=(\d+)$/.exec((await api.get(path)).headers.get('keep-alive') ?? '');
		t.true(Number(kept?.[1]) > 60, path);
	}
});

test('[HTTP-058 HTTP-059] the description is served as JSON and as YAML, with the address it is served at', async (t) => {
	const {server, api} = await start(t);
	const json = await api.get('/openapi.json');
	t.is(json.status, 200);
	t.is(json.body.openapi, '3.1.1');
	t.deepEqual(json.body.servers, [{url: server.baseUrl}]);
	const yaml = await api.get('/openapi.yaml');
	t.true(yaml.headers.get('content-type')?.startsWith('application/yaml'));
	t.regex(yaml.text, /^openapi: 3\.1\.1$/m);
});

test('[HTTP-060] /docs is a page of our own files, with no inline script', async (t) => {
	const {api} = await start(t);
	const page = await api.get('/docs');
	t.is(page.status, 200);
	t.true(page.headers.get('content-type')?.startsWith('text/html'));
	t.regex(page.headers.get('content-security-policy') ?? '', /script-src 'self'(;|$)/);
	const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
	t.true(files.length >= 4);
	for (const path of files) {
		t.true(path.startsWith('/docs/'));
		const file = await api.get(path);
		t.is(file.status, 200, path);
		t.true(file.text.length > 0);
	}
	t.notRegex(page.text, /<script>|<style>|style="/);
	t.is((await api.get('/docs/..%2f..%2fpackage.json')).status, 404);
});

test('/docs is dark where the system is, by a style sheet alone', async (t) => {
	const {api} = await start(t);
	t.regex((await api.get('/docs')).text, /href="\/docs\/dark\.css" media="\(prefers-color-scheme: dark\)/);
	const {headers, text} = await api.get('/docs/dark.css');
	t.is(headers.get('content-type'), 'text/css; charset=utf-8');
	t.true((text.match(/^html:root[^{}]*\{[^{}]+\}$/gm) ?? []).length > 100);
	t.regex(text, /^html:root\{[^}]*color-scheme:dark/m);
	t.notRegex(text, /dark-mode/);
});

test('[HTTP-069 HTTP-081] port 0 is a free port; it serves the API, the proxy and the pages, at addresses made from it', async (t) => {
	const {server, api} = await start(t);
	t.true(server.port > 0);
	t.is(server.baseUrl, `http://127.0.0.1:${server.port}`);
	t.is(server.proxyUrl, server.baseUrl);
	t.is((await api.get('/v1/auth/me')).status, 401);
	t.is((await api.get('/p/unknown')).status, 404);
	t.is((await api.get('/docs')).status, 200);
});

const opened = {accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'};

test('whoever opens an address that is not there gets a page that leads on; programs get the error', async (t) => {
	const {api} = await start(t);
	for (const path of ['/nope', '/assets/nope.js', '/docs/nope']) {
		const {status, headers, text} = await api.get(path, opened);
		t.is(status, 404, path);
		t.is(headers.get('content-type'), 'text/html; charset=utf-8');
		t.regex(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-[^']+'; form-action/);
		t.regex(text, /<a href="\/">/);
		t.notRegex(text, /<script|nope/);
	}
	for (const path of ['/v1', '/v1/nope', '/p/nope', '/p', '/wh/nope', '/wh', '/.well-known/nope'])
		t.regex((await api.get(path, opened)).headers.get('content-type') ?? '', /^application\/json/, path);
	for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5'])
		t.is((await api.get('/nope', {accept})).body.error.code, 'resource_not_found', accept);
	t.is((await api.post('/nope', {}, opened)).body.error.code, 'resource_not_found');
});

test('[HTTP-086] a role that is left out is not served', async (t) => {
	const api = (await start(t, {env: {SIGNALBOX_ROLES: 'proxy'}})).api;
	t.is((await api.get('/v1/auth/me')).status, 404);
	t.is((await api.get('/docs')).status, 404);
	t.is((await api.get('/healthz')).status, 200);
	const proxied = await api.get('/p/unknown');
	t.is(proxied.body.jsonrpc, '2.0');
	t.is((await api.get('/nope', opened)).body.error.code, 'resource_not_found');
	const other = (await start(t, {env: {SIGNALBOX_ROLES: 'api'}})).api;
	t.is((await other.get('/v1/auth/me')).status, 401);
	t.is((await other.get('/p/unknown', opened)).body.error.code, 'resource_not_found');
});

test('browser origins that are allowed get CORS headers and a preflight answer, others none', async (t) => {
	const {api} = await start(t, {env: {SIGNALBOX_ALLOWED_ORIGINS: 'https://app.example.com'}});
	const allowed = await api.get('/v1/auth/me', {origin: 'https://app.example.com'});
	t.is(allowed.headers.get('access-control-allow-origin'), 'https://app.example.com');
	const foreign = await api.get('/v1/auth/me', {origin: 'https://evil.example.com'});
	t.is(foreign.headers.get('access-control-allow-origin'), null);
});

/** fetch sets its own Expect and Host: a plain client does not. */
const plainGet = (port: number, headers: Record<string, string>): Promise<number> =>
	new Promise((resolve, reject) => {
		request({port, host: '127.0.0.1', path: '/healthz', headers}, (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		})
			.on('error', reject)
			.end();
	});

test('an expectation that we do not know changes nothing', async (t) => {
	const {server} = await start(t);
	t.is(await plainGet(server.port, {expect: 'miracles'}), 200);
});

test('logs name routes, not paths, and hold no slug, key or token', async (t) => {
	const {server, api} = await start(t);
	await api.get('/v1/auth/me', {authorization: 'Bearer secret-bearer', 'x-api-key': 'sbx_secret'});
	await api.get('/p/an-unguessable-slug');
	await api.get('/v1/mcp/servers/01990000-0000-7000-8000-000000000000?token=secret-query');
	const logs = server.logs().join('');
	t.regex(logs, /"route":"\/v1\/mcp\/servers\/\{id\}"/);
	for (const secret of ['secret-bearer', 'sbx_secret', 'unguessable', 'secret-query']) t.false(logs.includes(secret));
});

test('a page that leads its own name to this machine reads no metrics', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const status = async (host: string) =>
		(await sendRaw(server.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status;
	for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) t.is(await status(host), 200, host);
	for (const host of ['rebound.example.com', '127.0.0.1.example.com', 'a b']) t.is(await status(host), 403, host);
});
