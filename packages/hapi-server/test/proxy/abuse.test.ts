import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import type {McpServerRecord} from '@signalbox/core';
import {createMemoryStores} from '@signalbox/core/memory';
import {systemClock} from '@signalbox/core/node';
import {failingStores} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {answerJson, type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {callOf, openProxy, type ProxyOptions, post, requireAll, rpc} from './open-proxy.ts';

type Options = ProxyOptions & Readonly<{script?: Script}>;

const open = async (t: ExecutionContext, fields: object = {}, {script, ...options}: Options = {}) => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, options);
	const server = await proxy.addServer({target_url: upstream.url, ...fields});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

const invalidRequest = -32600;

test('a tool name of megabytes, or one that is no Unicode text, is refused where tool calls are guarded', async (t) => {
	const rules = Array.from({length: 20}, () => ({pattern: '*a*b*c', action: 'allow'}));
	const proxy = await open(t, {approval_config: {...requireAll, rules}});
	const names = [JSON.stringify('ab'.repeat(1_000_000)), '"delete_item\\ud800"'];
	for (const name of names) {
		const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name}}}`;
		const answer = await post(proxy.address, body);
		t.is(answer.status, 400);
		t.like(await answer.json(), {id: 1, error: {code: invalidRequest}});
	}
	t.is(proxy.upstream.received.length, 0);
});

test('names of megabytes are logged by their beginning', async (t) => {
	const proxy = await open(t);
	const long = 'x'.repeat(100_000);
	t.is((await post(proxy.address, rpc(long))).status, 200);
	t.is((await post(proxy.address, callOf(long))).status, 200);
	const [method, tool] = await proxy.calls(2);
	t.is(method?.method, long.slice(0, 1280));
	t.is(tool?.tool_name, long.slice(0, 1280));
});

test('a client that is slow to send is judged by what holds when its body is there', async (t) => {
	const proxy = await open(t);
	const body = JSON.stringify(callOf('delete_item'));
	const sendSlowly = async (change: object) => {
		const socket = connect(proxy.port, '127.0.0.1');
		socket.write(`POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
		socket.write(`Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
		await pause(50);
		await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, change);
		socket.write(body.slice(10));
		return await text(socket);
	};
	const refuseAll = {rate_limit_config: {cost: {budget_cents: 1}}, default_cost_cents: 2};
	t.regex(await sendSlowly(refuseAll), /^HTTP\/1\.1 429/);
	t.regex(await sendSlowly({require_auth: true}), /^HTTP\/1\.1 401/);
	await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, {require_auth: false});
	t.regex(await sendSlowly({is_active: false}), /^HTTP\/1\.1 404/);
	t.is(proxy.upstream.received.length, 0);
});

test('a body that is slow to come holds nobody up', async (t) => {
	const proxy = await open(t, {}, {settings: {max_body_bytes: 1000, held_bytes: 1000, patience_ms: 50}});
	const slow = connect(proxy.port, '127.0.0.1');
	slow.write(`POST /p/${proxy.server.slug} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
	slow.write(`Connection: close\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(900)}`);
	await pause(100);
	t.is((await post(proxy.address, callOf('list_items', {filler: 'x'.repeat(300)}))).status, 200);
	const refused = await text(slow);
	t.regex(refused, /^HTTP\/1\.1 429/);
	t.regex(refused, /retry-after: 1/i);
});

test('the largest body that may be sent finds room, however large it may be', async (t) => {
	const proxy = await open(t, {}, {settings: {max_body_bytes: 300_000, held_bytes: 1000, patience_ms: 50}});
	t.is((await post(proxy.address, callOf('list_items', {filler: 'x'.repeat(200_000)}))).status, 200);
});

test('the bodies of one team leave room for those of others', async (t) => {
	const answers: (() => void)[] = [];
	const settings = {max_body_bytes: 1000, held_bytes: 4000, patience_ms: 50};
	const script: Script = (request, response) => void answers.push(() => answerJson()(request, response));
	const proxy = await open(t, {}, {settings, script});
	const {caller} = await proxy.addStranger(['proxy']);
	const other = await proxy.addServer({target_url: proxy.upstream.url, team_id: caller.team_id});
	const send = (server: McpServerRecord) => post(proxy.url(server), callOf('list_items', {filler: 'x'.repeat(600)}));
	const calls = [send(proxy.server), send(other)];
	await until(() => answers.length === 2, 'the call of each team');
	t.is((await send(proxy.server)).status, 429, 'another of the same team');
	for (const answer of answers.splice(0)) answer();
	for (const call of calls) t.is((await call).status, 200);
	const next = send(proxy.server);
	await until(() => answers.length === 1, 'the next call');
	answers[0]?.();
	t.is((await next).status, 200);
});

test('a message too large for a person to judge is refused instead of held, and passes where nobody is asked', async (t) => {
	const rules = [{pattern: 'upload', action: 'allow' as const}];
	const proxy = await open(t, {approval_config: {...requireAll, rules}});
	const around = {name: 'delete_item', arguments: {}, _meta: {filler: 'x'.repeat(300_000)}};
	for (const message of [callOf('delete_item', {filler: 'x'.repeat(300_000)}), rpc('tools/call', around)]) {
		const answer = await post(proxy.address, message);
		t.is(answer.status, 413);
		t.like(await answer.json(), {id: 1, error: {code: 413}});
	}
	t.is((await post(proxy.address, callOf('upload', {filler: 'x'.repeat(300_000)}))).status, 200);
	t.deepEqual(
		(await proxy.calls(3)).map(({status_code}) => status_code),
		[413, 413, 200],
	);
	t.deepEqual(await proxy.core.mcp.approvals.list(proxy.owner, 'pending'), []);
});

test('a call whose key was revoked while it waited does not run, even once it is approved', async (t) => {
	const proxy = await open(t, {approval_config: requireAll});
	const agent = await proxy.addMember(['proxy']);
	const answering = post(proxy.address, callOf('delete_item'), {headers: {'x-api-key': agent.key}});
	const approval = await proxy.pendingApproval();
	const [key] = await proxy.core.accounts.apiKeys.list(agent.caller);
	await proxy.core.accounts.apiKeys.delete(agent.caller, key?.id ?? '');
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.regex(await (await answering).text(), /credentials that it came with were revoked/);
	t.like((await proxy.calls(1))[0], {status: 'error', approval_id: approval});
	t.is(proxy.upstream.received.length, 0);
});

test('a call of somebody who left the team while it waited does not run where members only call', async (t) => {
	const proxy = await open(t, {approval_config: requireAll, require_auth: true});
	const agent = await proxy.addMember(['proxy']);
	const answering = post(proxy.address, callOf('delete_item'), {headers: {'x-api-key': agent.key}});
	const approval = await proxy.pendingApproval();
	await proxy.ports.teams.removeMember(proxy.owner.team_id, agent.caller.user_id);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.regex(await (await answering).text(), /credentials that it came with were revoked/);
	t.is(proxy.upstream.received.length, 0);
});

test('an access token that expires while its call waits does not keep the call from running', async (t) => {
	const proxy = await open(t, {approval_config: {...requireAll, ttl_seconds: 7200}});
	const {token} = await proxy.addMember(['proxy']);
	const headers = {authorization: `Bearer ${token}`, accept: 'application/json'};
	const answering = post(proxy.address, callOf('delete_item'), {headers});
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(3_600_000);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.is((await answering).status, 200);
	t.is(proxy.upstream.received.length, 1);
});

test('a call that the gate cannot judge is refused under its id, and logged', async (t) => {
	const {approvals} = createMemoryStores({clock: systemClock});
	const ports = failingStores({approvals}, {approvals: {reattach: new Error('disk full')}});
	const proxy = await open(t, {approval_config: requireAll}, {core: {ports}});
	const answer = await post(proxy.address, callOf('delete_item', {}, 'x'));
	t.is(answer.status, 500);
	t.like(await answer.json(), {id: 'x', error: {code: 500}});
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 500, tool_name: 'delete_item'});
	t.is(proxy.upstream.received.length, 0);
});

test('a call whose address cannot be looked up costs nothing: it never left', async (t) => {
	const {variables} = createMemoryStores({clock: systemClock});
	const ports = failingStores({variables}, {variables: {byKeys: new Error('disk full')}});
	const proxy = await open(t, {target_url: '{{env.TARGET}}', default_cost_cents: 5}, {core: {ports}});
	const answer = await post(proxy.address, callOf('delete_item', {}, 'x'));
	t.is(answer.status, 500);
	t.is((await proxy.core.mcp.servers.costs(proxy.owner, proxy.server.id, {})).total_cents, 0);
});
