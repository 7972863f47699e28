import {connect} from 'node:net';
import test from 'ava';
import {officialClients} from '../../../../test/support/mcp/official-clients.ts';
import {answerJson, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {startTicketsServer} from '../../../../test/support/mcp/tickets-server.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {callOf, openProxy, post, rpc} from './open-proxy.ts';

for (const {name, connect} of officialClients) {
	for (const json of [true, false]) {
		test(`[PRX-001 PRX-021 MCP-025] ${name} works with a server that answers as ${json ? 'JSON' : 'events'}`, async (t) => {
			const upstream = await startTicketsServer({json});
			t.teardown(upstream.close);
			const proxy = await openProxy(t);
			const server = await proxy.addServer({target_url: upstream.url});
			const client = await connect(proxy.url(server));
			t.true((await client.toolNames()).includes('delete_item'));
			t.deepEqual((await client.callTool('delete_item', {id: '7'})).content, [{type: 'text', text: 'delete_item 7'}]);
			t.true((await client.callTool('fail')).isError);
			t.is(upstream.executions('delete_item'), 1);
			await client.close();
		});
	}
}

test('[PRX-006] a slug is one address with a slash, with /mcp and with neither', async (t) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const url = proxy.url(await proxy.addServer({target_url: upstream.url}));
	for (const address of [url, `${url}/`, `${url}/mcp`]) t.is((await post(address, rpc('ping'))).status, 200);
	for (const address of [`${url}/sse`, `${url}//`, `${url}/mcp/`]) t.is((await post(address, rpc('ping'))).status, 404);
	t.is(upstream.received.length, 3);
});

test('[PRX-049] the upstream gets the very bytes that were sent, at its own path and query', async (t) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const server = await proxy.addServer({target_url: `${upstream.url}?tenant=7`});
	const body = ' { "id" : 1.0e0, "jsonrpc":"2.0",\r\n"method":"ping", "params":{"é":"\\u00e9"} }\n';
	await post(proxy.url(server), body);
	t.is(upstream.received[0]?.body, body);
	t.is(upstream.received[0]?.url, '/mcp?tenant=7');
});

test('a large answer streams through with bounded memory, whole', async (t) => {
	const size = 24 * 1024 * 1024;
	const [start, end] = ['{"jsonrpc":"2.0","id":1,"result":{"text":"', '"}}'];
	const large = Buffer.from(`${start}${'x'.repeat(size - start.length - end.length)}${end}`);
	const upstream = await startScriptedUpstream((_request, response) => {
		response.writeHead(200, {'content-type': 'application/json', 'content-length': size});
		response.end(large);
	});
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const answer = await post(proxy.url(await proxy.addServer({target_url: upstream.url})), rpc('tools/list'));
	t.true(large.equals(await answer.bytes()));
	const [call] = await proxy.calls(1);
	t.is(call?.response_body.length, 10 * 1024 * 1024);
	t.is(call?.status, 'success');
});

test('redirects are passed on as answers, never followed, and lead nobody past the proxy', async (t) => {
	const elsewhere = await startScriptedUpstream();
	const upstream = await startScriptedUpstream((_request, response) => {
		response.writeHead(307, {location: elsewhere.url}).end();
	});
	t.teardown(elsewhere.close);
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const answer = await post(proxy.url(await proxy.addServer({target_url: upstream.url})), callOf('delete_item'));
	t.is(answer.status, 307);
	t.is(answer.headers.get('location'), null);
	t.is(elsewhere.received.length, 0);
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'error', status_code: 307, error_message: 'HTTP 307'});
});

test('two servers keep apart: each slug reaches its own upstream', async (t) => {
	const [one, two] = [await startScriptedUpstream(answerJson('one')), await startScriptedUpstream(answerJson('two'))];
	t.teardown(one.close);
	t.teardown(two.close);
	const proxy = await openProxy(t);
	const urls = [one, two].map(async ({url}) => proxy.url(await proxy.addServer({target_url: url})));
	const answers = await Promise.all(urls.map(async (url) => (await post(await url, rpc('ping'))).json()));
	t.deepEqual(
		answers.map((answer) => (answer as {result: string}).result),
		['one', 'two'],
	);
});

test('a request sent ahead of an answer that never comes does not reach the upstream, and leaves with its client', async (t) => {
	const upstream = await startScriptedUpstream(() => {});
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const {slug} = await proxy.addServer({target_url: upstream.url});
	const body = JSON.stringify(rpc('ping'));
	const head = [`POST /p/${slug} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
	const bytes = `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
	const client = connect(proxy.port, '127.0.0.1');
	client.write(`${bytes}${bytes}`);
	await until(() => upstream.received.length > 0, 'the first request');
	client.destroy();
	await until(() => upstream.aborted() === 1, 'the end of the first request');
	t.is((await proxy.calls(1)).length, 1);
	t.is(upstream.received.length, 1);
});
