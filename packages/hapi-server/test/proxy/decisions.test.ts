import type {McpServerRecord} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {callOf, openProxy, post, requireAll, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, fields: Partial<McpServerRecord>) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const server = await proxy.addServer({target_url: upstream.url, ...fields});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

const budget = {cost: {budget_cents: 100, alert_threshold_percent: 80}};
const call = callOf('send_mail', {to: 'bob'}, 2);

/** With a tools/call somewhere in them. */
const batches = {
	'a call alone': [call],
	'a call after a ping': [rpc('ping'), call],
	'a call before a ping': [call, rpc('ping')],
	'a call among answers': [{jsonrpc: '2.0', id: 9, result: {}}, call],
	'two calls': [call, callOf('send_mail', {}, 3)],
	'a call without an id': [rpc('ping'), {jsonrpc: '2.0', method: 'tools/call', params: {name: 'send_mail'}}],
	'the last of a hundred': [...Array.from({length: 99}, (_, id) => rpc('ping', undefined, id)), call],
	'a call of nothing': [rpc('tools/call', {}, 1)],
};

const guards = {
	'PRX-051': ['a rate limit', {rate_limit_config: {requests_per_minute: 1000}}],
	'PRX-052': ['a budget', {default_cost_cents: 5, rate_limit_config: budget}],
} as const;

for (const [id, [guard, fields]] of Object.entries(guards)) {
	test(`[${id}] under ${guard} a batch with a tools/call is refused, and costs nothing`, async (t) => {
		const proxy = await open(t, fields);
		for (const [title, batch] of Object.entries(batches)) {
			const answer = await post(proxy.address, batch);
			t.is(answer.status, 400, title);
			t.like(await answer.json(), {error: {code: -32600}}, title);
		}
		t.is(proxy.upstream.received.length, 0);
		t.is((await proxy.core.mcp.servers.costs(proxy.owner, proxy.server.id, {})).total_cents, 0);
		t.is((await post(proxy.address, [rpc('ping'), rpc('tools/list', {}, 2)])).status, 200);
	});
}

/** What upstreams, gateways and clients say about a message in its headers. */
const claimsOf = (method: string, name: string): readonly Record<string, string>[] => [
	{'mcp-method': method},
	{'mcp-name': name},
	{'mcp-method': method, 'mcp-name': name},
	{'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=`},
	{'mcp-tool': name, 'mcp-tool-name': name, 'x-mcp-tool': name},
	{'x-mcp-method': method, 'x-method': method, 'json-rpc-method': method},
	{'x-original-method': method, 'x-http-method-override': method},
	{soapaction: method, 'x-tool': name, 'x-forwarded-tool': name},
];

test('[PRX-059] whatever headers say, the body decides what is held, and what is paid', async (t) => {
	const rules = [{pattern: 'get_*', action: 'allow' as const}];
	const approval_config = {...requireAll, rules};
	const proxy = await open(t, {approval_config, default_cost_cents: 5, rate_limit_config: budget});
	let asked = 0;
	for (const claim of claimsOf('ping', 'get_item')) {
		const answering = post(proxy.address, callOf('delete_item'), {headers: claim});
		// Either it is refused for what it claims, or it waits: it is never the call that it claims to be.
		if (Object.keys(claim).some((name) => name === 'mcp-method' || name === 'mcp-name')) {
			t.is((await answering).status, 400, JSON.stringify(claim));
			continue;
		}
		const id = await proxy.pendingApproval();
		t.is((await proxy.core.mcp.approvals.get(proxy.owner, id)).tool_name, 'delete_item');
		await proxy.core.mcp.approvals.reject(proxy.owner, id);
		t.regex(await (await answering).text(), /"isError":true/);
		asked += 1;
	}
	t.is(asked, 4);
	t.is(proxy.upstream.received.length, 0);
	const costs = async () => await proxy.core.mcp.servers.costs(proxy.owner, proxy.server.id, {});
	t.is((await costs()).total_cents, 0);
	for (const claim of claimsOf('tools/call', 'delete_item').slice(4))
		t.is((await post(proxy.address, callOf('get_item'), {headers: claim})).status, 200, JSON.stringify(claim));
	t.deepEqual(
		(await costs()).tool_breakdown.map(({tool_name, call_count}) => [tool_name, call_count]),
		[['get_item', 4]],
	);
});

test('[PRX-059] a limit counts the requests that the body holds, whatever headers say', async (t) => {
	const proxy = await open(t, {rate_limit_config: {requests_per_minute: 3}});
	for (const headers of claimsOf('notifications/initialized', 'none').slice(4, 7))
		t.is((await post(proxy.address, callOf('get_item'), {headers})).status, 200);
	const [last] = claimsOf('notifications/initialized', 'none').slice(7);
	t.is((await post(proxy.address, callOf('get_item'), last && {headers: last})).status, 429);
	t.is(proxy.upstream.received.length, 3);
});

test('[PRX-071] a call that waits, is rejected or expires has reserved nothing of the budget', async (t) => {
	const cost = {budget_cents: 5, alert_threshold_percent: 80};
	const fields = {approval_config: requireAll, default_cost_cents: 5, rate_limit_config: {cost}};
	const proxy = await open(t, fields);
	const spent = async () => (await proxy.core.mcp.servers.costs(proxy.owner, proxy.server.id, {})).total_cents;
	const {approvals} = proxy.core.mcp;
	const json = {headers: {accept: 'application/json'}};

	const rejected = post(proxy.address, callOf('delete_item', {}, 1), json);
	const first = await proxy.pendingApproval();
	t.is(await spent(), 0, 'pending');
	await approvals.reject(proxy.owner, first);
	t.regex(await (await rejected).text(), /"isError":true/);
	t.is(await spent(), 0, 'rejected');

	const expired = post(proxy.address, callOf('delete_item', {}, 2), json);
	await proxy.pendingApproval();
	await proxy.clock.advance(301_000);
	t.regex(await (await expired).text(), /"isError":true/);
	t.is(await spent(), 0, 'expired');

	// The whole budget is still there for the one call that is approved.
	const approved = post(proxy.address, callOf('delete_item', {}, 3), json);
	await approvals.approve(proxy.owner, await proxy.pendingApproval());
	t.is((await approved).status, 200);
	t.is(await spent(), 5);
	t.is(proxy.upstream.received.length, 1);
	t.deepEqual(
		(await proxy.calls(3)).map(({cost_cents}) => cost_cents),
		[0, 0, 5],
	);
});
