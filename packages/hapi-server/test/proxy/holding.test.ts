import type {Stores} from '@signalbox/core';
import {createMemoryStores} from '@signalbox/core/memory';
import {createManualClock, failingStores, type StoreFailures} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {officialClients} from '../../../../test/support/mcp/official-clients.ts';
import {answerJson, type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {startTicketsServer} from '../../../../test/support/mcp/tickets-server.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {callOf, openProxy, type ProxyOptions, post, requireAll} from './open-proxy.ts';

/** A proxy whose one server holds every tool call, before a scripted upstream. */
const openHeld = async (
	t: ExecutionContext,
	script?: Script,
	{approval_config = {}, ...options}: ProxyOptions & {approval_config?: object} = {},
) => {
	const upstream = await startScriptedUpstream(script);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, options);
	const config = {...requireAll, ...approval_config};
	const server = await proxy.addServer({target_url: upstream.url, approval_config: config});
	return {...proxy, upstream, server, address: proxy.url(server)};
};

/** Stores of which the named methods fail once they are told to. */
const breakableStores = (failures: StoreFailures) => {
	const stores: Stores = createMemoryStores({clock: createManualClock()});
	const broken = failingStores(stores, failures);
	let isBroken = false;
	const breakable = <Store extends object>(whole: Store, failing: Store): Store =>
		new Proxy(whole, {get: (_, name) => Reflect.get(isBroken ? failing : whole, name)});
	return {
		...stores,
		approvals: breakable(stores.approvals, broken.approvals),
		callLog: breakable(stores.callLog, broken.callLog),
		break: () => {
			isBroken = true;
		},
	};
};

const withToken = (token: unknown) => ({
	...callOf('delete_item', {id: '7'}),
	params: {name: 'delete_item', arguments: {id: '7'}, _meta: {progressToken: token}},
});

const eventsOf = (text: string): unknown[] =>
	text
		.split('\n\n')
		.filter((event) => event.includes('data: '))
		.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));

for (const {name, connect} of officialClients) {
	test(`[APR-041 APR-047] ${name}: a held call runs once a person approved it, once`, async (t) => {
		const upstream = await startTicketsServer();
		t.teardown(upstream.close);
		const proxy = await openProxy(t);
		const server = await proxy.addServer({target_url: upstream.url, approval_config: requireAll});
		const client = await connect(proxy.url(server));
		const calling = client.callTool('delete_item', {id: '7'});
		const approval = await proxy.pendingApproval();
		t.is(upstream.executions('delete_item'), 0);
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		t.deepEqual((await calling).content, [{type: 'text', text: 'delete_item 7'}]);
		t.is(upstream.executions('delete_item'), 1);
		await client.close();
	});

	test(`[APR-051 APR-050] ${name}: a rejected call never reaches the upstream, and the model reads the note`, async (t) => {
		const upstream = await startTicketsServer();
		t.teardown(upstream.close);
		const proxy = await openProxy(t);
		const server = await proxy.addServer({target_url: upstream.url, approval_config: requireAll});
		const client = await connect(proxy.url(server));
		const calling = client.callTool('delete_item', {id: '7'});
		const approval = await proxy.pendingApproval();
		await proxy.core.mcp.approvals.reject(proxy.owner, approval, 'Use archive_item instead.');
		const result = await calling;
		t.true(result.isError);
		t.regex(result.content[0]?.text ?? '', /delete_item was not run.*rejected.*Use archive_item instead\./);
		t.deepEqual(result._meta?.['signalbox/approval'], {id: approval, status: 'rejected'});
		t.is(upstream.executions('delete_item'), 0);
		await client.close();
	});

	test(`${name}: a long hold keeps the client informed, and the answer arrives in the open stream`, async (t) => {
		const upstream = await startTicketsServer();
		t.teardown(upstream.close);
		const proxy = await openProxy(t);
		const server = await proxy.addServer({target_url: upstream.url, approval_config: requireAll});
		const client = await connect(proxy.url(server));
		const seen: number[] = [];
		const calling = client.callTool('progress', {steps: 3}, {onprogress: ({progress}) => void seen.push(progress)});
		const approval = await proxy.pendingApproval();
		await proxy.clock.advance(32_000);
		await until(() => seen.length >= 4, 'the fourth progress');
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		t.deepEqual((await calling).content, [{type: 'text', text: '3 steps'}]);
		t.deepEqual(
			seen,
			[...seen].sort((a, b) => a - b),
		);
		t.deepEqual(seen.slice(-3), [1, 2, 3]);
		await client.close();
	});
}

test('[PRX-073] a decision within two seconds leaves no trace: the plain answer of the upstream', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(1_900);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const answer = await answering;
	t.is(answer.headers.get('content-type'), 'application/json');
	t.deepEqual(await answer.json(), {jsonrpc: '2.0', id: 1, result: {}});
});

test('[PRX-074 PRX-077 PRX-078] a longer hold is a stream with comments and rising negative progress', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, withToken('p-1'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(2_000);
	const answer = await answering;
	t.is(answer.status, 200);
	t.is(answer.headers.get('content-type'), 'text/event-stream');
	t.is(answer.headers.get('x-accel-buffering'), 'no');
	await proxy.clock.advance(31_000);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const text = await answer.text();
	t.is(text.split(': waiting for approval\n\n').length - 1, 2);
	const progress = eventsOf(text).slice(0, -1) as {method: string; params: Record<string, unknown>}[];
	t.deepEqual(
		progress.map(({params}) => params.progress),
		[-1, -1 / 2, -1 / 3, -1 / 4],
	);
	for (const {method, params} of progress) {
		t.is(method, 'notifications/progress');
		t.is(params.progressToken, 'p-1');
		t.is(params.message, `Waiting for a person to approve: http://signalbox.example.com/approvals/${approval}`);
	}
	t.deepEqual(eventsOf(text).at(-1), {jsonrpc: '2.0', id: 1, result: {}});
});

test('[PRX-076] without a progress token a held stream has comments only', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(32_000);
	const answer = await answering;
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const text = await answer.text();
	t.is(eventsOf(text).length, 1);
	t.is(text.split(': waiting for approval').length - 1, 2);
});

test('[PRX-075] a client that takes no events keeps waiting for its plain answer', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'), {headers: {accept: 'application/json'}});
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(60_000);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.is((await answering).headers.get('content-type'), 'application/json');
});

test('[APR-052 PRX-090 PRX-093] a call that nobody decides about expires, and its client is told', async (t) => {
	const proxy = await openHeld(t, answerJson(), {approval_config: {ttl_seconds: 60}});
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(61_000);
	const [event] = eventsOf(await (await answering).text()) as [{result: Record<string, unknown>}];
	t.true(event.result.isError);
	t.deepEqual(event.result._meta, {'signalbox/approval': {id: approval, status: 'expired'}});
	t.is(proxy.upstream.received.length, 0);
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'timeout', status_code: 200, approval_id: approval, duration_ms: 60_000});
});

test('[PRX-089 PRX-092 PRX-112] a rejected call is logged as it was answered, its wait included', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(1_000);
	await proxy.core.mcp.approvals.reject(proxy.owner, approval);
	const answer = await answering;
	const body = await answer.text();
	t.is(answer.status, 200);
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'error', status_code: 200, approval_id: approval, duration_ms: 1_000, response_body: body});
	t.regex(call?.error_message ?? '', /rejected/);
});

test('[PRX-094 PRX-098 APR-079] a client that goes away only detaches: nothing runs, the approval stays pending', async (t) => {
	const proxy = await openHeld(t);
	const leaving = new AbortController();
	const answering = post(proxy.address, callOf('delete_item'), {signal: leaving.signal}).catch(() => 'gone');
	const approval = await proxy.pendingApproval();
	leaving.abort();
	t.is(await answering, 'gone');
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'error', status_code: 499, approval_id: approval});
	t.like(await proxy.core.mcp.approvals.get(proxy.owner, approval), {status: 'pending', caller_waiting: false});
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	await proxy.clock.advance(5_000);
	t.is(proxy.upstream.received.length, 0);
	t.is(proxy.held(), 0);
});

test('[PRX-096] an identical retry uses the approval that was granted meanwhile, once', async (t) => {
	const proxy = await openHeld(t);
	const leaving = new AbortController();
	const answering = post(proxy.address, callOf('delete_item'), {signal: leaving.signal}).catch(() => 'gone');
	const approval = await proxy.pendingApproval();
	leaving.abort();
	await answering;
	await until(async () => !(await proxy.core.mcp.approvals.get(proxy.owner, approval)).caller_waiting);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.is((await post(proxy.address, callOf('delete_item', {}, 2))).status, 200);
	t.is(proxy.upstream.received.length, 1);
	const again = post(proxy.address, callOf('delete_item', {}, 3), {signal: AbortSignal.timeout(5_000)}).catch(() => {});
	t.not(await proxy.pendingApproval(), approval);
	t.is(proxy.upstream.received.length, 1);
	await proxy.closeProxy();
	await again;
});

test('[APR-078] the same arguments in other bytes need an approval of their own', async (t) => {
	const proxy = await openHeld(t);
	const bodyWith = (given: string) =>
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_item","arguments":${given}}}`;
	const leaving = new AbortController();
	const first = post(proxy.address, bodyWith('{"id":1}'), {signal: leaving.signal}).catch(() => 'gone');
	const approval = await proxy.pendingApproval();
	leaving.abort();
	await first;
	await until(async () => !(await proxy.core.mcp.approvals.get(proxy.owner, approval)).caller_waiting);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const other = post(proxy.address, bodyWith('{"id":1.0}')).catch(() => {});
	const another = await proxy.pendingApproval();
	t.not(another, approval);
	t.is(proxy.upstream.received.length, 0);
	await proxy.core.mcp.approvals.reject(proxy.owner, another);
	await other;
});

test('notifications/cancelled takes a held call back, and the upstream never hears of either', async (t) => {
	const proxy = await openHeld(t);
	const session = {headers: {'mcp-session-id': 's-1'}};
	const cancelled = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}};
	const answering = post(proxy.address, withToken(1), session);
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(2_000);
	const answer = await answering;
	const stranger = await post(proxy.address, cancelled, {headers: {'mcp-session-id': 's-2'}});
	t.is(stranger.status, 200);
	t.is(proxy.held(), 1);
	t.is((await post(proxy.address, cancelled, session)).status, 202);
	t.is(eventsOf(await answer.text()).filter((event) => (event as {id?: unknown}).id === 1).length, 0);
	t.like(await proxy.core.mcp.approvals.get(proxy.owner, approval), {status: 'pending', caller_waiting: false});
	t.deepEqual(
		proxy.upstream.received.map(({headers}) => headers['mcp-session-id']),
		['s-2'],
	);
});

test('a call is taken back while its approval is still made, as by who saw the approval through another process', async (t) => {
	const clock = createManualClock();
	const stores = createMemoryStores({clock});
	const told = Promise.withResolvers<void>();
	const notifications = {...stores.notifications, append: async () => told.promise};
	const proxy = await openHeld(t, undefined, {core: {ports: {...stores, notifications}}});
	const cancelled = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}};
	const answering = post(proxy.address, callOf('delete_item'));
	const [approval] = await until(async () => {
		const found = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
		return found.length > 0 && found;
	}, 'the approval');
	t.is((await post(proxy.address, cancelled)).status, 202);
	told.resolve();
	t.is(await (await answering).text(), '');
	t.is(proxy.held(), 0);
	t.like(await proxy.core.mcp.approvals.get(proxy.owner, approval?.id ?? ''), {caller_waiting: false});
	t.is(proxy.upstream.received.length, 0);
});

test('another agent of the same user takes back none of its calls, though both count their ids from one', async (t) => {
	const proxy = await openHeld(t);
	await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, {require_auth: true});
	const agent = async (name: string) => {
		const {key} = await proxy.core.accounts.apiKeys.create(proxy.owner, {name, scopes: ['proxy']});
		return {headers: {'x-api-key': key}};
	};
	const [one, other] = [await agent('one'), await agent('other')];
	const cancelled = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}};
	const answering = post(proxy.address, callOf('delete_item'), one);
	await proxy.pendingApproval();
	t.is((await post(proxy.address, cancelled, other)).status, 200);
	t.is(proxy.held(), 1);
	t.is(proxy.upstream.received.length, 1, 'the upstream is told: there its call may run');
	t.is((await post(proxy.address, cancelled, one)).status, 202);
	await answering;
	t.is(proxy.held(), 0);
});

test('[PRX-082] an approved call does not run on a server that became inactive meanwhile', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, {is_active: false});
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const {result} = (await (await answering).json()) as {result: {isError: boolean; content: {text: string}[]}};
	t.true(result.isError);
	t.regex(result.content[0]?.text ?? '', /configuration of this server changed/);
	t.is(proxy.upstream.received.length, 0);
});

test('when too many calls wait, the next one is told to come later', async (t) => {
	const upstream = await startScriptedUpstream();
	t.teardown(upstream.close);
	const proxy = await openProxy(t, {core: {settings: {max_pending_approvals: 2}}});
	const address = proxy.url(await proxy.addServer({target_url: upstream.url, approval_config: requireAll}));
	const waiting = [1, 2].map((id) => post(address, callOf('delete_item', {id}, id)).catch(() => {}));
	await until(() => proxy.held() === 2);
	const answer = await post(address, callOf('delete_item', {id: 3}, 'three'));
	t.is(answer.status, 429);
	t.true(Number(answer.headers.get('retry-after')) > 0);
	t.like(await answer.json(), {id: 'three', error: {code: 429}});
	await proxy.closeProxy();
	await Promise.all(waiting);
});

test('an answer as events follows into the open stream as it is', async (t) => {
	const proxy = await openHeld(t, ({body}, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write('id: 1\ndata:\n\n');
		response.end(
			`event: message\ndata: ${JSON.stringify({jsonrpc: '2.0', id: JSON.parse(body).id, result: {n: 1}})}\n\n`,
		);
	});
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(3_000);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	t.is(
		await (await answering).text(),
		'id: 1\ndata:\n\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"n":1}}\n\n',
	);
});

test('what an upstream answers otherwise becomes an error event under the id of the call', async (t) => {
	const answers: [number, string, unknown][] = [
		[500, 'oops', {code: 502, message: 'The upstream answered HTTP 500.'}],
		[
			404,
			'{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
			{code: -32001, message: 'Session not found'},
		],
		[
			200,
			'{\n  "jsonrpc": "2.0",\r\n  "id": 1,\n  "error": {"code": -1, "message": "a\\nb"}\n}',
			{code: -1, message: 'a\nb'},
		],
	];
	for (const [status, text, error] of answers) {
		const proxy = await openHeld(t, (_request, response) => {
			response.writeHead(status, {'content-type': 'application/json'}).end(text);
		});
		const answering = post(proxy.address, callOf('delete_item'));
		const approval = await proxy.pendingApproval();
		await proxy.clock.advance(3_000);
		await proxy.core.mcp.approvals.approve(proxy.owner, approval);
		t.deepEqual(eventsOf(await (await answering).text()), [{jsonrpc: '2.0', id: 1, error}]);
	}
});

test('an upstream that fails after the approval is an error event, and the spent approval is not used again', async (t) => {
	const proxy = await openHeld(t, (_request, response) => response.destroy());
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.clock.advance(3_000);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	const [event] = eventsOf(await (await answering).text());
	t.like(event, {id: 1, error: {code: 502}});
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'error', status_code: 502, approval_id: approval});
	t.is(proxy.upstream.received.length, 1);
});

test('what fails while a call is held, or as it is settled, is an error event in the open stream', async (t) => {
	const diskFull = new Error('disk full');
	const refusal = {code: 500, message: 'Something went wrong on our side.'};
	const cases = [
		{approvals: {get: diskFull}},
		{approvals: {get: diskFull}, callLog: {append: diskFull}},
		{callLog: {append: diskFull}},
	];
	for (const failures of cases) {
		const ports = breakableStores(failures);
		const proxy = await openHeld(t, undefined, {core: {ports}});
		const answering = post(proxy.address, callOf('delete_item'));
		const approval = await proxy.pendingApproval();
		await proxy.clock.advance(2_000);
		const answer = await answering;
		t.is(answer.headers.get('content-type'), 'text/event-stream');
		ports.break();
		await proxy.core.mcp.approvals.reject(proxy.owner, approval).catch(() => {});
		await proxy.clock.advance(1_000);
		t.deepEqual(eventsOf(await answer.text()), [{jsonrpc: '2.0', id: 1, error: refusal}]);
		t.is(proxy.held(), 0);
		t.is(proxy.upstream.received.length, 0);
	}
});

test('an approved call is logged under the id of its approval, and its process attends to it no more', async (t) => {
	const proxy = await openHeld(t);
	const answering = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.core.mcp.approvals.approve(proxy.owner, approval);
	await (await answering).text();
	t.like(await proxy.core.mcp.calls.get(proxy.owner, approval), {status: 'success', approval_id: approval});
	await proxy.clock.advance(60_000);
	t.deepEqual(await proxy.ports.attendance.lapsed(10), []);
});

test('stopping ends held calls at once and leaves their approvals pending', async (t) => {
	const proxy = await openHeld(t);
	const plain = post(proxy.address, callOf('delete_item'));
	const approval = await proxy.pendingApproval();
	await proxy.closeProxy();
	const answer = await plain;
	t.is(answer.status, 503);
	t.is(answer.headers.get('retry-after'), '1');
	t.like(await answer.json(), {id: 1, error: {code: 503}});
	t.like(await proxy.core.mcp.approvals.get(proxy.owner, approval), {status: 'pending', caller_waiting: false});
});

test('[APR-039 APR-040] an approval belongs to the user whose key made the call, else to the creator of the server', async (t) => {
	const proxy = await openHeld(t);
	const member = await proxy.addMember(['proxy']);
	const anonymous = post(proxy.address, callOf('delete_item', {id: 'a'})).catch(() => {});
	const first = await proxy.pendingApproval();
	t.is((await proxy.core.mcp.approvals.get(proxy.owner, first)).user_id, proxy.owner.user_id);
	await proxy.core.mcp.approvals.reject(proxy.owner, first);
	await anonymous;
	const known = post(proxy.address, callOf('delete_item', {id: 'b'}), {headers: {'x-api-key': member.key}}).catch(
		() => {},
	);
	const second = await proxy.pendingApproval();
	t.is((await proxy.core.mcp.approvals.get(proxy.owner, second)).user_id, member.caller.user_id);
	await proxy.core.mcp.approvals.reject(proxy.owner, second);
	await known;
});
