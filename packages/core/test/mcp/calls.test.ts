import {addCaller, buildCallEntry} from '@signalbox/core/testing';
import test from 'ava';
import {refusalOf, startWorld, type World, withKey} from './support.ts';

const page = {limit: 50, offset: 0};

const log = async (world: World, fields: Partial<Parameters<typeof buildCallEntry>[0]> = {}) => {
	const entry = buildCallEntry({server: world.server, ...fields});
	await world.ports.callLog.append(entry);
	return entry;
};

test('[MCP-063] the list cuts bodies, one call has them whole', async (t) => {
	const world = await startWorld();
	const body = 'x'.repeat(20_000);
	const {id} = await log(world, {request_body: new TextEncoder().encode(body)});
	const {data} = await world.core.mcp.calls.list(world.caller, {}, page);
	t.is(data[0]?.request_body.length, 16_384);
	t.is((await world.core.mcp.calls.get(world.caller, id)).request_body, body);
});

test('[MCP-087] limit is 1 to 100, offset not negative, days 1 to 365', async (t) => {
	const world = await startWorld();
	const {list, metrics} = world.core.mcp.calls;
	for (const limit of [0, 101, 1.5, -1])
		t.is(await refusalOf(list(world.caller, {}, {limit, offset: 0})), 'validation_error limit');
	for (const limit of [1, 100]) t.is(await refusalOf(list(world.caller, {}, {limit, offset: 0})), 'resolved');
	t.is(await refusalOf(list(world.caller, {}, {limit: 1, offset: -1})), 'validation_error offset');
	for (const days of [0, 366, 1.5]) t.is(await refusalOf(metrics(world.caller, {days})), 'validation_error days');
	for (const days of [1, 365]) t.is(await refusalOf(metrics(world.caller, {days})), 'resolved');
});

test('[MCP-060 MCP-061] from and to are ISO 8601, in any zone; another format is refused', async (t) => {
	const world = await startWorld();
	const {count} = world.core.mcp.calls;
	await log(world, {created_at: '2026-01-31T09:30:00.000Z'});
	t.is(await count(world.caller, {from: '2026-01-31T10:30:00+01:00'}), 1);
	t.is(await count(world.caller, {from: '2026-01-31T09:30:00.001Z'}), 0);
	t.is(await count(world.caller, {from: '2026-01-31', to: '2026-02-01'}), 1);
	t.is(await count(world.caller, {to: '2026-01-31T09:30:00Z'}), 0);
	for (const text of ['yesterday', '31.01.2026', '2026-01-31T09:30:00', '2026-13-01', '', '1769851800']) {
		t.is(await refusalOf(count(world.caller, {from: text})), 'validation_error from', text);
		t.is(await refusalOf(count(world.caller, {to: text})), 'validation_error to', text);
	}
});

test('[MCP-067 MCP-068] metrics cover the last days up to now, the current hour included', async (t) => {
	const world = await startWorld();
	await world.clock.set('2026-03-10T10:00:00.000Z');
	for (const created_at of [
		'2026-02-08T09:59:59.999Z',
		'2026-02-08T10:00:00.000Z',
		'2026-03-10T09:59:59.999Z',
		'2026-03-10T10:00:00.000Z',
	]) {
		await log(world, {created_at});
	}
	const metrics = await world.core.mcp.calls.metrics(world.caller, {days: 30});
	t.like(metrics, {from: '2026-02-08T10:00:00.000Z', to: '2026-03-10T10:00:00.000Z', total_calls: 3});
	t.is((await world.core.mcp.calls.metrics(world.caller, {days: 1})).total_calls, 2);
});

test('[MCP-088] metrics and lists cover the active team only', async (t) => {
	const world = await startWorld();
	await log(world);
	const other = await addCaller(world.ports);
	t.is((await world.core.mcp.calls.metrics(other, {days: 30})).total_calls, 0);
	const elsewhere = {...other, team_ids: [other.team_id, world.server.team_id]};
	t.is((await world.core.mcp.calls.list(elsewhere, {}, page)).total, 0);
});

test('[MCP-076] a call is deleted for good, by a session or scope approvals, and the audit says so', async (t) => {
	const world = await startWorld();
	const {calls} = world.core.mcp;
	const {id} = await log(world);
	t.is(await refusalOf(calls.delete(withKey(world.caller, 'api'), id)), 'forbidden');
	t.is(await refusalOf(calls.delete(await addCaller(world.ports), id)), 'resource_not_found');
	await calls.delete(withKey(world.caller, 'approvals'), id);
	t.is(await refusalOf(calls.get(world.caller, id)), 'resource_not_found');
	t.is(await refusalOf(calls.delete(world.caller, id)), 'resource_not_found');
	const {data} = await world.core.live.audit.list(world.caller, page);
	t.deepEqual(
		data.map(({action, target_id}) => [action, target_id]),
		[['mcp_call.deleted', id]],
	);
});
