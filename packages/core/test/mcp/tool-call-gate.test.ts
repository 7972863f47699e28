import type {DomainEvent} from '@signalbox/core';
import {createMemorySignals, createMemoryStores} from '@signalbox/core/memory';
import {addCaller, createManualClock, failingStores} from '@signalbox/core/testing';
import test from 'ava';
import {callOf, held, refusalOf, requireAll, startWorld, stateOf, withKey} from './support.ts';

const budgetOf = (budget_cents: number) => ({cost: {budget_cents, alert_threshold_percent: 80}});

test('a call that needs no approval passes at once', async (t) => {
	const world = await startWorld({approval_config: {...requireAll, trust_level: 'autonomous'}});
	const passage = await world.core.mcp.gate.admit(callOf(world.server));
	t.like(passage, {outcome: 'pass', approval_id: null, cost_cents: 0});
	t.deepEqual(await world.core.mcp.approvals.list(world.caller, 'pending'), []);
});

test('[APR-041 APR-037 APR-038] a call that requires approval opens one pending approval of it', async (t) => {
	const world = await startWorld();
	const events: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => events.push(event));
	const {approval} = await held(world, callOf(world.server, {text: '{"id": 7, "deep": {"a": [1]}}'}));
	t.like(approval, {
		mcp_server_id: world.server.id,
		tool_name: 'delete_user',
		request_body: {id: 7, deep: {a: [1]}},
		status: 'pending',
		decided_by: null,
		caller_waiting: true,
	});
	t.deepEqual(await world.core.mcp.approvals.list(world.caller, 'pending'), [approval]);
	t.deepEqual(
		events.map((event) => event.type),
		['approval.pending'],
	);
});

test('an approval keeps arguments as they were sent where a number in them would be shown as another one', async (t) => {
	const world = await startWorld();
	const text = '{"account": 12345678901234567891, "amount": 1e400}';
	const {approval} = await held(world, callOf(world.server, {text}));
	t.is(approval.arguments_json, text);
	const [plain] = [await held(world, callOf(world.server, {text: '{"account": 7}'}))];
	t.is(plain.approval.arguments_json, null);
});

test('[APR-042 APR-043] an approval expires ttl_seconds after it was made, 300 unless configured', async (t) => {
	for (const ttl_seconds of [1, 300, 86_400]) {
		const world = await startWorld({approval_config: {...requireAll, ttl_seconds}});
		const {approval} = await held(world, callOf(world.server));
		t.is(Date.parse(approval.expires_at) - Date.parse(approval.created_at), ttl_seconds * 1000);
	}
	const world = await startWorld();
	const created = await world.core.mcp.servers.create(world.caller, {name: 'x', target_url: 'https://x.example'});
	t.is(created.approval_config.ttl_seconds, 300);
});

test('[APR-039] an approval belongs to the user whose credentials made the call', async (t) => {
	const world = await startWorld();
	const other = await addCaller(world.ports);
	const {approval} = await held(world, callOf(world.server, {caller: withKey(other, 'proxy')}));
	t.is(approval.user_id, other.user_id);
	t.deepEqual(await world.core.mcp.approvals.get(other, approval.id), approval);
});

test("[APR-040] an anonymous call's approval belongs to the server's creator", async (t) => {
	const world = await startWorld();
	const {approval} = await held(world, callOf(world.server));
	t.is(approval.user_id, world.server.user_id);
});

test('[APR-047] once approved the call passes, and its approval is used up', async (t) => {
	const world = await startWorld();
	const {approval, passage} = await held(world, callOf(world.server));
	t.is(await stateOf(passage), 'waiting');
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	t.like(await passage, {outcome: 'pass', approval_id: approval.id});
	t.false(await world.ports.approvals.consume(approval.id));
});

test('[APR-051] once rejected the call is blocked, with the note', async (t) => {
	const world = await startWorld();
	const {approval, passage} = await held(world, callOf(world.server));
	await world.core.mcp.approvals.reject(world.caller, approval.id, 'not today');
	t.like(await passage, {outcome: 'rejected', approval: {id: approval.id, decision_note: 'not today'}});
	t.false(await world.ports.approvals.consume(approval.id));
});

test('[APR-052] a pending approval expires by itself, also where no loop runs', async (t) => {
	const world = await startWorld();
	const {approval, passage} = await held(world, callOf(world.server));
	await world.clock.advance(299_900);
	t.is(await stateOf(passage), 'waiting');
	await world.clock.advance(200);
	t.like(await stateOf(passage), {outcome: 'expired', approval: {status: 'expired'}});
	t.is((await world.core.mcp.approvals.get(world.caller, approval.id)).status, 'expired');
	t.is((await world.core.mcp.approvals.list(world.caller, 'expired')).length, 1);
});

test('[APR-060] the call expires by the clock of the store, also when the process runs ahead or behind', async (t) => {
	for (const skew of [-3_600_000, 3_600_000]) {
		const storeClock = createManualClock();
		const world = await startWorld({}, {ports: createMemoryStores({clock: storeClock})});
		await world.clock.set(new Date(Date.parse(storeClock.now()) + skew).toISOString());
		const {passage} = await held(world, callOf(world.server));
		await world.clock.advance(290_000);
		await storeClock.advance(290_000);
		await world.clock.advance(5000);
		t.is(await stateOf(passage), 'waiting', String(skew));
		await storeClock.advance(15_000);
		await world.clock.advance(15_000);
		t.like(await stateOf(passage), {outcome: 'expired'}, String(skew));
	}
});

test('a decision whose signal is lost is seen within a second', async (t) => {
	const signals = {...createMemorySignals(), publish: () => {}};
	const world = await startWorld({}, {ports: {signals}});
	const {approval, passage} = await held(world, callOf(world.server));
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	t.is(await stateOf(passage), 'waiting');
	await world.clock.advance(1000);
	t.like(await stateOf(passage), {outcome: 'pass'});
});

test('[APR-079] a caller that goes away leaves its approval pending, and nothing runs', async (t) => {
	const world = await startWorld();
	const gone = new AbortController();
	const {approval, passage} = await held(world, callOf(world.server, {signal: gone.signal}));
	gone.abort();
	t.like(await passage, {outcome: 'detached', approval: {id: approval.id}});
	const left = await world.core.mcp.approvals.get(world.caller, approval.id);
	t.like(left, {status: 'pending', caller_waiting: false});
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	t.true(await world.ports.approvals.consume(approval.id));
});

test('an identical call waits for the approval that was left, or uses it once it is granted, once', async (t) => {
	const world = await startWorld();
	const leave = async () => {
		const gone = new AbortController();
		const {approval, passage} = await held(world, callOf(world.server, {signal: gone.signal}));
		gone.abort();
		await passage;
		return approval.id;
	};
	const first = await leave();
	const again = await held(world, callOf(world.server));
	t.is(again.approval.id, first);
	await world.core.mcp.approvals.approve(world.caller, first);
	t.like(await again.passage, {outcome: 'pass', approval_id: first});

	const second = await leave();
	await world.core.mcp.approvals.approve(world.caller, second);
	t.like(await (await held(world, callOf(world.server))).passage, {outcome: 'pass', approval_id: second});
	t.not((await held(world, callOf(world.server))).approval.id, second);
});

test('[APR-078] other bytes, another tool and another caller need an approval of their own', async (t) => {
	const world = await startWorld();
	const gone = new AbortController();
	const {approval, passage} = await held(world, callOf(world.server, {signal: gone.signal}));
	gone.abort();
	await passage;
	for (const fields of [
		{text: '{"id": 7}'},
		{tool_name: 'delete_users'},
		{caller: withKey(world.caller, 'proxy')},
		{caller: world.caller},
	]) {
		t.not((await held(world, callOf(world.server, fields))).approval.id, approval.id, JSON.stringify(fields));
	}
	t.is((await held(world, callOf(world.server))).approval.id, approval.id);
});

test('identical calls in parallel each get their own approval', async (t) => {
	const world = await startWorld();
	const calls = await Promise.all([1, 2, 3].map(() => held(world, callOf(world.server))));
	t.is(new Set(calls.map(({approval}) => approval.id)).size, 3);
});

test('[APR-077] beyond 100 pending approvals of a server a call is limited, until one is decided', async (t) => {
	const world = await startWorld();
	const calls = await Promise.all(Array.from({length: 130}, () => world.core.mcp.gate.admit(callOf(world.server))));
	const pending = calls.filter((call) => call.outcome === 'held');
	t.is(pending.length, 100);
	t.like(
		calls.find((call) => call.outcome !== 'held'),
		{outcome: 'limited', retry_after_seconds: 60, approval_id: null},
	);
	await world.core.mcp.approvals.reject(world.caller, pending[0]?.approval.id ?? '');
	t.is((await world.core.mcp.gate.admit(callOf(world.server))).outcome, 'held');
});

test('a configuration that changed in effect while the call was held ends it', async (t) => {
	const changes = [
		{target_url: 'https://elsewhere.example/mcp'},
		{upstream_headers: {authorization: 'other'}},
		{forward_headers: ['x-tenant']},
		{require_auth: true},
		{is_active: false},
		{approval_config: {enabled: false}},
	];
	for (const change of changes) {
		const world = await startWorld();
		const {approval, passage} = await held(world, callOf(world.server));
		await world.core.mcp.servers.update(world.caller, world.server.id, change);
		await world.core.mcp.approvals.approve(world.caller, approval.id);
		t.is((await passage).outcome, 'changed', JSON.stringify(change));
		t.true(await world.ports.approvals.consume(approval.id), 'it was not consumed');
	}
	for (const change of [
		{name: 'New name'},
		{approval_config: {ttl_seconds: 10}},
		{log_bodies: {mode: 'none' as const, paths: []}},
	]) {
		const world = await startWorld();
		const {approval, passage} = await held(world, callOf(world.server));
		await world.core.mcp.servers.update(world.caller, world.server.id, change);
		await world.core.mcp.approvals.approve(world.caller, approval.id);
		t.is((await passage).outcome, 'pass', JSON.stringify(change));
	}
});

test('headers that are sealed anew are the same in effect, and others are not', async (t) => {
	for (const outcome of ['pass', 'changed'] as const) {
		const world = await startWorld();
		const {servers, approvals} = world.core.mcp;
		const {id, team_id} = world.server;
		await servers.update(world.caller, id, {upstream_headers: {authorization: 'Bearer x'}});
		const server = await world.ports.mcpServers.get([team_id], id);
		const {approval, passage} = await held(world, callOf(server ?? world.server));
		// As whoever read the server sends it back: masked.
		const {upstream_headers: same} = await servers.get(world.caller, id);
		const upstream_headers = outcome === 'pass' ? same : {authorization: 'Bearer y'};
		await servers.update(world.caller, id, {name: 'New name', upstream_headers});
		await approvals.approve(world.caller, approval.id);
		t.is((await passage).outcome, outcome);
	}
});

test('a new slug, or the end of the server, ends a held call', async (t) => {
	const rotated = await startWorld();
	const first = await held(rotated, callOf(rotated.server));
	await rotated.core.mcp.servers.rotateSlug(rotated.caller, rotated.server.id);
	await rotated.core.mcp.approvals.approve(rotated.caller, first.approval.id);
	t.is((await first.passage).outcome, 'changed');

	const deleted = await startWorld();
	const second = await held(deleted, callOf(deleted.server));
	await deleted.core.mcp.servers.delete(deleted.caller, deleted.server.id);
	t.is((await second.passage).outcome, 'changed');
});

test('what was approved for one target is not used for another one', async (t) => {
	const world = await startWorld();
	const gone = new AbortController();
	const {approval, passage} = await held(world, callOf(world.server, {signal: gone.signal}));
	gone.abort();
	await passage;
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	await world.core.mcp.servers.update(world.caller, world.server.id, {target_url: 'https://elsewhere.example'});
	const moved = await world.ports.mcpServers.bySlug(world.server.slug);
	if (!moved) return t.fail();
	t.not((await held(world, callOf(moved))).approval.id, approval.id);
});

test('[MCP-083 APR-026] a call that passes costs default_cost_cents, and release takes it back once', async (t) => {
	const world = await startWorld({
		default_cost_cents: 30,
		approval_config: {...requireAll, trust_level: 'autonomous'},
		rate_limit_config: budgetOf(50),
	});
	const passage = await world.core.mcp.gate.admit(callOf(world.server));
	if (passage.outcome !== 'pass') return t.fail(passage.outcome);
	t.is(passage.cost_cents, 30);
	const costs = await world.core.mcp.servers.costs(world.caller, world.server.id, {});
	t.deepEqual(costs.tool_breakdown, [{tool_name: 'delete_user', total_cents: 30, call_count: 1}]);
	const limited = await world.core.mcp.gate.admit(callOf(world.server));
	// 2026-01-31T09:30Z: fourteen and a half hours are left of the month.
	t.like(limited, {outcome: 'limited', retry_after_seconds: 14.5 * 3600, approval_id: null});
	await Promise.all([passage.release(), passage.release()]);
	t.is((await world.core.mcp.servers.costs(world.caller, world.server.id, {})).total_cents, 0);
});

test('[MCP-084] parallel calls never overspend the budget, and one of them raises the alert', async (t) => {
	const world = await startWorld({
		default_cost_cents: 7,
		approval_config: {...requireAll, enabled: false},
		rate_limit_config: budgetOf(100),
	});
	const alerts: DomainEvent[] = [];
	world.ports.signals.subscribe((event) => alerts.push(event));
	const calls = await Promise.all(Array.from({length: 50}, () => world.core.mcp.gate.admit(callOf(world.server))));
	t.is(calls.filter((call) => call.outcome === 'pass').length, 14);
	t.is((await world.core.mcp.servers.costs(world.caller, world.server.id, {})).total_cents, 98);
	const {id: mcp_server_id, team_id} = world.server;
	t.deepEqual(alerts, [{type: 'mcp.budget.alert', mcp_server_id, team_id, usage_percent: 84}]);
	const notifications = await world.ports.notifications.list(
		world.caller.user_id,
		{unread_only: true},
		{limit: 10, offset: 0},
	);
	t.deepEqual(
		notifications.data.map(({type, data}) => ({type, data})),
		[{type: 'budget_alert', data: {mcp_server_id, usage_percent: 84}}],
	);
});

test('an approval that the budget could not pay for is not lost', async (t) => {
	const world = await startWorld({default_cost_cents: 60, rate_limit_config: budgetOf(100)});
	const [first, second] = [await held(world, callOf(world.server)), await held(world, callOf(world.server))];
	await world.core.mcp.approvals.approve(world.caller, first.approval.id);
	const passed = await first.passage;
	await world.core.mcp.approvals.approve(world.caller, second.approval.id);
	t.like(await second.passage, {outcome: 'limited', approval_id: second.approval.id});
	if (passed.outcome !== 'pass') return t.fail(passed.outcome);
	await passed.release();
	const again = await held(world, callOf(world.server));
	t.is(again.approval.id, second.approval.id);
	t.like(await again.passage, {outcome: 'pass'});
});

test('a caller that went away before its decision is seen neither pays nor runs', async (t) => {
	const world = await startWorld({default_cost_cents: 60, rate_limit_config: budgetOf(100)});
	const gone = new AbortController();
	const {approval, passage} = await held(world, callOf(world.server, {signal: gone.signal}));
	gone.abort();
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	t.is((await passage).outcome, 'detached');
	t.is((await world.core.mcp.servers.costs(world.caller, world.server.id, {})).total_cents, 0);
	t.like(await (await held(world, callOf(world.server))).passage, {outcome: 'pass', approval_id: approval.id});
});

test('when the approval cannot be consumed the money is given back', async (t) => {
	const stores = createMemoryStores({clock: createManualClock()});
	const broken = failingStores(stores, {approvals: {consume: new Error('disk full')}});
	const world = await startWorld({default_cost_cents: 60}, {ports: broken});
	const {approval, passage} = await held(world, callOf(world.server));
	await Promise.all([
		t.throwsAsync(passage, {message: 'disk full'}),
		world.core.mcp.approvals.approve(world.caller, approval.id),
	]);
	t.is((await world.core.mcp.servers.costs(world.caller, world.server.id, {})).total_cents, 0);
});

test('a budget alert that cannot be written refuses no call: its money is set aside by then', async (t) => {
	const stores = createMemoryStores({clock: createManualClock()});
	const broken = failingStores(stores, {notifications: {append: new Error('disk full')}});
	const fields = {
		default_cost_cents: 90,
		rate_limit_config: budgetOf(100),
		approval_config: {...requireAll, enabled: false},
	};
	const world = await startWorld(fields, {ports: broken});
	t.like(await world.core.mcp.gate.admit(callOf(world.server)), {outcome: 'pass', cost_cents: 90});
});

test('a call to a server that went away meanwhile is refused', async (t) => {
	const world = await startWorld();
	await world.core.mcp.servers.delete(world.caller, world.server.id);
	t.is(await refusalOf(world.core.mcp.gate.admit(callOf(world.server))), 'resource_not_found');
});

test('a changed policy decides the next call', async (t) => {
	const world = await startWorld();
	await held(world, callOf(world.server));
	await world.core.mcp.servers.update(world.caller, world.server.id, {
		approval_config: {rules: [{pattern: 'delete_*', action: 'allow'}]},
	});
	const changed = await world.ports.mcpServers.bySlug(world.server.slug);
	if (!changed) return t.fail();
	t.is((await world.core.mcp.gate.admit(callOf(changed))).outcome, 'pass');
});
