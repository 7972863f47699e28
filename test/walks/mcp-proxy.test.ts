import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {startEverythingServer} from '../support/mcp/everything-server.ts';
import {type OfficialClient, officialClients} from '../support/mcp/official-clients.ts';
import {startTicketsServer} from '../support/mcp/tickets-server.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

const moderate = {enabled: true, trust_level: 'moderate', ttl_seconds: 60};

/** A whole server with one person on it. */
const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const me = await registerPerson(createApi(server.baseUrl));
	const register = async (settings: object): Promise<Body> =>
		(await me.api.post('/v1/mcp/servers', {name: 'tools', ...settings})).body;
	return {server, api: me.api, register, address: (slug: string) => `${server.proxyUrl}/p/${slug}`};
};

/** The same, before tools that people must approve, with a client connected through the proxy. */
const startGuarded = async (t: ExecutionContext, connect: (url: string) => Promise<OfficialClient>) => {
	const walk = await start(t);
	const upstream = await startTicketsServer();
	t.teardown(upstream.close);
	const mcp = await walk.register({target_url: upstream.url, approval_config: moderate});
	const client = await connect(walk.address(mcp.slug));
	return {...walk, upstream, mcp, client};
};

const pendingApproval = async (api: Api): Promise<Body> =>
	await until(async () => (await api.get('/v1/mcp/approvals')).body.data[0], 'a pending approval');

const approve = async (api: Api, {id}: Body) => await api.post(`/v1/mcp/approvals/${id}/approve`);

const reject = async (api: Api, {id}: Body, note: string) => await api.post(`/v1/mcp/approvals/${id}/reject`, {note});

for (const {name, connect} of officialClients) {
	test(`[PRX-001 MCP-025 MCP-035] ${name} lists and calls the tools of server-everything`, async (t) => {
		const upstream = await startEverythingServer();
		t.teardown(upstream.close);
		const walk = await start(t);
		const mcp = await walk.register({target_url: upstream.url});
		const client = await connect(walk.address(mcp.slug));
		const direct = await connect(upstream.url);
		t.deepEqual(await client.toolNames(), await direct.toolNames());
		const echo = await client.callTool('echo', {message: 'hello'});
		t.deepEqual(echo, await direct.callTool('echo', {message: 'hello'}));
		await client.ping();
		await client.close();
		await direct.close();
		const {data} = (await walk.api.get(`/v1/mcp/calls?server_id=${mcp.id}`)).body;
		const methods = new Set(data.map(({method}: Body) => method));
		for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) t.true(methods.has(method), method);
		const called = data.find(({method}: Body) => method === 'tools/call');
		t.like(called, {tool_name: 'echo', status: 'success', status_code: 200, error_message: '', source_ip: '127.0.0.1'});
		t.deepEqual(JSON.parse(called.response_body).result.content, echo.content);
	});

	test(`[APR-041 APR-047] ${name}: a delete_* tool waits, is approved over the API, and runs once`, async (t) => {
		const {api, upstream, client} = await startGuarded(t, connect);
		t.deepEqual((await client.callTool('get_item', {id: '7'})).content, [{type: 'text', text: 'get_item 7'}]);
		const calling = client.callTool('delete_item', {id: '7'});
		const approval = await pendingApproval(api);
		t.like(approval, {tool_name: 'delete_item', status: 'pending', request_body: {id: '7'}});
		t.is(upstream.executions('delete_item'), 0);
		t.is((await approve(api, approval)).status, 200);
		t.deepEqual((await calling).content, [{type: 'text', text: 'delete_item 7'}]);
		t.is((await approve(api, approval)).status, 409);
		t.is((await reject(api, approval, 'Too late.')).status, 409);
		t.is(upstream.executions('delete_item'), 1);
		const {data} = (await api.get('/v1/mcp/calls?tool_name=delete_item')).body;
		t.like(data, [{approval_id: approval.id, status: 'success'}]);
		await client.close();
	});

	test(`[APR-050 APR-051] ${name}: a rejected tool does not run, and the model reads why`, async (t) => {
		const {api, upstream, client} = await startGuarded(t, connect);
		const calling = client.callTool('delete_item', {id: '7'});
		const approval = await pendingApproval(api);
		t.is((await reject(api, approval, 'Ask finance first.')).status, 200);
		const result = await calling;
		t.true(result.isError);
		t.regex(result.content[0]?.text ?? '', /Ask finance first\./);
		t.deepEqual(result._meta?.['signalbox/approval'], {id: approval.id, status: 'rejected'});
		t.is((await approve(api, approval)).status, 409);
		t.is(upstream.executions('delete_item'), 0);
		t.like((await client.callTool('get_item', {id: '8'})).content, [{text: 'get_item 8'}]);
		await client.close();
	});

	test(`[APR-052] ${name}: a tool that nobody decides about expires by the clock`, async (t) => {
		const {server, api, upstream, client} = await startGuarded(t, connect);
		const calling = client.callTool('delete_item', {id: '7'});
		const approval = await pendingApproval(api);
		server.advance(61_000);
		const result = await calling;
		t.true(result.isError);
		t.deepEqual(result._meta?.['signalbox/approval'], {id: approval.id, status: 'expired'});
		t.is((await approve(api, approval)).status, 409);
		t.is(upstream.executions('delete_item'), 0);
		t.is((await api.get('/v1/mcp/calls?status=timeout')).body.total, 1);
		await client.close();
	});
}

test('a hold of more than two seconds is a stream, and its answer comes in it', async (t) => {
	const [first] = officialClients;
	if (first === undefined) return t.fail();
	const {api, upstream, client} = await startGuarded(t, first.connect);
	const told = Promise.withResolvers<string>();
	const onprogress = ({message}: {message?: string}) => told.resolve(message ?? '');
	const calling = client.callTool('create_item', {id: '7'}, {onprogress});
	const approval = await pendingApproval(api);
	t.regex(await told.promise, new RegExp(`/approvals/${approval.id}$`));
	await approve(api, approval);
	t.deepEqual((await calling).content, [{type: 'text', text: 'create_item 7'}]);
	t.is(upstream.executions('create_item'), 1);
	await client.close();
});

test('[PRX-003 PRX-004] an inactive server is 404 whatever is asked of it, and its calls are kept', async (t) => {
	const [first] = officialClients;
	if (first === undefined) return t.fail();
	const {api, mcp, client, address} = await startGuarded(t, first.connect);
	await client.callTool('list_items');
	const {total} = (await api.get('/v1/mcp/calls')).body;
	await api.put(`/v1/mcp/servers/${mcp.id}`, {is_active: false});
	for (const method of ['POST', 'GET', 'DELETE']) {
		t.is((await fetch(address(mcp.slug), {method, ...(method === 'POST' && {body: '{}'})})).status, 404);
	}
	await t.throwsAsync(client.callTool('list_items'));
	t.is((await api.get('/v1/mcp/calls')).body.total, total);
	await api.put(`/v1/mcp/servers/${mcp.id}`, {is_active: true});
	t.deepEqual((await client.callTool('list_items')).content, [{type: 'text', text: 'list_items all'}]);
});

test('[MCP-064 MCP-070 MCP-015] calls are listed, filtered, counted and summed up, and go with their server', async (t) => {
	const [first] = officialClients;
	if (first === undefined) return t.fail();
	const {api, mcp, client, register, address} = await startGuarded(t, first.connect);
	for (const id of ['1', '2', '3']) await client.callTool('get_item', {id});
	await client.callTool('list_items');
	await client.close();
	const other = await register({target_url: 'http://127.0.0.1:1/'});
	const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'get_item'}});
	const failed = await fetch(address(other.slug), {
		method: 'POST',
		body,
		headers: {'content-type': 'application/json'},
	});
	t.is(failed.status, 502);

	const got = (await api.get(`/v1/mcp/calls?server_id=${mcp.id}&tool_name=get_item&status=success`)).body;
	t.is(got.total, 3);
	const asked = got.data.map(({request_body}: Body) => JSON.parse(request_body).params.arguments.id);
	t.deepEqual(asked, ['3', '2', '1']);
	t.deepEqual((await api.get('/v1/mcp/calls/count?tool_name=get_item')).body, {count: 4});
	t.deepEqual((await api.get('/v1/mcp/calls/count?status=error')).body, {count: 1});
	const metrics = (await api.get(`/v1/mcp/calls/metrics?server_id=${mcp.id}`)).body;
	const tools = Object.fromEntries(metrics.by_tool.map(({tool_name, calls}: Body) => [tool_name, calls]));
	t.is(tools.get_item, 3);
	t.is(tools.list_items, 1);
	t.is(metrics.error_count, 0);
	t.is(metrics.total_calls, (await api.get(`/v1/mcp/calls/count?server_id=${mcp.id}`)).body.count);

	const {id} = got.data[0];
	t.is((await api.delete(`/v1/mcp/servers/${mcp.id}`)).status, 204);
	t.is((await api.get(`/v1/mcp/calls/${id}`)).status, 404);
	t.deepEqual((await api.get('/v1/mcp/calls/count')).body, {count: 1});
	t.is((await fetch(address(mcp.slug), {method: 'POST', body: '{}'})).status, 404);
});

test('neither slugs nor credentials nor bodies stand in the log lines of the server', async (t) => {
	const walk = await start(t);
	const mcp = await walk.register({target_url: 'http://127.0.0.1:1/'});
	const secrets = {authorization: 'Bearer hush-bearer', 'x-hush': 'hush-header'};
	const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping', params: {a: 'hush-body'}});
	const headers = {'content-type': 'application/json', ...secrets};
	await fetch(walk.address(mcp.slug), {method: 'POST', body, headers});
	const lines = walk.server.logs().join('\n');
	t.true(lines.includes(mcp.id));
	t.false(lines.includes('hush'));
	t.false(lines.includes(mcp.slug));
});
