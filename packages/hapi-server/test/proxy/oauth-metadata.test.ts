import {
	discoverOAuthProtectedResourceMetadata,
	extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {McpServerRecord} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {
	type Script,
	type ScriptedUpstream,
	startScriptedUpstream,
} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {type OpenProxy, openProxy, type ProxyOptions, post, rpc} from './open-proxy.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

type Answer = Readonly<{status?: number; headers?: Record<string, string | string[]>; body?: string}>;

/** An upstream that answers by path, and 404 elsewhere. */
const answering =
	(answers: Readonly<Record<string, Answer>>): Script =>
	({url}, response) => {
		const {status = 200, headers = {}, body = ''} = answers[url] ?? {status: 404};
		response.writeHead(status, {'content-type': 'application/json', ...headers}).end(body);
	};

type Stage = OpenProxy &
	Readonly<{
		upstream: ScriptedUpstream;
		server: McpServerRecord;
		/** Where our clients find the metadata, on the port of this test. */
		metadataUrl: string;
		/** The resource that the metadata must name. */
		resource: string;
		read(init?: RequestInit): Promise<Response>;
	}>;

const open = async (t: ExecutionContext, script: Script, fields: Partial<McpServerRecord> = {}): Promise<Stage> => {
	const upstream = await startScriptedUpstream((request, response) => script(request, response));
	t.teardown(upstream.close);
	const options: ProxyOptions = {settings: {allowed_private_cidrs: ['127.0.0.1/32']}};
	const proxy = await openProxy(t, options);
	const server = await proxy.addServer({target_url: upstream.url, ...fields});
	const metadataUrl = `${proxy.origin}${wellKnown}/p/${server.slug}`;
	return {
		...proxy,
		upstream,
		server,
		metadataUrl,
		resource: `http://proxy.example.com/p/${server.slug}`,
		read: async (init) => await fetch(metadataUrl, init),
	};
};

const document = {
	resource: 'https://mcp.example.com/mcp',
	authorization_servers: ['https://login.example.com'],
	scopes_supported: ['read'],
	'x-own': {deep: [1, 'ä']},
};

const atWellKnown = answering({[`${wellKnown}/mcp`]: {body: JSON.stringify(document)}});

const metadataReads = ({received}: ScriptedUpstream) => received.filter(({method}) => method === 'GET');

test('[PRX-065] resource_metadata in WWW-Authenticate points here; status, body and the rest pass as they are', async (t) => {
	const body = '{"error": "invalid_token" }\n';
	const challenge = (address: string) => `Bearer realm="a, b", resource_metadata="${address}", scope="x"`;
	const stage = await open(
		t,
		answering({'/mcp': {status: 401, headers: {'www-authenticate': challenge('https://mcp.example.com/meta')}, body}}),
	);
	for (const method of ['POST', 'GET', 'DELETE']) {
		const sent =
			method === 'POST' ? {headers: {'content-type': 'application/json'}, body: JSON.stringify(rpc('ping'))} : {};
		const answer = await fetch(stage.url(stage.server), {method, ...sent});
		t.is(answer.status, 401);
		t.is(
			answer.headers.get('www-authenticate'),
			challenge(`http://proxy.example.com${wellKnown}/p/${stage.server.slug}`),
		);
		t.is(await answer.text(), body);
	}
});

test('[PRX-065] every one of several fields is readdressed, and challenges without resource_metadata are left alone', async (t) => {
	const fields = [
		'Basic realm="x"',
		'Bearer resource_metadata="https://a.example"',
		'DPoP resource_metadata="https://b.example"',
	];
	const stage = await open(t, answering({'/mcp': {status: 403, headers: {'www-authenticate': fields}}}));
	const answer = await post(stage.url(stage.server), rpc('ping'));
	const ours = `"http://proxy.example.com${wellKnown}/p/${stage.server.slug}"`;
	t.is(answer.status, 403);
	t.is(
		answer.headers.get('www-authenticate'),
		`Basic realm="x", Bearer resource_metadata=${ours}, DPoP resource_metadata=${ours}`,
	);
});

test('[PRX-066] the document is the upstream’s own with our resource', async (t) => {
	const stage = await open(t, atWellKnown);
	const answer = await stage.read({headers: {authorization: 'Bearer of-the-client', cookie: 'a=b'}});
	t.is(answer.status, 200);
	t.is(answer.headers.get('content-type'), 'application/json');
	t.is(answer.headers.get('x-content-type-options'), 'nosniff');
	t.deepEqual(await answer.json(), {...document, resource: stage.resource});
	const {connection: _connection, host: _host, ...headers} = stage.upstream.received[0]?.headers ?? {};
	t.deepEqual(headers, {accept: 'application/json', 'accept-encoding': 'identity'});
});

test('claims that are signed for another resource are left out', async (t) => {
	const signed = JSON.stringify({...document, signed_metadata: 'e30.e30.x'});
	const stage = await open(t, answering({[`${wellKnown}/mcp`]: {body: signed}}));
	t.deepEqual(await (await stage.read()).json(), {...document, resource: stage.resource});
});

test('[PRX-066] a client of the official SDK finds it, by the challenge and unprompted', async (t) => {
	let named = '';
	const stage = await open(t, (request, response) => {
		const challenge = {'www-authenticate': `Bearer resource_metadata="${named}"`};
		answering({
			'/mcp': {status: 401, headers: challenge},
			'/elsewhere': {body: JSON.stringify({...document, scopes_supported: ['named']})},
			[`${wellKnown}/mcp`]: {body: JSON.stringify(document)},
		})(request, response);
	});
	named = new URL('/elsewhere', stage.upstream.url).href;
	const unprompted = await discoverOAuthProtectedResourceMetadata(stage.url(stage.server));
	t.is(unprompted.resource, stage.resource);
	t.deepEqual(unprompted.scopes_supported, ['read']);

	const refused = await post(stage.url(stage.server), rpc('initialize'));
	const {resourceMetadataUrl} = extractWWWAuthenticateParams(refused);
	t.is(resourceMetadataUrl?.href, `http://proxy.example.com${wellKnown}/p/${stage.server.slug}`);
	const found = await discoverOAuthProtectedResourceMetadata(stage.url(stage.server), {
		resourceMetadataUrl: stage.origin + resourceMetadataUrl?.pathname,
	});
	t.is(found.resource, stage.resource);
	t.deepEqual(found.scopes_supported, ['named']);
});

test('unprompted, it is looked for where RFC 9728 puts it, and then at the root', async (t) => {
	const cases: [string, string[]][] = [
		['/', [wellKnown]],
		['/mcp', [`${wellKnown}/mcp`, wellKnown]],
		['/a/b/?c=d', [`${wellKnown}/a/b/?c=d`, wellKnown]],
	];
	for (const [path, asked] of cases) {
		const stage = await open(t, answering({[wellKnown]: {body: '{"resource":"x"}'}}));
		const server = await stage.addServer({
			target_url: new URL(path, stage.upstream.url).href,
			slug: `slug${path.length}`,
		});
		const answer = await fetch(`${stage.origin}${wellKnown}/p/${server.slug}`);
		t.is(answer.status, 200, path);
		t.deepEqual(
			stage.upstream.received.map(({url}) => url),
			asked,
		);
	}
});

test('the other spellings of an address have the same metadata', async (t) => {
	const stage = await open(t, atWellKnown);
	for (const suffix of ['/', '/mcp', '?a=b'])
		t.like(await (await fetch(stage.metadataUrl + suffix)).json(), {resource: stage.resource});
	for (const path of [
		`/p/${stage.server.slug}/x`,
		`/${stage.server.slug}`,
		'/p/',
		`/p${wellKnown}/p/${stage.server.slug}`,
	])
		t.is((await fetch(`${stage.origin}${wellKnown}${path}`)).status, 404, path);
});

test('without metadata, and without an active server, there is none', async (t) => {
	const stage = await open(t, answering({'/mcp': {status: 401}}));
	const answer = await stage.read();
	t.is(answer.status, 404);
	t.like(await answer.json(), {id: null, error: {code: 404}});
	const inactive = await stage.addServer({target_url: stage.upstream.url, slug: 'inactive', is_active: false});
	const asked = metadataReads(stage.upstream).length;
	for (const slug of [inactive.slug, 'unknown'])
		t.is((await fetch(`${stage.origin}${wellKnown}/p/${slug}`)).status, 404);
	t.is(metadataReads(stage.upstream).length, asked);
});

test('what is not a small JSON object is not passed on', async (t) => {
	const padded = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
	const cases: [string, Answer, number][] = [
		['64 KiB', {body: padded(64 * 1024)}, 200],
		['a byte more', {body: padded(64 * 1024 + 1)}, 502],
		['much more', {body: padded(8 * 1024 * 1024)}, 502],
		['a list', {body: '[]'}, 502],
		['null', {body: 'null'}, 502],
		['text', {body: '"a"'}, 502],
		['a page', {body: '<html>'}, 502],
		['nothing', {}, 502],
		['half of it', {body: '{"a":'}, 502],
		['too deep', {body: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`}, 502],
		['a redirect', {status: 302, headers: {location: '/elsewhere'}}, 502],
		['compressed', {headers: {'content-encoding': 'gzip'}, body: '{}'}, 502],
		['no content', {status: 204}, 502],
		['a failure', {status: 500, body: '{}'}, 502],
		['a guarded path', {status: 401, body: 'who are you?'}, 404],
	];
	for (const [name, answer, status] of cases) {
		const stage = await open(t, answering({[`${wellKnown}/mcp`]: answer, '/elsewhere': {body: '{}'}}));
		const read = await stage.read();
		t.is(read.status, status, name);
		if (status === 502) t.like(await read.json(), {id: null, error: {code: 502}}, name);
		t.is(stage.lines.length, status === 502 ? 1 : 0, name);
	}
});

test('an upstream that takes longer than five seconds is not waited for', async (t) => {
	const stage = await open(t, (_request, response) => void response.writeHead(200).write('{'));
	const reading = stage.read();
	await until(async () => stage.upstream.received.length > 0, 'the upstream to be asked');
	await stage.clock.advance(5_000);
	t.is((await reading).status, 502);
	await until(async () => stage.upstream.aborted() === 1, 'the connection to be let go');
});

test('an upstream that is gone, or a target that does not resolve, is told', async (t) => {
	const stage = await open(t, atWellKnown, {target_url: 'http://127.0.0.1:1/mcp'});
	t.is((await stage.read()).status, 502);
	const template = await stage.addServer({target_url: 'http://127.0.0.1:1/{{env.GONE}}', slug: 'template'});
	const answer = await fetch(`${stage.origin}${wellKnown}/p/${template.slug}`);
	t.is(answer.status, 502);
	t.true((await answer.text()).includes('GONE'));
});

test('an address that the upstream names is connected to like any other: not where the guard says no', async (t) => {
	for (const address of ['http://127.0.0.2:1/meta', 'http://[::1]:1/meta', 'http://169.254.169.254/latest/meta-data']) {
		const challenge = {'www-authenticate': `Bearer resource_metadata="${address}"`};
		const stage = await open(t, answering({'/mcp': {status: 401, headers: challenge}}));
		await post(stage.url(stage.server), rpc('ping'));
		const answer = await stage.read();
		t.is(answer.status, 502);
		t.like(await answer.json(), {error: {message: 'The address of the upstream is not allowed.'}});
	}
});

test('an address of another kind is not followed', async (t) => {
	for (const address of ['file:///etc/passwd', 'data:application/json,{}', 'elsewhere', '']) {
		const challenge = {'www-authenticate': `Bearer resource_metadata="${address}"`};
		const stage = await open(
			t,
			answering({'/mcp': {status: 401, headers: challenge}, [`${wellKnown}/mcp`]: {body: JSON.stringify(document)}}),
		);
		await post(stage.url(stage.server), rpc('ping'));
		t.is((await stage.read()).status, 200, address);
	}
});

test('it is asked for once a minute and version, by however many at once', async (t) => {
	const stage = await open(t, atWellKnown);
	await Promise.all([stage.read(), stage.read(), stage.read()]);
	await stage.clock.advance(59_999);
	await stage.read();
	t.is(metadataReads(stage.upstream).length, 1);
	await stage.clock.advance(1);
	await stage.read();
	t.is(metadataReads(stage.upstream).length, 2);
	const {slug} = await stage.core.mcp.servers.rotateSlug(stage.owner, stage.server.id);
	const rotated = await fetch(`${stage.origin}${wellKnown}/p/${slug}`);
	t.like(await rotated.json(), {resource: `http://proxy.example.com/p/${slug}`});
	t.is(metadataReads(stage.upstream).length, 3);
	t.is((await stage.read()).status, 404);
});

test('what failed is asked for again', async (t) => {
	let answers: Record<string, Answer> = {[`${wellKnown}/mcp`]: {status: 500}};
	const stage = await open(t, (request, response) => answering(answers)(request, response));
	t.is((await stage.read()).status, 502);
	answers = {[`${wellKnown}/mcp`]: {body: '{}'}};
	t.is((await stage.read()).status, 200);
});

test('it is read by GET, and by pages that may call here', async (t) => {
	const stage = await open(t, atWellKnown, {require_auth: true});
	for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
		const answer = await stage.read({method});
		t.is(answer.status, 405);
		t.is(answer.headers.get('allow'), 'GET, OPTIONS');
	}
	const headers = {origin: 'http://localhost:6274', 'access-control-request-headers': 'mcp-protocol-version'};
	const preflight = await stage.read({method: 'OPTIONS', headers});
	t.is(preflight.status, 204);
	t.is(preflight.headers.get('access-control-allow-headers'), 'mcp-protocol-version');
	const answer = await stage.read({headers: {origin: headers.origin}});
	t.is(answer.status, 200);
	t.is(answer.headers.get('access-control-allow-origin'), headers.origin);
	t.is((await stage.read({headers: {origin: 'https://evil.example'}})).status, 403);
	t.is(metadataReads(stage.upstream).length, 1);
});
