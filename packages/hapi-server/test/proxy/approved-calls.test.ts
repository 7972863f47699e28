import {setTimeout as pause} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {callOf, type OpenProxy, openProxy, type ProxyOptions, post, requireAll} from './open-proxy.ts';

type Held = OpenProxy & Readonly<{upstream: Awaited<ReturnType<typeof startScriptedUpstream>>; address: string}>;

type Setup = ProxyOptions & Readonly<{script?: Script; server?: object}>;

const openHeld = async (t: ExecutionContext, {script, server = {}, ...options}: Setup = {}): Promise<Held> => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, options);
	const added = await proxy.addServer({target_url: upstream.url, approval_config: requireAll, ...server});
	return {...proxy, upstream, address: proxy.url(added)};
};

/** `params.arguments` in these very bytes. */
const bodyWith = (given: string, name = 'delete_item', id = 1): string =>
	`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

/** A call whose client gave up while it waited. @returns the id of its approval. */
const giveUp = async (proxy: Held, body: unknown, headers: Record<string, string> = {}): Promise<string> => {
	const leaving = new AbortController();
	const gone = post(proxy.address, body, {signal: leaving.signal, headers}).catch(() => {});
	const approval = await proxy.pendingApproval();
	leaving.abort();
	await gone;
	await until(async () => !(await proxy.core.mcp.approvals.get(proxy.owner, approval)).caller_waiting);
	return approval;
};

const pendingIds = async ({core, owner}: Held) => (await core.mcp.approvals.list(owner, 'pending')).map(({id}) => id);

/** Makes the call, sees that it is held under an approval of its own, and rejects it. */
const isHeldAnew = async (t: ExecutionContext, proxy: Held, send: () => Promise<Response>): Promise<void> => {
	const sent = proxy.upstream.received.length;
	const answering = send();
	const approval = await proxy.pendingApproval();
	t.is(proxy.upstream.received.length, sent);
	await proxy.core.mcp.approvals.reject(proxy.owner, approval);
	await (await answering).text();
	t.is(proxy.upstream.received.length, sent);
};

test('[PRX-084 PRX-097] what was approved is used by the same bytes of the same tool only, whatever they mean', async (t) => {
	const proxy = await openHeld(t);
	const given = '{"id":1,"note":"ä"}';
	const approval = await giveUp(proxy, bodyWith(given));
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const others = [
		'{"id":2,"note":"ä"}',
		'{"id":1.0,"note":"ä"}',
		'{"id":1e0,"note":"ä"}',
		'{"id":1 ,"note":"ä"}',
		'{ "id":1,"note":"ä"}',
		'{"note":"ä","id":1}',
		'{"id":1,"note":"\\u00e4"}',
		'{"id":1,"note":"a\u0308"}',
		'{"id":1,"note":"ä","x":0}',
		'{"id":1}',
		'{}',
	];
	for (const other of others) await isHeldAnew(t, proxy, () => post(proxy.address, bodyWith(other)));
	await isHeldAnew(t, proxy, () => post(proxy.address, bodyWith(given, 'delete_items')));
	await isHeldAnew(t, proxy, () => post(proxy.address, bodyWith(given, 'Delete_item')));
	t.is((await post(proxy.address, bodyWith(given))).status, 200);
	t.is(proxy.upstream.received.length, 1);
});

test('[PRX-097] what was approved for one caller or one server is not used for another one', async (t) => {
	const proxy = await openHeld(t);
	const body = callOf('delete_item', {id: 7});
	const [agent, other] = [await proxy.addMember(['proxy']), await proxy.addMember(['proxy'])];
	const credentials = [
		{'x-api-key': agent.key},
		{'x-api-key': other.key},
		{authorization: `Bearer ${agent.token}`},
		{},
	];
	for (const [index, own] of credentials.entries()) {
		const approval = await giveUp(proxy, body, own as Record<string, string>);
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		for (const foreign of credentials.toSpliced(index, 1))
			await isHeldAnew(t, proxy, () => post(proxy.address, body, {headers: foreign as Record<string, string>}));
		const answer = await post(proxy.address, body, {headers: own as Record<string, string>});
		t.is(answer.status, 200);
		t.is(proxy.upstream.received.length, index + 1);
	}
	const twin = proxy.url(await proxy.addServer({target_url: proxy.upstream.url, approval_config: requireAll}));
	await proxy.core.mcp.approvals.approve(proxy.owner, await giveUp(proxy, body));
	await isHeldAnew(t, proxy, () => post(twin, body));
});

test('[PRX-085] what was approved is not used once its time is over', async (t) => {
	const proxy = await openHeld(t, {server: {approval_config: {...requireAll, ttl_seconds: 60}}});
	await proxy.core.mcp.approvals.approve(proxy.owner, await giveUp(proxy, callOf('delete_item')));
	await proxy.clock.advance(60_000);
	await isHeldAnew(t, proxy, () => post(proxy.address, callOf('delete_item')));
	t.is(proxy.upstream.received.length, 0);
});

test('[PRX-086] an approved call is not forwarded when the budget was spent meanwhile, and may be made when there is money', async (t) => {
	const rate_limit_config = {cost: {budget_cents: 100, alert_threshold_percent: 80}};
	const rules = [{pattern: 'get_item', action: 'allow' as const}];
	const proxy = await openHeld(t, {
		server: {default_cost_cents: 60, rate_limit_config, approval_config: {...requireAll, ttl_seconds: 86_400, rules}},
	});
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	t.is((await post(proxy.address, callOf('get_item'))).status, 200);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const refused = await answering;
	t.is(refused.status, 429);
	t.like(await refused.json(), {id: 1, error: {code: 429}});
	t.is(proxy.upstream.received.length, 1);
	// The next month.
	await proxy.clock.advance(24 * 3_600_000 - 3_600_000);
	t.is((await post(proxy.address, callOf('delete_item'))).status, 200);
	t.is(proxy.upstream.received.length, 2);
});

test('[PRX-087] of identical calls that come at once for what was approved, exactly one is forwarded', async (t) => {
	const proxy = await openHeld(t);
	await proxy.core.mcp.approvals.approve(proxy.owner, await giveUp(proxy, callOf('delete_item')));
	const calls = Array.from({length: 20}, () => post(proxy.address, callOf('delete_item')));
	await until(() => proxy.held() === 19, 'the hold of the others');
	await until(() => proxy.upstream.received.length > 0, 'the call');
	t.is((await Promise.race(calls)).status, 200);
	await Promise.all((await pendingIds(proxy)).map((id) => proxy.core.mcp.approvals.reject(proxy.owner, id)));
	const answers = await Promise.all(
		calls.map(async (call) => (await (await call).json()) as {result: {isError?: true}}),
	);
	t.is(answers.filter(({result}) => result.isError !== true).length, 1);
	t.is(proxy.upstream.received.length, 1);
});

test('[PRX-088] the time a call was held is not taken from the time its upstream has', async (t) => {
	const timeout = 1_500;
	const proxy = await openHeld(t, {settings: {upstream_timeout_ms: timeout}});
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	// The upstream's timer is a real one.
	await pause(2 * timeout);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.deepEqual(await (await answering).json(), {jsonrpc: '2.0', id: 1, result: {}});
});

test('[PRX-091 PRX-106] whatever blocks a held call, its result names the approval and its status, and it is logged', async (t) => {
	const ends: Record<string, (proxy: Held, approval: string) => Promise<unknown>> = {
		rejected: (proxy, approval) => proxy.core.mcp.approvals.reject(proxy.owner, approval, 'no'),
		expired: (proxy) => proxy.clock.advance(301_000),
		approved: async (proxy, approval) => {
			const [server] = await proxy.ports.mcpServers.list(proxy.owner.team_id);
			await proxy.core.mcp.servers.update(proxy.owner, server?.id ?? '', {is_active: false});
			await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		},
	};
	for (const [status, end] of Object.entries(ends)) {
		const proxy = await openHeld(t);
		const answering = post(proxy.address, callOf('delete_item'), {headers: {accept: 'application/json'}});
		const approval = await proxy.pendingApproval();
		await end(proxy, approval);
		const text = await (await answering).text();
		t.deepEqual(JSON.parse(text).result._meta, {'signalbox/approval': {id: approval, status}}, status);
		const [call, ...more] = await proxy.calls(1);
		t.deepEqual(more, []);
		t.like(call, {
			method: 'tools/call',
			tool_name: 'delete_item',
			status: status === 'expired' ? 'timeout' : 'error',
			approval_id: approval,
			request_body: JSON.stringify(callOf('delete_item')),
			response_body: text,
		});
		t.is(proxy.upstream.received.length, 0);
	}
});

test('[PRX-106] a call that was not let through to a person is logged too', async (t) => {
	const proxy = await openHeld(t, {core: {settings: {max_pending_approvals: 1}}});
	const waiting = post(proxy.address, callOf('delete_item', {id: 1})).catch(() => {});
	await proxy.pendingApproval();
	t.is((await post(proxy.address, callOf('delete_item', {id: 2}))).status, 429);
	t.like((await proxy.calls(1))[0], {status: 'error', status_code: 429, tool_name: 'delete_item', approval_id: null});
	await proxy.closeProxy();
	await waiting;
});

test('[PRX-095] an identical call takes the place of one whose client gave up, and several each get their own', async (t) => {
	const proxy = await openHeld(t);
	const first = await giveUp(proxy, callOf('delete_item'));
	const calls = [1, 2, 3].map(() => post(proxy.address, callOf('delete_item')));
	await until(() => proxy.held() === 3, 'the hold of all three');
	const approvals = await pendingIds(proxy);
	t.is(approvals.length, 3);
	t.true(approvals.includes(first));
	t.true((await proxy.core.mcp.approvals.get(proxy.owner, first)).caller_waiting);
	await Promise.all(approvals.map((id) => proxy.core.mcp.approvals.approve(proxy.owner, id)));
	t.deepEqual(await Promise.all(calls.map(async (call) => (await call).status)), [200, 200, 200]);
	t.is(proxy.upstream.received.length, 3);
	const ran = (await proxy.calls(4)).filter(({status}) => status === 'success');
	t.deepEqual(ran.map(({approval_id}) => approval_id).toSorted(), approvals.toSorted());
});

test('[PRX-074] a call that is held for longer than HTTP clients wait is never silent for more than 15 seconds', async (t) => {
	const proxy = await openHeld(t, {server: {approval_config: {...requireAll, ttl_seconds: 900}}});
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(2_000);
	const answer = await answering;
	const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
	for (let waited = 0; waited < 330; waited += 15) {
		const beat = reader?.read();
		await proxy.clock.advance(15_000);
		t.is((await beat)?.value, ': waiting for approval\n\n');
	}
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.regex((await reader?.read())?.value ?? '', /"result":\{\}/);
	t.is(proxy.upstream.received.length, 1);
});
