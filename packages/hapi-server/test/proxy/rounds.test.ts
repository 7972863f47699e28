import {once} from 'node:events';
import {request} from 'node:http';
import {text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import type {Body} from '../../../../test/support/api.ts';
import {type StatelessOptions, startStatelessUpstream} from '../../../../test/support/mcp/stateless-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {openProxy, post, requireAll} from './open-proxy.ts';

const statelessMeta = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': {name: 'raw', version: '1'},
	'io.modelcontextprotocol/clientCapabilities': {elicitation: {}},
};

/** One round of a call, as its text. */
const roundOf = (params: object = {}, id: unknown = 1): string =>
	JSON.stringify({
		jsonrpc: '2.0',
		id,
		method: 'tools/call',
		params: {_meta: statelessMeta, name: 'delete_item', arguments: {id: '7'}, ...params},
	});

const responses = {reason: {action: 'accept', content: {reason: 'spam'}}};

type Fields = Parameters<Awaited<ReturnType<typeof openProxy>>['addServer']>[0];

/** A proxy whose one server holds every tool call, before an upstream of the stateless era. */
const open = async (t: ExecutionContext, options: StatelessOptions = {}, fields: Partial<Fields> = {}) => {
	const upstream = await startStatelessUpstream(options);
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const server = await proxy.addServer({target_url: upstream.url, approval_config: requireAll, ...fields});
	const address = proxy.url(server);
	const send = async (body: string, init: Parameters<typeof post>[2] = {}): Promise<{status: number; body: Body}> => {
		const answer = await post(address, body, init);
		return {status: answer.status, body: await answer.json()};
	};
	const approve = async (id: string) => await proxy.core.mcp.approvals.approve(proxy.owner, id);
	const approval = async (id: string) => await proxy.core.mcp.approvals.get(proxy.owner, id);
	/** Lets the round that waits now come to its end. */
	const endRound = async () => {
		await until(() => proxy.held() > 0, 'a held call');
		await proxy.clock.advance(40_000);
	};
	/** Makes the call and sits out its first round. */
	const holdOne = async () => {
		const answering = send(roundOf());
		const id = await proxy.pendingApproval();
		await endRound();
		const state: string = (await answering).body.result.requestState;
		return {id, state};
	};
	/** Makes the call and has it approved within its first round. */
	const approveOne = async () => {
		const answering = send(roundOf());
		const id = await proxy.pendingApproval();
		await approve(id);
		return {id, ...(await answering)};
	};
	return {...proxy, upstream, server, address, send, approve, approval, endRound, holdOne, approveOne};
};

test('[PRX-079 PRX-080] a round ends after 40 seconds, in JSON, with nothing but a state', async (t) => {
	const proxy = await open(t);
	let isOver = false;
	const answering = post(proxy.address, roundOf({}, 'first')).finally(() => {
		isOver = true;
	});
	const id = await proxy.pendingApproval();
	await proxy.clock.advance(39_900);
	t.false(isOver);
	await proxy.clock.advance(100);
	const answer = await answering;
	t.is(answer.status, 200);
	t.is(answer.headers.get('content-type'), 'application/json');
	const body: Body = await answer.json();
	t.deepEqual(Object.keys(body.result).sort(), ['requestState', 'resultType']);
	t.like(body, {jsonrpc: '2.0', id: 'first', result: {resultType: 'input_required'}});
	t.regex(body.result.requestState, /^sbx1\.[\w.-]+$/);
	t.is(proxy.upstream.called.length, 0);
	t.is(proxy.held(), 0);
	const [call] = await proxy.calls(1);
	t.like(call, {status: 'success', status_code: 200, approval_id: id, duration_ms: 40_000});
});

test('[PRX-080] a request that takes long to arrive does not make its round longer', async (t) => {
	const proxy = await open(t);
	const headers = {'content-type': 'application/json', expect: '100-continue'};
	const sending = request(proxy.address, {method: 'POST', headers});
	sending.flushHeaders();
	await once(sending, 'continue');
	await proxy.clock.advance(35_000);
	const answering = once(sending, 'response');
	sending.end(roundOf());
	await proxy.pendingApproval();
	await proxy.clock.advance(5_000);
	const [answer] = await answering;
	t.is(JSON.parse(await text(answer)).result.resultType, 'input_required');
});

test('[PRX-099] between rounds the caller counts as waiting for 60 seconds, after them as gone', async (t) => {
	const proxy = await open(t);
	const {id} = await proxy.holdOne();
	t.true((await proxy.approval(id)).caller_waiting);
	await proxy.clock.advance(59_900);
	t.true((await proxy.approval(id)).caller_waiting);
	await proxy.clock.advance(100);
	t.like(await proxy.approval(id), {status: 'pending', caller_waiting: false});
});

test('[PRX-099] within the gap an identical call asks anew; after it, it takes the approval over', async (t) => {
	const proxy = await open(t);
	const {id} = await proxy.holdOne();
	const other = proxy.send(roundOf());
	await proxy.endRound();
	t.is((await other).body.result.resultType, 'input_required');
	const pending = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
	t.is(pending.length, 2);
	await proxy.clock.advance(20_000);
	t.false((await proxy.approval(id)).caller_waiting);
	const third = proxy.send(roundOf());
	await until(() => proxy.held() > 0, 'a held call');
	t.true((await proxy.approval(id)).caller_waiting);
	await proxy.approve(id);
	t.is((await third).body.result.content[0].text, 'deleted: unasked');
});

test('the next round waits for the same approval, and what is approved in it runs once, without our state', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	await proxy.clock.advance(30_000);
	const second = proxy.send(roundOf({requestState: state}, 2));
	await until(() => proxy.held() > 0, 'a held call');
	await proxy.approve(id);
	t.like((await second).body, {id: 2, result: {content: [{text: 'deleted: unasked'}]}});
	t.is((await proxy.core.mcp.approvals.list(proxy.owner, 'pending')).length, 0);
	t.deepEqual(
		proxy.upstream.called.map(({body}) => body),
		[roundOf({}, 2)],
	);
	const [first, last] = await proxy.calls(2);
	t.deepEqual([first?.approval_id, last?.approval_id], [id, id]);
});

test('what is approved in the gap runs at once when the caller comes back, once', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	await proxy.approve(id);
	const answers = await Promise.all([2, 3].map((round) => proxy.send(roundOf({requestState: state}, round))));
	const texts = answers.map(({body}) => body.result.content[0].text).sort();
	t.is(texts[1], 'deleted: unasked');
	t.regex(texts[0] ?? '', /was not run again: its approval let it run already/);
	t.is(proxy.upstream.executions(), 1);
});

test('however often a caller comes back at once, one of its requests waits, and runs once', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	const answers: Body[] = [];
	const answering = Array.from({length: 20}, async (_, round) => {
		answers.push((await proxy.send(roundOf({requestState: state}, round))).body);
	});
	await until(() => answers.length === 19, 'the answers to all but one');
	for (const {result} of answers) t.like(result, {resultType: 'input_required', requestState: state});
	t.is(proxy.held(), 1);
	t.true((await proxy.approval(id)).caller_waiting);
	await proxy.approve(id);
	await Promise.all(answering);
	t.is(answers.at(-1)?.result.content[0].text, 'deleted: unasked');
	t.is(proxy.upstream.executions(), 1);
});

test('a request that is closed after the caller came back anew takes nobody away', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	const leaving = new AbortController();
	const gone = post(proxy.address, roundOf({requestState: state}, 2), {signal: leaving.signal}).catch(() => 'gone');
	await until(() => proxy.held() === 1, 'a held call');
	const again = proxy.send(roundOf({requestState: state}, 3));
	leaving.abort();
	await gone;
	await proxy.calls(2);
	await until(async () => proxy.held() === 1 && (await proxy.approval(id)).caller_waiting, 'one that waits');
	await proxy.approve(id);
	t.is((await again).body.result.content[0].text, 'deleted: unasked');
});

test('what is rejected or expires in the gap is told in the next round', async (t) => {
	for (const status of ['rejected', 'expired'] as const) {
		const proxy = await open(t, {}, {approval_config: {...requireAll, ttl_seconds: 60}});
		const {id, state} = await proxy.holdOne();
		if (status === 'rejected') await proxy.core.mcp.approvals.reject(proxy.owner, id, 'No.');
		else await proxy.clock.advance(21_000);
		const {body} = await proxy.send(roundOf({requestState: state}, 2));
		t.true(body.result.isError);
		t.deepEqual(body.result._meta, {'signalbox/approval': {id, status}});
		t.is(proxy.upstream.called.length, 0);
	}
});

test('what expires within a later round is told at once', async (t) => {
	const proxy = await open(t, {}, {approval_config: {...requireAll, ttl_seconds: 60}});
	const {id, state} = await proxy.holdOne();
	const answering = proxy.send(roundOf({requestState: state}, 2));
	await until(() => proxy.held() > 0, 'a held call');
	await proxy.clock.advance(21_000);
	t.deepEqual((await answering).body.result._meta, {'signalbox/approval': {id, status: 'expired'}});
});

test('a caller that comes back after the gap waits on, and a grant does not outlive its time', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	await proxy.clock.advance(120_000);
	const second = proxy.send(roundOf({requestState: state}, 2));
	await until(() => proxy.held() > 0, 'a held call');
	t.true((await proxy.approval(id)).caller_waiting);
	await proxy.endRound();
	await second;
	await proxy.approve(id);
	await proxy.clock.advance(200_000);
	const {body} = await proxy.send(roundOf({requestState: state}, 3));
	t.regex(body.result.content[0].text, /came to an end before the call came back/);
	t.is(proxy.upstream.called.length, 0);
});

test('a client that closes its request mid-round only detaches, and its state is still good', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	const leaving = new AbortController();
	const gone = post(proxy.address, roundOf({requestState: state}), {signal: leaving.signal}).catch(() => 'gone');
	await until(() => proxy.held() > 0, 'a held call');
	leaving.abort();
	t.is(await gone, 'gone');
	await until(async () => !(await proxy.approval(id)).caller_waiting);
	await proxy.approve(id);
	t.is(proxy.upstream.called.length, 0);
	t.is((await proxy.send(roundOf({requestState: state}, 3))).body.result.content[0].text, 'deleted: unasked');
	t.is(proxy.upstream.executions(), 1);
});

test('a configuration that changed between the rounds ends the call', async (t) => {
	const changes = [
		{target_url: 'http://127.0.0.1:9/elsewhere'},
		{forward_headers: ['x-tenant']},
		{approval_config: {...requireAll, enabled: false}},
	];
	for (const change of changes) {
		const proxy = await open(t);
		const {id, state} = await proxy.holdOne();
		await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, change);
		await proxy.approve(id);
		const {body} = await proxy.send(roundOf({requestState: state}, 2));
		t.regex(body.result.content[0].text, /configuration of this server changed/, JSON.stringify(change));
		t.is(proxy.upstream.called.length, 0);
	}
});

type Forgery = readonly [title: string, forge: (state: string) => object];

const forgeries: readonly Forgery[] = [
	['one character changed', (state) => ({requestState: state.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))})],
	['another run', (state) => ({requestState: state.replace(/\.\d\./, '.5.')})],
	['an upstream state added', (state) => ({requestState: `${state}.theirs`})],
	['a beginning cut off', (state) => ({requestState: state.slice(1)})],
	['nothing', () => ({requestState: ''})],
	["the upstream's own", () => ({requestState: 'theirs', inputResponses: responses})],
	['a number', () => ({requestState: 7})],
	['null', () => ({requestState: null})],
	['other arguments', (requestState) => ({requestState, arguments: {id: '8'}})],
	['the same arguments in other words', (requestState) => ({requestState, arguments: {id: '7', _: 0}})],
	['no arguments', (requestState) => ({requestState, arguments: undefined})],
	['another tool', (requestState) => ({requestState, name: 'delete_all'})],
];

for (const [title, forge] of forgeries) {
	test(`[PRX-081] a state with ${title} is refused, logged, and nothing runs or waits`, async (t) => {
		const proxy = await open(t);
		const {id, state} = await proxy.holdOne();
		await proxy.approve(id);
		const {status, body} = await proxy.send(roundOf(forge(state), 'forged'));
		t.is(status, 400);
		t.like(body, {id: 'forged', error: {code: -32602}});
		t.is(proxy.upstream.called.length, 0);
		t.is((await proxy.core.mcp.approvals.list(proxy.owner, 'pending')).length, 0);
		t.like((await proxy.calls(2))[1], {status: 'error', status_code: 400});
		t.is((await proxy.send(roundOf({requestState: state}, 3))).body.result.content[0].text, 'deleted: unasked');
	});
}

test('[PRX-081] on another server, or from another caller, a state is worth nothing', async (t) => {
	const proxy = await open(t);
	const {id, state} = await proxy.holdOne();
	await proxy.approve(id);
	const twin = await proxy.addServer({target_url: proxy.upstream.url, approval_config: requireAll});
	const member = await proxy.addMember(['proxy']);
	const elsewhere = await post(proxy.url(twin), roundOf({requestState: state}));
	t.like(await elsewhere.json(), {error: {code: -32602}});
	const other = await proxy.send(roundOf({requestState: state}), {headers: {'x-api-key': member.key}});
	t.like(other, {status: 400, body: {error: {code: -32602}}});
	t.is(proxy.upstream.called.length, 0);
});

test('[PRX-116] what the upstream asks of an approved call is answered without asking people again', async (t) => {
	for (const events of [false, true]) {
		const proxy = await open(t, {events, rounds: ['first "state"\u2028', undefined]});
		const answering = post(proxy.address, roundOf());
		await proxy.approve(await proxy.pendingApproval());
		const first = await readResult(await answering);
		t.deepEqual(Object.keys(first.inputRequests), ['reason']);
		t.regex(first.requestState, /^sbx1\./);
		const next = {inputResponses: responses, requestState: first.requestState};
		const second = await readResult(await post(proxy.address, roundOf(next, 2)));
		t.is(second.resultType, 'input_required');
		const last = {requestState: second.requestState, inputResponses: responses};
		const third = await readResult(await post(proxy.address, roundOf(last, 3)));
		t.is(third.content[0].text, 'deleted: spam');
		t.is((await proxy.core.mcp.approvals.list(proxy.owner, 'pending')).length, 0);
		t.deepEqual(
			proxy.upstream.called.map(({body}) => body),
			[
				roundOf(),
				roundOf({inputResponses: responses, requestState: 'first "state"\u2028'}, 2),
				roundOf({inputResponses: responses}, 3),
			],
		);
	}
});

const readResult = async (answer: Response): Promise<Body> => {
	const body = await answer.text();
	const isStream = answer.headers.get('content-type') === 'text/event-stream';
	return JSON.parse(isStream ? (body.trim().split('data: ').at(-1) ?? '') : body).result;
};

test('[PRX-116] a continuation that is replayed runs nothing, also in parallel', async (t) => {
	const proxy = await open(t, {rounds: ['theirs']});
	const {body} = await proxy.approveOne();
	const next = {requestState: body.result.requestState, inputResponses: responses};
	const answers = await Promise.all([2, 3, 4].map((id) => proxy.send(roundOf(next, id))));
	t.deepEqual(answers.map(({status}) => status).sort(), [200, 400, 400]);
	t.is(proxy.upstream.executions(), 1);
	const replayed = await proxy.send(roundOf(next, 5));
	t.like(replayed, {status: 400, body: {id: 5, error: {code: -32602}}});
	t.is(proxy.upstream.executions(), 1);
});

test('a continuation ends an hour after its call began', async (t) => {
	const proxy = await open(t, {rounds: ['a', 'b']});
	const first = (await proxy.approveOne()).body.result.requestState;
	await proxy.clock.advance(3_599_000);
	const second = await proxy.send(roundOf({requestState: first, inputResponses: responses}, 2));
	t.is(second.body.result.resultType, 'input_required');
	await proxy.clock.advance(1_000);
	const late = {requestState: second.body.result.requestState, inputResponses: responses};
	t.like(await proxy.send(roundOf(late, 3)), {status: 400, body: {error: {code: -32602}}});
	t.is(proxy.upstream.executions(), 0);
});

test('a continuation is for the call that was approved, and for nothing else', async (t) => {
	for (const [title, forge] of forgeries) {
		const proxy = await open(t, {rounds: ['theirs']});
		const {body} = await proxy.approveOne();
		const forged = {inputResponses: responses, ...forge(body.result.requestState)};
		t.is((await proxy.send(roundOf(forged, 2))).status, 400, title);
		t.is(proxy.upstream.called.length, 1, title);
	}
});

test('a continuation after a change of the configuration runs nothing', async (t) => {
	const proxy = await open(t, {rounds: ['theirs']});
	const {body} = await proxy.approveOne();
	await proxy.core.mcp.servers.update(proxy.owner, proxy.server.id, {forward_headers: ['x-tenant']});
	const next = {requestState: body.result.requestState, inputResponses: responses};
	const answer = await proxy.send(roundOf(next, 2));
	t.regex(answer.body.result.content[0].text, /configuration of this server changed/);
	t.is(proxy.upstream.called.length, 1);
});

test('each round that reaches the upstream costs what a call costs', async (t) => {
	const proxy = await open(
		t,
		{rounds: ['theirs']},
		{default_cost_cents: 40, rate_limit_config: {cost: {budget_cents: 100, alert_threshold_percent: 80}}},
	);
	const {state} = await proxy.holdOne();
	const [pending] = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
	await proxy.approve(pending?.id ?? '');
	const first = await proxy.send(roundOf({requestState: state}, 2));
	const next = {requestState: first.body.result.requestState, inputResponses: responses};
	t.is((await proxy.send(roundOf(next, 3))).body.result.content[0].text, 'deleted: spam');
	t.deepEqual(
		(await proxy.calls(3)).map(({cost_cents}) => cost_cents),
		[0, 40, 40],
	);
	const another = proxy.send(roundOf({}, 4));
	await proxy.approve(await proxy.pendingApproval());
	t.is((await another).status, 429);
});

test('[PRX-014] where no approval is needed, the rounds of the upstream pass byte for byte', async (t) => {
	for (const events of [false, true]) {
		const proxy = await open(
			t,
			{events, rounds: ['sbx1.not.0.ours']},
			{approval_config: {...requireAll, enabled: false}},
		);
		const rounds = [roundOf(), roundOf({requestState: 'sbx1.not.0.ours', inputResponses: responses}, 2)];
		for (const round of rounds) {
			const [proxied, direct] = await Promise.all([proxy.address, proxy.upstream.url].map((url) => post(url, round)));
			t.is(await proxied?.text(), await direct?.text());
		}
		t.deepEqual(new Set(proxy.upstream.called.map(({body}) => body)), new Set(rounds));
	}
});

test('an answer of an approved call that asks for nothing passes byte for byte', async (t) => {
	for (const events of [false, true]) {
		const proxy = await open(t, {events});
		const answering = post(proxy.address, roundOf());
		await proxy.approve(await proxy.pendingApproval());
		const [proxied, direct] = await Promise.all([answering, post(proxy.upstream.url, roundOf())]);
		t.is(proxied.headers.get('content-length'), direct.headers.get('content-length'));
		t.is(await proxied.text(), await direct.text());
	}
});
