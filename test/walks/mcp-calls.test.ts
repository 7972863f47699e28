import test from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {jsonRpc, type Script, startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {startTestServer} from '../support/server.ts';

type Context = {teardown(end: () => Promise<void>): void};

const start = async (t: Context, script?: Script) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const upstream = await startJsonRpcUpstream(script);
	t.teardown(upstream.close);
	const api = createApi(server.baseUrl);
	const [{api: mine}, {api: theirs}] = [await registerPerson(api), await registerPerson(api)];
	const register = async (settings: object = {}) =>
		(await mine.post('/v1/mcp/servers', {name: 'tools', target_url: upstream.url, ...settings})).body;
	const send = async (slug: string, message: Body) =>
		api.post(`/p/${slug}`, message, {accept: 'application/json, text/event-stream'});
	return {server, upstream, api, mine, theirs, register, send};
};

const path = '/v1/mcp/calls';
const unknownId = '01890000-0000-7000-8000-000000000000';

const script: Script = (message) => {
	if (message.method !== 'tools/call') return {result: {}};
	const {name} = message.params;
	if (name === 'get_error') return {error: {code: -32602, message: 'no such thing'}};
	if (name === 'get_failure') return {result: {content: [{type: 'text', text: 'it broke'}], isError: true}};
	return {result: {content: [{type: 'text', text: name}]}};
};

test('[MCP-034 MCP-063] get answers one call with every field and its whole bodies', async (t) => {
	const {mine, register, send} = await start(t, script);
	const {id: server_id, slug} = await register();
	const message = toolCall('get_item', {text: 'x'.repeat(100_000)});
	const answer = await send(slug, message);
	const [listed] = (await mine.get(path)).body.data;
	const {body: call} = await mine.get(`${path}/${listed.id}`);
	const fields =
		'id mcp_server_id method tool_name request_body response_body status status_code error_message duration_ms source_ip headers created_at';
	for (const field of fields.split(' ')) t.true(field in call, field);
	t.is(call.mcp_server_id, server_id);
	t.is(call.request_body, JSON.stringify(message));
	t.is(call.response_body, answer.text);
	t.like(call, {method: 'tools/call', tool_name: 'get_item', status: 'success', status_code: 200, error_message: ''});
});

test('[MCP-053 MCP-054 MCP-055] the list pages, newest first, 50 from the first on by default', async (t) => {
	const {mine, register, send} = await start(t, script);
	const {slug} = await register();
	for (let index = 0; index < 53; index += 1) await send(slug, toolCall(`get_${index}`));
	const first = (await mine.get(path)).body;
	t.like(first, {total: 53, limit: 50, offset: 0});
	t.is(first.data.length, 50);
	t.is(first.data[0].tool_name, 'get_52');
	const rest = (await mine.get(`${path}?limit=50&offset=50`)).body;
	t.deepEqual(
		rest.data.map((call: Body) => call.tool_name),
		['get_2', 'get_1', 'get_0'],
	);
	const created = first.data.map((call: Body) => call.created_at);
	t.deepEqual(created, [...created].sort().reverse());
});

test('[MCP-056 MCP-057 MCP-058] the list filters by server, method and tool', async (t) => {
	const {mine, register, send} = await start(t, script);
	const [one, two] = [await register(), await register()];
	await send(one.slug, jsonRpc('tools/list'));
	await send(one.slug, toolCall('get_a'));
	await send(two.slug, toolCall('get_b'));
	const tools = async (query: string) =>
		(await mine.get(`${path}?${query}`)).body.data.map((call: Body) => call.tool_name || call.method);
	t.deepEqual(await tools(`server_id=${one.id}`), ['get_a', 'tools/list']);
	t.deepEqual(await tools('method=tools/call'), ['get_b', 'get_a']);
	t.deepEqual(await tools('tool_name=get_b'), ['get_b']);
});

test('[MCP-059 MCP-062 MCP-064] status filters, all filters combine, and count counts the same', async (t) => {
	const {mine, register, send} = await start(t, script);
	const {id, slug} = await register();
	for (const name of ['get_a', 'get_error', 'get_failure', 'get_a']) await send(slug, toolCall(name));
	const matching = async (query: string) => {
		const [list, count] = [await mine.get(`${path}?${query}`), await mine.get(`${path}/count?${query}`)];
		t.is(list.body.total, count.body.count, query);
		return count.body.count;
	};
	t.is(await matching('status=success'), 2);
	t.is(await matching('status=error'), 2);
	t.is(await matching('status=timeout'), 0);
	t.is(await matching(`status=success&tool_name=get_a&server_id=${id}&method=tools/call`), 2);
	t.is(await matching('status=error&tool_name=get_a'), 0);
	t.is((await mine.get(`${path}?status=failed`)).status, 400);
});

test('[MCP-060 MCP-061] from and to are ISO 8601 instants, from included and to not', async (t) => {
	const {mine, register, send} = await start(t, script);
	const {slug} = await register();
	await send(slug, toolCall('get_a'));
	const at = (await mine.get(path)).body.data[0].created_at;
	const count = async (query: string) => (await mine.get(`${path}/count?${query}`)).body?.count;
	const later = new Date(Date.parse(at) + 1).toISOString();
	t.is(await count(`from=${at}`), 1);
	t.is(await count(`from=${later}`), 0);
	t.is(await count(`to=${at}`), 0);
	t.is(await count(`to=${later}`), 1);
	for (const query of ['from=yesterday', 'to=1700000000', 'from=2026-13-01T00:00:00Z']) {
		t.is((await mine.get(`${path}?${query}`)).status, 400, query);
	}
});

test('[MCP-065 MCP-066 MCP-087] count takes no paging, and limit and days have their bounds', async (t) => {
	const {mine} = await start(t);
	t.deepEqual((await mine.get(`${path}/count`)).body, {count: 0});
	const status = async (url: string) => (await mine.get(url)).status;
	t.is(await status(`${path}/count?limit=5`), 400);
	t.is(await status(`${path}/count?offset=5`), 400);
	for (const limit of ['0', '-1', '101', 'ten', '1.5']) t.is(await status(`${path}?limit=${limit}`), 400, limit);
	t.is(await status(`${path}?limit=100`), 200);
	t.is(await status(`${path}?offset=-1`), 400);
	for (const days of ['0', '366', 'x']) t.is(await status(`${path}/metrics?days=${days}`), 400, days);
	t.is(await status(`${path}/metrics?days=365`), 200);
});

test('[MCP-040 MCP-041] a result is a success, a JSON-RPC error is an error with its message', async (t) => {
	const {mine, register, send} = await start(t, script);
	const {slug} = await register();
	for (const name of ['get_a', 'get_error', 'get_failure']) await send(slug, toolCall(name));
	const told = (await mine.get(path)).body.data.map((call: Body) => [call.tool_name, call.status, call.error_message]);
	t.deepEqual(told, [
		['get_failure', 'error', 'it broke'],
		['get_error', 'error', 'no such thing'],
		['get_a', 'success', ''],
	]);
});

test('[MCP-067 MCP-068 MCP-069] metrics cover the last 30 days, or the days given, of all or one server', async (t) => {
	const {server, api, mine, register, send} = await start(t, script);
	const [one, two] = [await register(), await register()];
	await send(one.slug, toolCall('get_a'));
	const {key} = (await mine.post('/v1/api-keys', {name: 'lasting'})).body;
	await server.advance(40 * 24 * 3600 * 1000);
	await send(two.slug, toolCall('get_b'));
	const total = async (query: string) =>
		(await api.get(`${path}/metrics?${query}`, {'x-api-key': key})).body.total_calls;
	t.is(await total(''), 1);
	t.is(await total('days=60'), 2);
	t.is(await total(`days=60&server_id=${one.id}`), 1);
	t.is(await total(`server_id=${one.id}`), 0);
});

test('[MCP-072 MCP-083 MCP-088] tool calls cost what the server says, and only the own team sees it', async (t) => {
	const {mine, theirs, register, send} = await start(t, script);
	const {id, slug} = await register({default_cost_cents: 7});
	await send(slug, jsonRpc('tools/list'));
	for (const name of ['get_a', 'get_a', 'get_error']) await send(slug, toolCall(name));
	const metrics = (await mine.get(`${path}/metrics`)).body;
	t.is(metrics.total_cost_cents, 21);
	t.like(metrics, {total_calls: 4, success_count: 3, error_count: 1, timeout_count: 0, success_rate: 0.75});
	const now = new Date();
	const month = `year=${now.getUTCFullYear()}&month=${now.getUTCMonth() + 1}`;
	const costs = (await mine.get(`/v1/mcp/servers/${id}/costs?${month}`)).body;
	t.deepEqual(costs.tool_breakdown, [
		{tool_name: 'get_a', total_cents: 14, call_count: 2},
		{tool_name: 'get_error', total_cents: 7, call_count: 1},
	]);
	t.is((await theirs.get(`${path}/metrics`)).body.total_calls, 0);
	t.is((await theirs.get(path)).body.total, 0);
});

test('[MCP-076 MCP-078] a deleted call is gone from list, count and metrics', async (t) => {
	const {mine, theirs, register, send} = await start(t, script);
	const {slug} = await register();
	await send(slug, toolCall('get_a'));
	await send(slug, toolCall('get_b'));
	const {id} = (await mine.get(path)).body.data[0];
	t.is((await theirs.delete(`${path}/${id}`)).status, 404);
	t.is((await theirs.get(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.is((await mine.get(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${unknownId}`)).status, 404);
	t.is((await mine.get(`${path}/count`)).body.count, 1);
	t.is((await mine.get(`${path}/metrics`)).body.total_calls, 1);
});

test('[MCP-015] deleting a server deletes its call logs', async (t) => {
	const {mine, register, send} = await start(t, script);
	const [one, two] = [await register(), await register()];
	await send(one.slug, toolCall('get_a'));
	await send(two.slug, toolCall('get_b'));
	t.is((await mine.delete(`/v1/mcp/servers/${one.id}`)).status, 204);
	const left = (await mine.get(path)).body.data.map((call: Body) => call.tool_name);
	t.deepEqual(left, ['get_b']);
	t.is((await mine.get(`${path}/metrics`)).body.total_calls, 1);
});

test('a key without scope approvals deletes no call log', async (t) => {
	const {api, mine, register, send} = await start(t, script);
	const {slug} = await register();
	await send(slug, toolCall('get_a'));
	const {id} = (await mine.get(path)).body.data[0];
	const {key} = (await mine.post('/v1/api-keys', {name: 'plain'})).body;
	t.is((await api.delete(`${path}/${id}`, {'x-api-key': key})).status, 403);
	t.is((await mine.get(`${path}/${id}`)).status, 200);
});

test('[MCP-091] log_bodies none stores no bodies, redacted masks the named paths and secret-looking keys', async (t) => {
	const {mine, register, send} = await start(t, script);
	const none = await register({log_bodies: {mode: 'none', paths: []}});
	const redacted = await register({log_bodies: {mode: 'redacted', paths: ['$.params.arguments.card']}});
	const args = {card: '4242-card', password: 'pass-1234', note: 'plain'};
	await send(none.slug, toolCall('get_a', args));
	await send(redacted.slug, toolCall('get_a', args));
	const listed = await mine.get(path);
	t.is(listed.status, 200, listed.text);
	const [second, first] = listed.body.data;
	t.deepEqual([first.request_body, first.response_body], ['', '']);
	t.false(second.request_body.includes('4242-card'));
	t.false(second.request_body.includes('pass-1234'));
	t.true(second.request_body.includes('plain'));
});
