import {type McpServerRecord, plusSeconds} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {gatedTool, type LenientUpstream, startLenientUpstream} from '../scenarios/proxy/lenient-upstream.ts';
import {type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {sendBytes} from '../scenarios/proxy/send-bytes.ts';
import {interferences, type Sender, type SessionReplay, sessionReplays} from '../scenarios/proxy/session-replays.ts';
import {until} from '../support/mcp/until.ts';

const ttl_seconds = 300;

const approval_config: McpServerRecord['approval_config'] = {
	enabled: true,
	default_action: 'allow',
	trust_level: 'strict',
	ttl_seconds,
	rules: [{pattern: gatedTool, action: 'require'}],
};

const callText = JSON.stringify({
	jsonrpc: '2.0',
	id: 1,
	method: 'tools/call',
	params: {name: gatedTool, arguments: {id: '7', at: 1}},
});

type Headers = readonly (readonly [name: string, value: string])[];

const openPeople = async (proxy: LoneProxy) => {
	const {core, ports, owner} = proxy;
	const [ada, bob, left, stranger] = await Promise.all([
		proxy.addMember(),
		proxy.addMember(),
		proxy.addMember(),
		proxy.addStranger(),
	]);
	const keyOfAda = async () => await core.accounts.apiKeys.create(ada.caller, {name: 'other', scopes: ['proxy']});
	const [other, deleted] = await Promise.all([keyOfAda(), keyOfAda()]);
	const issued_at = plusSeconds(ports.clock.now(), -3600);
	const claims = {user_id: ada.caller.user_id, issued_at, expires_at: plusSeconds(issued_at, 900)};
	const headers: Readonly<Record<Sender, Headers>> = {
		anonymous: [],
		'key of Ada': ada.byKey,
		'other key of Ada': [['X-API-Key', other.key]],
		'token of Ada': ada.byToken,
		'key of Bob': bob.byKey,
		'token of Bob': bob.byToken,
		'key of a stranger': stranger.byKey,
		'token of a stranger': stranger.byToken,
		'bearer of the upstream': [['Authorization', 'Bearer of-the-upstream']],
		'deleted key of Ada': [['X-API-Key', deleted.key]],
		'key of a member who left': left.byKey,
		'expired token of Ada': [['Authorization', `Bearer ${await ports.accessTokens.sign(claims)}`]],
	};
	const leave = async () => {
		await core.accounts.apiKeys.delete(ada.caller, deleted.id);
		await ports.teams.removeMember(owner.team_id, left.caller.user_id);
	};
	return {headers, leave};
};

type Stage = Readonly<{proxy: LoneProxy; upstream: LenientUpstream; path: string}>;

const requestOf = (path: string, headers: Headers, body: string) => ({
	method: 'POST',
	path,
	headers: [['Content-Type', 'application/json'], ['Mcp-Session-Id', 'session-of-the-first'], ...headers] as Headers,
	body: Buffer.from(body),
});

/** Makes the first call and brings it where the case wants it. Answers the connection that may still be open. */
const makeFirstCall = async ({proxy, path}: Stage, {state}: SessionReplay, headers: Headers) => {
	const {approvals} = proxy.core.mcp;
	let leaves = false;
	const answering = sendBytes(proxy.port, requestOf(path, headers, callText), () => leaves);
	const [approval] = await until(async () => {
		const pending = await approvals.list(proxy.owner, 'pending');
		return pending.length > 0 && proxy.held() > 0 && pending;
	}, 'the first call');
	const id = approval?.id ?? '';
	if (state.endsWith('left behind')) {
		leaves = true;
		await until(async () => !(await approvals.get(proxy.owner, id)).caller_waiting, 'the departure');
	}
	if (state === 'granted and left behind' || state === 'used') await approvals.approve(proxy.owner, id);
	if (state === 'rejected') await approvals.reject(proxy.owner, id);
	if (state === 'expired') await proxy.clock.advance((ttl_seconds + 1) * 1000);
	if (state !== 'waiting') await answering;
	return {id, answering};
};

const runReplay = async (t: ExecutionContext, each: SessionReplay) => {
	const upstream = await startLenientUpstream();
	t.teardown(upstream.close);
	const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']});
	const fields = {target_url: `${upstream.origin}/plain`, approval_config, require_auth: each.require_auth ?? false};
	const [path, elsewhere] = [await proxy.addServer(fields), await proxy.addServer(fields)];
	const people = await openPeople(proxy);
	const body = each.body?.(callText) ?? callText;
	const own = requestOf('/plain', people.headers[each.second], body);
	await sendBytes(upstream.port, own);
	const direct = upstream.executions();
	const first = await makeFirstCall({proxy, upstream, path}, each, people.headers[each.first]);
	await people.leave();
	const before = upstream.executions();
	const held = proxy.held();
	const {status} = await sendBytes(
		proxy.port,
		{...own, path: each.elsewhere ? elsewhere : path},
		() => proxy.held() > held || upstream.executions() > before,
	);
	return {proxy, upstream, first, isAlive: direct > 0, ran: upstream.executions() - before, status};
};

test('[PRX-084 PRX-087] who replays the session, the hold or the approval of another runs no gated tool', async (t) => {
	let alive = 0;
	for (const each of sessionReplays) {
		const {isAlive, ran, status, proxy, upstream} = await runReplay(t, each);
		t.true(isAlive, `${each.name}: sent straight, it runs the tool`);
		t.is(ran, 0, each.name);
		t.true(status === 0 || status === 401 || status === 403, `${each.name}: it is held or refused, not ${status}`);
		alive += 1;
		await proxy.end();
		t.is(upstream.executions(), each.state === 'used' ? 2 : 1, `${each.name}: nothing came later`);
		await upstream.close();
	}
	t.log(`${alive} of ${sessionReplays.length} replays are alive`);
});

test('who interferes with a waiting call of another neither runs it nor takes it back', async (t) => {
	const others: readonly Sender[] = ['anonymous', 'token of Bob', 'key of a stranger', 'bearer of the upstream'];
	for (const each of interferences) {
		const upstream = await startLenientUpstream();
		t.teardown(upstream.close);
		const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']});
		const path = await proxy.addServer({target_url: `${upstream.origin}/plain`, approval_config});
		const {headers} = await openPeople(proxy);
		const waiting = {name: each.name, first: 'key of Ada', state: 'waiting', second: 'anonymous'} as const;
		const first = await makeFirstCall({proxy, upstream, path}, waiting, headers['key of Ada']);
		for (const other of others) {
			const request = requestOf(path, headers[other], each.body ?? '');
			const sent = {...request, method: each.method ?? 'POST', headers: [...request.headers, ...(each.headers ?? [])]};
			t.true((await sendBytes(proxy.port, sent)).status > 0, `${other} ${each.name}`);
			t.is(upstream.executions(), 0, `${other} ${each.name}: nothing ran`);
		}
		t.true((await proxy.core.mcp.approvals.get(proxy.owner, first.id)).caller_waiting, each.name);
		await proxy.core.mcp.approvals.approve(proxy.owner, first.id);
		t.is((await first.answering).status, 200, each.name);
		t.is(upstream.executions(), 1, `${each.name}: once approved, it ran once`);
	}
});
