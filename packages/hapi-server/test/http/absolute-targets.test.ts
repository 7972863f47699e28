import test from 'ava';
import {createApi, registerPerson} from '../../../../test/support/api.ts';
import {listen} from '../../../../test/support/mcp/listen.ts';
import {startTestServer, type TestServer} from '../../../../test/support/server.ts';
import {sendRaw} from '../support/raw-http.ts';

let server: TestServer;
let slugs: Readonly<{mcp: string; hook: string}>;
const received: (string | undefined)[] = [];
let closeUpstream: () => Promise<void>;

test.before(async () => {
	server = await startTestServer();
	const upstream = await listen((request, response) => {
		received.push(request.headers.host);
		response.writeHead(200, {'content-type': 'application/json'}).end('{"jsonrpc":"2.0","id":1,"result":{}}');
	});
	closeUpstream = upstream.close;
	const {api} = await registerPerson(createApi(server.baseUrl));
	const mcp = (await api.post('/v1/mcp/servers', {name: 'Upstream', target_url: upstream.origin})).body;
	const hook = (await api.post('/v1/webhook/endpoints', {name: 'In', destination_url: 'https://orders.example.com/'}))
		.body;
	slugs = {mcp: mcp.slug, hook: hook.slug};
});
test.after.always(async () => {
	await server.close();
	await closeUpstream();
});

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

type Sent = Readonly<{target: string; host?: string; more?: string; method?: string}>;

const statusOf = async ({target, host = 'Host: elsewhere.example\r\n', more = '', method = 'POST'}: Sent) => {
	const body = method === 'GET' ? '' : ping;
	const framing = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
	const head = `${method} ${target} HTTP/1.1\r\n${host}Connection: close\r\n${framing}${more}`;
	return (await sendRaw(server.port, `${head}\r\n${body}`)).status;
};

const own = () => `http://127.0.0.1:${server.port}`;

test.serial('a request whose target is an absolute URL is served as by its path, in every plane', async (t) => {
	for (const [status, sent] of [
		[200, {target: `${own()}/p/${slugs.mcp}`}],
		[200, {target: `HTTP://LOCALHOST/p/${slugs.mcp}/mcp?a=http://b/`}],
		[202, {target: `${own()}/wh/${slugs.hook}/deeper`}],
		[401, {target: `${own()}/v1/auth/me`, method: 'GET'}],
		[200, {target: `${own()}/metrics`, method: 'GET'}],
		[404, {target: `${own()}?/p/${slugs.mcp}`}],
	] as const)
		t.is(await statusOf(sent), status, sent.target);
	t.is(received.length, 2);
	t.false(received.includes('elsewhere.example'));
});

test.serial('the host that it names is judged, and the Host beside it counts for nothing', async (t) => {
	const before = received.length;
	const host = `Host: 127.0.0.1:${server.port}\r\n`;
	const foreign = 'http://elsewhere.example';
	for (const [status, sent] of [
		[403, {target: `${foreign}/p/${slugs.mcp}`, host}],
		[403, {target: `${foreign}/.well-known/oauth-protected-resource/p/${slugs.mcp}`, host, method: 'GET'}],
		[403, {target: `${foreign}/v1/auth/me`, host, method: 'GET'}],
		[403, {target: `${foreign}/metrics`, host, method: 'GET'}],
		[202, {target: `${foreign}/wh/${slugs.hook}`, host}],
	] as const)
		t.is(await statusOf(sent), status, sent.target);
	t.is(received.length, before);
});

test.serial('no check is left out because a target is an absolute URL', async (t) => {
	const before = received.length;
	const target = `${own()}/p/${slugs.mcp}`;
	const host = `Host: 127.0.0.1:${server.port}\r\n`;
	for (const [status, sent] of [
		[400, {target, host: ''}],
		[400, {target, host: host + host}],
		[403, {target, more: 'Origin: http://elsewhere.example\r\n'}],
		[403, {target: `http://127.0.0.1.elsewhere.example/p/${slugs.mcp}`, host}],
	] as const)
		t.is(await statusOf(sent), status, JSON.stringify(sent));
	t.is(received.length, before);
});

test.serial('a target that no URL of ours can be leads to no plane', async (t) => {
	const before = received.length;
	const at = `127.0.0.1:${server.port}`;
	const host = `Host: ${at}\r\n`;
	for (const authority of [
		'http://',
		`http://user:password@${at}`,
		`http://${at}@elsewhere.example`,
		`http://elsewhere.example\\@${at}`,
		`http:/${at}`,
		`http:${at}`,
		`ftp://${at}`,
		`//${at}`,
		at,
	]) {
		const statuses = await Promise.all(
			[`/p/${slugs.mcp}`, `/wh/${slugs.hook}`].map((path) => statusOf({target: `${authority}${path}`, host})),
		);
		for (const status of statuses) t.true([400, 404].includes(status), `${authority}: ${status}`);
	}
	t.is(received.length, before);
});
