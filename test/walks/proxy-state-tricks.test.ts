import type {McpServerRecord} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {gatedTool} from '../scenarios/proxy/lenient-upstream.ts';
import {type LonePerson, type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {sendBytes} from '../scenarios/proxy/send-bytes.ts';
import {type GivenStates, type StateTrick, stateTricks} from '../scenarios/proxy/state-tricks.ts';
import {type ScriptedUpstream, startScriptedUpstream} from '../support/mcp/scripted-upstream.ts';
import {until} from '../support/mcp/until.ts';

/** Everything is required: what passes was approved. */
const approval_config: McpServerRecord['approval_config'] = {
	enabled: true,
	default_action: 'require',
	trust_level: 'strict',
	ttl_seconds: 3600,
	rules: [],
};

const statelessMeta = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': {name: 'raw', version: '1'},
	'io.modelcontextprotocol/clientCapabilities': {elicitation: {}},
};

const given = {id: '7'};

type Call = Readonly<{tool?: string; arguments?: object; params?: Readonly<Record<string, unknown>>}>;

const bodyOf = ({tool = gatedTool, arguments: args = given, params = {}}: Call): Buffer => {
	const {_meta = {}, ...others} = params;
	const meta = {...statelessMeta, ...(_meta as object)};
	return Buffer.from(
		JSON.stringify({
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: {_meta: meta, name: tool, arguments: args, ...others},
		}),
	);
};

/** An upstream that asks for more whenever a call brings no answers. It believes any state. */
const startAskingUpstream = async (t: ExecutionContext): Promise<ScriptedUpstream> => {
	const upstream = await startScriptedUpstream(({body}, response) => {
		const {params} = JSON.parse(body);
		const asking = {resultType: 'input_required', requestState: 'of-the-upstream', inputRequests: {}};
		const result = params.inputResponses === undefined ? asking : {content: [{type: 'text', text: 'deleted'}]};
		response.setHeader('content-type', 'application/json').end(JSON.stringify({jsonrpc: '2.0', id: 1, result}));
	});
	t.teardown(upstream.close);
	return upstream;
};

type Headers = readonly (readonly [name: string, value: string])[];

type Stage = Readonly<{proxy: LoneProxy; upstream: ScriptedUpstream; path: string; ada: LonePerson}>;

const send = (port: number, {path, headers, body}: Readonly<{path: string; headers: Headers; body: Buffer}>) =>
	sendBytes(port, {method: 'POST', path, headers: [['Content-Type', 'application/json'], ...headers], body});

/** Makes a call, does something about its approval while it waits, and answers the state that it is given. */
const stateOf = async ({proxy, path, ada}: Stage, call: Call, decide: (approval_id: string) => Promise<unknown>) => {
	const {approvals} = proxy.core.mcp;
	const before = (await approvals.list(proxy.owner, 'pending')).map(({id}) => id);
	const held = proxy.held();
	const answering = send(proxy.port, {path, headers: ada.byKey, body: bodyOf(call)});
	const approval = await until(async () => {
		const pending = await approvals.list(proxy.owner, 'pending');
		return proxy.held() > held && pending.find(({id}) => !before.includes(id));
	}, 'an approval');
	await decide(approval.id);
	const {body} = await answering;
	return {state: String(JSON.parse(body).result?.requestState), approval_id: approval.id};
};

const collectStates = async (stage: Stage): Promise<GivenStates> => {
	const {proxy, path, ada} = stage;
	const {approve, reject} = proxy.core.mcp.approvals;
	const pass = async (id: string) => await approve(proxy.owner, id);
	const endRound = async () => await proxy.clock.advance(45_000);
	const {state: asked} = await stateOf(stage, {}, pass);
	const {state: answered} = await stateOf(stage, {}, pass);
	const params = {requestState: answered, inputResponses: {}};
	await send(proxy.port, {path, headers: ada.byKey, body: bodyOf({params})});
	const rejected = await stateOf(stage, {}, endRound);
	await reject(proxy.owner, rejected.approval_id);
	const {state: held} = await stateOf(stage, {}, endRound);
	const {state: other} = await stateOf(stage, {arguments: {id: '8'}}, endRound);
	return {held, other, asked, answered, rejected: rejected.state};
};

const open = async (t: ExecutionContext) => {
	const upstream = await startAskingUpstream(t);
	const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']});
	const fields = {target_url: upstream.url, approval_config};
	const path = await proxy.addServer(fields);
	const elsewhere = await proxy.addServer(fields);
	const [ada, bob] = [await proxy.addMember(), await proxy.addMember()];
	return {proxy, upstream, path, elsewhere, ada, bob};
};

const runTrick = async (stage: Awaited<ReturnType<typeof open>>, each: StateTrick, states: GivenStates) => {
	const {proxy, upstream, path, elsewhere, ada, bob} = stage;
	const body = bodyOf({...each, params: each.params(states)});
	const headers = {Ada: ada.byKey, Bob: bob.byKey, anonymous: []}[each.sender ?? 'Ada'];
	const target = each.elsewhere ? elsewhere : path;
	const ran = upstream.received.length;
	const held = proxy.held();
	await sendBytes(
		proxy.port,
		{method: 'POST', path: target, headers: [['Content-Type', 'application/json'], ...headers], body},
		() => proxy.held() > held,
	);
	const bypassed = upstream.received.length > ran;
	await fetch(upstream.url, {method: 'POST', body: new Uint8Array(body)});
	return {bypassed, isAlive: upstream.received.length > ran};
};

test('[PRX-081] no state that is forged, foreign or stale lets a gated call through', async (t) => {
	const stage = await open(t);
	const states = await collectStates(stage);
	t.is(stage.upstream.received.length, 3, 'two calls ran, and one of them went on');
	for (const state of Object.values(states)) t.regex(state, /^sbx1\./);
	let alive = 0;
	for (const each of stateTricks) {
		const {bypassed, isAlive} = await runTrick(stage, each, states);
		t.false(bypassed, each.name);
		t.true(isAlive, `${each.name}: sent straight, it runs the tool`);
		alive += 1;
	}
	t.log(`${alive} of ${stateTricks.length} tricks with states are alive`);
	const params = {requestState: states.asked, inputResponses: {}};
	const body = bodyOf({params});
	const before = stage.upstream.received.length;
	await send(stage.proxy.port, {path: stage.path, headers: stage.ada.byKey, body});
	t.is(stage.upstream.received.length, before + 1, 'whom the state was given to may use it');
	await send(stage.proxy.port, {path: stage.path, headers: stage.ada.byKey, body});
	t.is(stage.upstream.received.length, before + 1, 'once');
});
