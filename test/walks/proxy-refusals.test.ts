import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, type Person, registerPerson} from '../support/api.ts';
import {type Script, startScriptedUpstream} from '../support/mcp/scripted-upstream.ts';
import {startTestServer, type TestServerOptions} from '../support/server.ts';

const call = (id: number | string = 1) =>
	JSON.stringify({jsonrpc: '2.0', id, method: 'tools/call', params: {name: 'get_item', arguments: {}}});

const start = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	const me = await registerPerson(createApi(server.baseUrl));
	return {
		me,
		stranger: () => registerPerson(createApi(server.baseUrl)),
		/** A POST to a new server of these settings, before an upstream that does what the script says. */
		send: async (settings: object = {}, script?: Script) => {
			const upstream = await startScriptedUpstream(script);
			t.teardown(upstream.close);
			const added = {name: 'tools', target_url: upstream.url, ...settings};
			const {slug} = (await me.api.post('/v1/mcp/servers', added)).body;
			return async (headers: Record<string, string> = {}, body = call('a')): Promise<Response> =>
				await fetch(`${server.proxyUrl}/p/${slug}`, {
					method: 'POST',
					headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers},
					body,
				});
		},
	};
};

type Walk = Awaited<ReturnType<typeof start>>;

const keyOf = async ({api}: Person, scopes: readonly string[]): Promise<Record<string, string>> => ({
	'x-api-key': (await api.post('/v1/api-keys', {name: 'agent', scopes})).body.key,
});

const events = {'content-type': 'text/event-stream'};

/** One refusal for each reason that we invent a code for. */
const refusals: readonly Readonly<{why: string; code: number; ask(walk: Walk): Promise<Response>}>[] = [
	{
		why: 'a page of elsewhere',
		code: 403,
		ask: async (walk) => await (await walk.send())({origin: 'https://evil.example'}),
	},
	{
		why: 'a key that may not use the proxy',
		code: 403,
		ask: async (walk) => await (await walk.send())(await keyOf(walk.me, ['api'])),
	},
	{
		why: 'somebody of another team',
		code: 403,
		ask: async (walk) => await (await walk.send({require_auth: true}))(await keyOf(await walk.stranger(), ['proxy'])),
	},
	{
		why: 'too many calls',
		code: 429,
		ask: async (walk) => {
			const post = await walk.send({rate_limit_config: {requests_per_minute: 1, burst: 0}});
			await post();
			return await post();
		},
	},
	{
		why: 'a budget that is spent',
		code: 429,
		ask: async (walk) => {
			const settings = {default_cost_cents: 2, rate_limit_config: {cost: {budget_cents: 1}}};
			return await (await walk.send(settings))();
		},
	},
	{
		why: 'an upstream where nobody listens',
		code: 502,
		ask: async (walk) => await (await walk.send({target_url: 'http://127.0.0.1:1/mcp'}))(),
	},
	{
		why: 'an upstream at an address that is not allowed',
		code: 502,
		ask: async (walk) => await (await walk.send({target_url: 'http://10.0.0.1/mcp'}))(),
	},
	{
		why: 'an upstream that closes instead of answering',
		code: 502,
		ask: async (walk) => await (await walk.send({}, (_request, response) => void response.destroy()))(),
	},
	{
		why: 'an upstream that compresses',
		code: 502,
		ask: async (walk) =>
			await (
				await walk.send({}, (_request, response) => void response.writeHead(200, {'content-encoding': 'br'}).end('x'))
			)(),
	},
	{
		why: 'an upstream that says nothing',
		code: 504,
		ask: async (walk) => await (await walk.send({}, () => {}))(),
	},
];

test('[PRX-064] what we refuse for reasons of our own has the HTTP status as its JSON-RPC code, and no id but the request’s', async (t) => {
	const walk = await start(t, {env: {SIGNALBOX_UPSTREAM_TIMEOUT: '1'}});
	for (const {why, code, ask} of refusals) {
		const answer = await ask(walk);
		const body: Body = await answer.json();
		t.is(answer.status, code, why);
		t.is(body.error.code, code, why);
		t.is(body.id, code === 403 ? null : 'a', why);
		t.true(body.error.code > -32_000 || body.error.code < -32_768);
		t.is(answer.headers.has('retry-after'), code === 429, why);
	}
});

test('[PRX-064] within events, where the status is sent, the code is what it would have been', async (t) => {
	const walk = await start(t, {env: {SIGNALBOX_UPSTREAM_TIMEOUT: '1'}});
	const dying = await walk.send({}, (_request, response) => {
		response.writeHead(200, events).write(': hello\n\n', () => response.destroy());
	});
	const silent = await walk.send({}, (_request, response) => {
		response.writeHead(200, events).write(': hello\n\n');
	});
	for (const [post, code] of [
		[dying, 502],
		[silent, 504],
	] as const) {
		const answer = await post();
		t.is(answer.status, 200);
		const [, data = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
		t.like(JSON.parse(data), {id: 'a', error: {code}});
	}
});

const sized = (size: number): string => call('').replace('""', `"${'x'.repeat(size - call('').length)}"`);

for (const [env, limit] of [
	[{SIGNALBOX_MAX_PROXY_BODY: '2000'}, 2000],
	[{SIGNALBOX_MAX_PROXY_BODY: '3 KiB'}, 3072],
	[{}, 10 * 1024 * 1024],
] as const) {
	test(`[PRX-108] a body may have ${limit} bytes with ${JSON.stringify(env)}, and not one more`, async (t) => {
		const walk = await start(t, {env});
		const post = await walk.send();
		t.is((await post({}, sized(limit))).status, 200);
		const refused = await post({}, sized(limit + 1));
		t.is(refused.status, 413);
		t.like(await refused.json(), {id: null, error: {code: 413}});
	});
}
