import {createCore, type Passage, type ToolCall} from '@signalbox/core';
import {createCipher, createSecrets, generateKey} from '@signalbox/core/node';
import test from 'ava';
import {callOf, held, refusalOf, startWorld, stateOf, type World} from './support.ts';

const callInRounds = ({server}: World, request_state?: string, fields: Partial<ToolCall> = {}): ToolCall => ({
	...callOf(server),
	in_rounds: true,
	...(request_state !== undefined && {request_state}),
	...fields,
});

/** Holds the call for one round. Answers the state to come back with. */
const holdRound = async (world: World, call: ToolCall = callInRounds(world)) => {
	const {approval, passage, pause} = await held(world, call);
	pause();
	const paused = await passage;
	if (paused.outcome !== 'paused') throw new Error(`the call was ${paused.outcome}, not paused`);
	return {id: approval.id, state: paused.request_state};
};

const passed = async (admission: Passage | Promise<Passage>) => {
	const passage = await admission;
	if (passage.outcome !== 'pass' || !passage.rounds) throw new Error(`the call was ${passage.outcome}, not passed`);
	return {...passage, rounds: passage.rounds};
};

/** Has the call approved and let through. Answers the state of the upstream's first question. */
const runOnce = async (world: World) => {
	const {approval, passage} = await held(world, callInRounds(world));
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	const {rounds} = await passed(passage);
	return {id: approval.id, state: rounds.seal('theirs')};
};

/** The same stores and clock, under other keys. */
const under = (world: World, ...keys: ReturnType<typeof generateKey>[]): World => {
	const ports = {...world.ports, secrets: createSecrets({keys})};
	return {...world, ports, core: createCore(ports)};
};

test('a round that is decided as it ends is decided', async (t) => {
	const world = await startWorld();
	const {approval, passage, pause} = await held(world, callInRounds(world));
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	pause();
	t.like(await passage, {outcome: 'pass', rounds: {run: 1, brought: undefined}});
});

test('a held call and its rounds outlive an added key, and nothing outlives the loss of the one that signed', async (t) => {
	const [older, newer] = [generateKey('k1'), generateKey('k2')];
	const before = under(await startWorld(), older);
	const {id, state} = await holdRound(before);
	const lost = under(before, newer);
	t.is((await lost.core.mcp.gate.admit(callInRounds(lost, state))).outcome, 'refused');
	const after = under(before, newer, older);
	const {approval, passage} = await held(after, callInRounds(after, state));
	t.is(approval.id, id);
	await after.core.mcp.approvals.approve(after.caller, id);
	const first = await passed(passage);
	t.deepEqual(first.rounds.brought, {upstream_state: undefined});
	const next = callInRounds(after, first.rounds.seal('theirs'));
	const second = await passed((await after.core.mcp.gate.admit(next)) as Passage);
	t.like(second.rounds, {run: 2, brought: {upstream_state: 'theirs'}});
});

const asStored = async (world: World): Promise<World> => {
	const server = await world.ports.mcpServers.bySlug(world.server.slug);
	return {...world, server: server ?? world.server};
};

const withHeader = async (world: World, authorization: string): Promise<World> => {
	await world.core.mcp.servers.update(world.caller, world.server.id, {upstream_headers: {authorization}});
	return asStored(world);
};

test('a call that is held in rounds outlives headers that are sealed anew, but not headers that changed', async (t) => {
	const [older, newer] = [generateKey('k1'), generateKey('k2')];
	const start = await startWorld({}, {ports: {cipher: createCipher({keys: [older]})}});
	const before = await withHeader(start, 'Bearer secret');
	const {id, state} = await holdRound(before);
	const ports = {...start.ports, cipher: createCipher({keys: [newer, older]})};
	const rotating = {...start, ports, core: createCore(ports)};
	t.like(await rotating.core.environment.keyRotation.rotate(), {mcp_servers: 1});
	const after = await asStored(rotating);
	t.notDeepEqual(after.server.upstream_headers, before.server.upstream_headers);
	const {approval, passage, pause} = await held(after, callInRounds(after, state));
	t.is(approval.id, id);
	pause();
	await passage;
	const changed = await withHeader(after, 'Bearer other');
	t.is((await changed.core.mcp.gate.admit(callInRounds(changed, state))).outcome, 'changed');
});

test('a call that needs no approval is no business of ours, whatever state it brings', async (t) => {
	const world = await startWorld({approval_config: {...(await startWorld()).server.approval_config, enabled: false}});
	for (const request_state of ['theirs', 'sbx1.a.0.b', 'sbx1.a.1.'.padEnd(60, 'x'), 7, null]) {
		const admission = await world.core.mcp.gate.admit({...callOf(world.server), request_state});
		t.like(admission, {outcome: 'pass', approval_id: null, rounds: undefined});
	}
});

test('a continuation that could not be paid for, or whose caller left, may still be made', async (t) => {
	const cost = {budget_cents: 100, alert_threshold_percent: 80};
	const world = await startWorld({default_cost_cents: 40, rate_limit_config: {cost}});
	const {state} = await runOnce(world);
	const gone = AbortSignal.abort();
	t.is((await world.core.mcp.gate.admit(callInRounds(world, state, {signal: gone}))).outcome, 'detached');
	const {server} = world;
	const others = {mcp_server_id: server.id, month: world.clock.now().slice(0, 7), tool_name: 'delete_user', cents: 40};
	await world.ports.spend.reserve(others, null);
	t.is((await world.core.mcp.gate.admit(callInRounds(world, state))).outcome, 'limited');
	await world.ports.spend.release(others);
	t.like(await world.core.mcp.gate.admit(callInRounds(world, state)), {outcome: 'pass', cost_cents: 40});
	t.is((await world.core.mcp.gate.admit(callInRounds(world, state))).outcome, 'limited');
});

test('a used continuation costs nothing', async (t) => {
	const world = await startWorld({default_cost_cents: 40});
	const {state} = await runOnce(world);
	t.is((await world.core.mcp.gate.admit(callInRounds(world, state))).outcome, 'pass');
	t.is((await world.core.mcp.gate.admit(callInRounds(world, state))).outcome, 'refused');
	const [spent] = await world.ports.spend.report(world.server.id, world.clock.now().slice(0, 7));
	t.is(spent?.total_cents, 80);
});

test('a continuation is not let through to a server that went inactive, or to a caller who lost the right', async (t) => {
	const inactive = await startWorld();
	const first = await runOnce(inactive);
	await inactive.core.mcp.servers.update(inactive.caller, inactive.server.id, {is_active: false});
	t.is((await inactive.core.mcp.gate.admit(callInRounds(inactive, first.state))).outcome, 'changed');
	const revoked = await startWorld();
	const {state} = await runOnce(revoked);
	const mayStillCall = async () => false;
	t.is((await revoked.core.mcp.gate.admit(callInRounds(revoked, state, {mayStillCall}))).outcome, 'revoked');
});

test('what a state adds to a message does not make it too large to be held; anything else does', async (t) => {
	const world = await startWorld();
	const limit = world.core.settings.max_held_bytes;
	const {state} = await holdRound(world, callInRounds(world, undefined, {message_bytes: limit}));
	const added = `,"requestState":"${state}"`.length;
	const next = callInRounds(world, state, {message_bytes: limit + added});
	t.is((await world.core.mcp.gate.admit(next)).outcome, 'held');
	const larger = callInRounds(world, state, {message_bytes: limit + added + 1});
	t.is(await refusalOf(world.core.mcp.gate.admit(larger)), 'payload_too_large');
});

test('a newer round ends the one before it, and its own end alone counts', async (t) => {
	const world = await startWorld();
	const {id, state} = await holdRound(world);
	const older = await held(world, callInRounds(world, state));
	const newer = await held(world, callInRounds(world, state));
	t.like(await older.passage, {outcome: 'paused', request_state: state});
	await world.clock.advance(61_000);
	t.is(await stateOf(newer.passage), 'waiting');
	t.true((await world.core.mcp.approvals.get(world.caller, id)).caller_waiting);
});
