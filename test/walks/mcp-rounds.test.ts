import test, {type ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {connectStateless} from '../support/mcp/official-clients.ts';
import {type StatelessOptions, startStatelessUpstream} from '../support/mcp/stateless-upstream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

/**
 * A whole server before an upstream of revision 2026-07-28 whose tools people must approve, and the official client.
 * @param thinkingMs how long a person takes to fill in a form.
 */
const start = async (t: ExecutionContext, options: StatelessOptions, thinkingMs = 0) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const upstream = await startStatelessUpstream(options);
	t.teardown(upstream.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const approval_config = {enabled: true, trust_level: 'strict', ttl_seconds: 60};
	const {body: mcp} = await api.post('/v1/mcp/servers', {name: 'tools', target_url: upstream.url, approval_config});
	const client = await connectStateless(`${server.proxyUrl}/p/${mcp.slug}`, () => {
		server.advance(thinkingMs);
		return {reason: 'spam'};
	});
	t.teardown(client.close);
	const pending = async (): Promise<Body> =>
		await until(async () => (await api.get('/v1/mcp/approvals')).body.data[0], 'a pending approval');
	const rows = async (): Promise<Body[]> => (await api.get('/v1/mcp/calls?tool_name=delete_item')).body.data;
	return {upstream, api, client, pending, rows};
};

test('[PRX-116] one approval over the API carries a call through all the rounds of its upstream', async (t) => {
	const {upstream, api, client, pending, rows} = await start(t, {events: true, rounds: ['theirs', undefined]});
	const calling = client.callTool('delete_item', {id: '7'});
	const approval = await pending();
	t.is(upstream.called.length, 0);
	t.is((await api.post(`/v1/mcp/approvals/${approval.id}/approve`)).status, 200);
	t.deepEqual((await calling).content, [{type: 'text', text: 'deleted: spam'}]);
	t.is(upstream.executions(), 1);
	const logged = await rows();
	t.is(logged.length, 3);
	t.true(logged.every(({approval_id, status}) => approval_id === approval.id && status === 'success'));
	t.is(new Set(logged.map(({id}) => id)).size, 3);
	const states = logged.map(({request_body}) => JSON.parse(request_body).params.requestState);
	t.deepEqual(
		upstream.called.map(({params}) => params.requestState),
		[undefined, 'theirs', undefined],
	);
	t.is(states.filter((state) => state?.startsWith('sbx1.')).length, 2);
	t.deepEqual((await api.get('/v1/mcp/approvals')).body.data, []);
});

test('a round that comes an hour after its call began, by the clock of the database, is too late', async (t) => {
	const {upstream, api, client, pending} = await start(t, {rounds: ['theirs']}, 3_600_000);
	const calling = client.callTool('delete_item', {id: '7'});
	await api.post(`/v1/mcp/approvals/${(await pending()).id}/approve`);
	await t.throwsAsync(calling, {message: /used already, or is too old/});
	t.is(upstream.executions(), 0);
});
