import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

test('an endpoint whose destination is itself gets a webhook three times, whatever its steps remove', async (t) => {
	const {api, addEndpoint, addStep, send, event} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	await api.put(`/v1/webhook/endpoints/${endpoint.id}`, {destination_url: endpoint.url});
	await addStep(endpoint, 'transform_headers', {remove: ['x-signalbox-hops']});
	const {event_id} = await send(endpoint.url);
	const refused = await until(async () => {
		const {data} = (await api.get('/v1/webhook/events')).body;
		const waiting = data.find(({delivery_status}: {delivery_status: string}) => delivery_status === 'retrying');
		return waiting && {waiting: await event(waiting.id), ids: data.map(({id}: {id: string}) => id)};
	}, 'the attempt that is refused');
	t.is(refused.ids.length, 3);
	t.true(refused.ids.includes(event_id));
	t.like(refused.waiting.deliveries[0].attempts[0], {outcome: 'failed', status_code: 403});
	t.regex(refused.waiting.deliveries[0].attempts[0].response_body, /leads back here/);
});

test('an endpoint that knows its sender by how often a webhook came through counts on', async (t) => {
	const {api, addEndpoint, send} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	const verification = {type: 'api_key', header: 'X-Signalbox-Hops', key: '1'};
	await api.put(`/v1/webhook/endpoints/${endpoint.id}`, {destination_url: endpoint.url, verification});
	await send(endpoint.url, {headers: {'x-signalbox-hops': '1'}});
	const {data} = await until(async () => {
		const {body} = await api.get('/v1/webhook/events');
		return body.data.some((one: {delivery_status: string}) => one.delivery_status === 'retrying') && body;
	}, 'the attempt that is refused');
	t.is(data.length, 1);
});

test('endpoints may follow each other', async (t) => {
	const {addEndpoint, send} = await openWebhooks(t);
	const destination = await openDestination(t);
	const last = await addEndpoint({destination_url: destination.url});
	const middle = await addEndpoint({destination_url: last.url});
	const first = await addEndpoint({destination_url: middle.url});
	await send(first.url, {headers: {'x-mark': 'yes'}});
	const [sent] = await until(() => destination.received.length > 0 && destination.received, 'the webhook at its end');
	t.like(sent?.headers, {'x-mark': 'yes', 'x-signalbox-hops': '3'});
});

test('an MCP server whose target is the proxy itself answers 403, and costs three calls', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const mcp = (await api.post('/v1/mcp/servers', {name: 'tools', target_url: 'http://127.0.0.1:9/'})).body;
	const address = `${server.proxyUrl}/p/${mcp.slug}`;
	const {status} = await api.put(`/v1/mcp/servers/${mcp.id}`, {target_url: address});
	t.is(status, 200);
	const answer = await fetch(address, {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
		body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'}),
	});
	t.is(answer.status, 403);
	t.regex(await answer.text(), /leads back here/);
	t.is((await api.get(`/v1/mcp/calls?server_id=${mcp.id}`)).body.data.length, 3);
	const setting = await api.put(`/v1/mcp/servers/${mcp.id}`, {upstream_headers: {'X-Signalbox-Hops': '0'}});
	t.is(setting.status, 400);
});
