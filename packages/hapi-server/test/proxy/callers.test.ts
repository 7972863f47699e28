import test, {type ExecutionContext} from 'ava';
import {startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {openProxy, post, requireAll, rpc} from './open-proxy.ts';

const open = async (t: ExecutionContext, fields: object = {}) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const server = await proxy.addServer({target_url: upstream.url, ...fields});
	const ping = async (headers: Record<string, string> = {}) => await post(proxy.url(server), rpc('ping'), {headers});
	return {...proxy, upstream, server, ping};
};

test('[MCP-025] without require_auth a call without credentials passes', async (t) => {
	const proxy = await open(t);
	t.is((await proxy.ping()).status, 200);
});

test('[MCP-026] with require_auth a call without credentials is refused', async (t) => {
	const proxy = await open(t, {require_auth: true});
	const answer = await proxy.ping();
	t.is(answer.status, 401);
	t.like(await answer.json(), {id: null, error: {code: 401}});
	t.is((await proxy.ping({authorization: 'Bearer of-the-upstream'})).status, 401);
	t.is(proxy.upstream.received.length, 0);
});

test('[MCP-027 MCP-028] with require_auth a key or an access token of a member of the team passes', async (t) => {
	const proxy = await open(t, {require_auth: true});
	const {key, token} = await proxy.addMember(['proxy']);
	t.is((await proxy.ping({'x-api-key': key})).status, 200);
	t.is((await proxy.ping({authorization: `Bearer ${token}`})).status, 200);
	t.is((await proxy.ping({authorization: `Bearer ${key}`})).status, 200);
	t.is(proxy.upstream.received.length, 3);
});

test('[MCP-029] with require_auth the valid credentials of somebody outside the team are refused', async (t) => {
	const proxy = await open(t, {require_auth: true});
	const {key, token} = await proxy.addStranger(['proxy']);
	t.is((await proxy.ping({'x-api-key': key})).status, 403);
	t.is((await proxy.ping({authorization: `Bearer ${token}`})).status, 403);
	t.is(proxy.upstream.received.length, 0);
});

test('a key without the scope proxy calls no tools, on open servers either', async (t) => {
	const proxy = await open(t);
	const {key} = await proxy.addMember(['api', 'approvals', 'agent']);
	t.is((await proxy.ping({'x-api-key': key})).status, 403);
	t.is((await proxy.ping({authorization: `Bearer ${key}`})).status, 403);
	t.is(proxy.upstream.received.length, 0);
});

test('a credential of ours that does not hold is refused, never taken for an anonymous call', async (t) => {
	const proxy = await open(t);
	const {key, token} = await proxy.addMember(['proxy']);
	await proxy.clock.advance(16 * 60_000);
	for (const headers of [
		{authorization: `Bearer ${token}`},
		{'x-api-key': `${key}x`},
		{'x-api-key': ''},
		{'x-api-key': 'somebody-elses'},
		{authorization: 'Bearer sbx_aaaaaaaa_unknown'},
	] as Record<string, string>[]) {
		t.is((await proxy.ping(headers)).status, 401);
	}
	t.is(proxy.upstream.received.length, 0);
});

test('[PRX-026 PRX-027 PRX-115] a foreign Authorization is the upstream’s; ours never leaves, nor does X-API-Key', async (t) => {
	const proxy = await open(t);
	const {key, token} = await proxy.addMember(['proxy']);
	for (const headers of [
		{authorization: 'Bearer of-the-upstream'},
		{authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': key},
		{authorization: `Bearer ${token}`},
		{authorization: `Bearer ${token}`, 'x-api-key': key},
		{authorization: `bearer ${key}`},
	] as Record<string, string>[]) {
		t.is((await proxy.ping(headers)).status, 200);
	}
	t.deepEqual(
		proxy.upstream.received.map(({headers}) => headers.authorization),
		['Bearer of-the-upstream', 'Basic dXNlcjpwYXNz', undefined, undefined, undefined],
	);
	t.false(JSON.stringify(proxy.upstream.received).includes('sbx_'));
});

test('[PRX-067 PRX-068] first the server, then the caller, then the body', async (t) => {
	const inactive = await open(t, {require_auth: true, is_active: false});
	t.is((await inactive.ping()).status, 404);
	const proxy = await open(t, {require_auth: true});
	t.is((await post(proxy.url(proxy.server), '{')).status, 401);
});

test('[APR-076] the very key that made a call cannot decide it, another member can', async (t) => {
	const proxy = await open(t, {approval_config: requireAll});
	const {key, caller} = await proxy.addMember(['proxy', 'approvals']);
	const other = await proxy.addMember(['approvals']);
	const body = rpc('tools/call', {name: 'delete_item'});
	const answering = post(proxy.url(proxy.server), body, {headers: {'x-api-key': key}});
	const approval = await proxy.pendingApproval();
	const {authentication} = proxy.core.accounts;
	const itself = await authentication.authenticate({api_key: key});
	t.is(itself.user_id, caller.user_id);
	await t.throwsAsync(proxy.core.mcp.approvals.approve(itself, approval), {message: /./, name: 'DomainError'});
	t.is(proxy.upstream.received.length, 0);
	await proxy.core.mcp.approvals.approve(await authentication.authenticate({api_key: other.key}), approval);
	t.is((await answering).status, 200);
	t.is(proxy.upstream.received.length, 1);
});
