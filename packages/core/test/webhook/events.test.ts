import {defaultSettings} from '@signalbox/core';
import test from 'ava';
import {refusalOf} from '../mcp/support.ts';
import {send, startWorld, type World} from './world.ts';

const page = {limit: 100, offset: 0};

/** Attempts all that is due, and lets it fail for good. */
const failAll = async ({ports}: World) => {
	const attempt_ids = Array.from({length: 500}, () => ports.ids.next());
	const leased = await ports.deliveries.lease({attempt_ids, per_destination: 500, lease_seconds: 45});
	for (const {id: delivery_id, fence, attempt} of leased) {
		await ports.deliveries.settle({
			delivery_id,
			fence,
			attempt: {
				id: attempt.id,
				outcome: 'failed',
				status_code: 500,
				error_code: null,
				response_headers: {},
				response_body: new Uint8Array(),
				duration_ms: 5,
			},
			next: {status: 'failed'},
			error: 'The destination answered 500.',
		});
	}
	return leased.length;
};

const unknownId = '01890000-0000-7000-8000-000000000000';

test('a retry arms what failed; what did not fail, or is not there, is refused', async (t) => {
	const world = await startWorld();
	const {webhooks, caller} = world;
	const {id} = await send(world);
	t.is(await refusalOf(webhooks.events.retry(caller, id)), 'conflict');
	await failAll(world);
	t.is((await webhooks.events.get(caller, id)).delivery_status, 'failed');
	t.is((await webhooks.events.retry(caller, id)).delivery_status, 'retrying');
	t.is(await failAll(world), 1);
	t.is(await refusalOf(webhooks.events.retry(caller, unknownId)), 'resource_not_found');
	const {caller: stranger} = await startWorld();
	t.is(await refusalOf(webhooks.events.retry(stranger, id)), 'resource_not_found');
});

test("a replay is a new event through today's pipeline, of the webhook as it was received", async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	await webhooks.middlewares.create(caller, endpoint.id, {
		type: 'deduplicate',
		name: 'once',
		config: {key: 'body.order', ttl: 60},
	});
	const first = await send(world, {method: 'PUT', path: '/a', query: 'b=1', headers: [['X-C', '2']]});
	t.is((await send(world)).delivery_status, 'duplicate');
	await webhooks.middlewares.create(caller, endpoint.id, {
		type: 'transform_body',
		name: 'mark',
		config: {set: {again: true}},
	});
	const replayed = await webhooks.events.replay(caller, first.id);
	t.not(replayed.id, first.id);
	const {method, path, query, headers, body, source_ip} = first;
	t.like(replayed, {method, path, query, headers, body, source_ip, delivery_status: 'pending'});
	t.is(replayed.trace.pipeline.result.body, '{"order":7,"again":true}');
	t.is(replayed.trace.pipeline.steps[0]?.message, 'a replay is no duplicate');
	t.is((await send(world)).delivery_status, 'duplicate');
});

test('a body that is no longer kept cannot be sent again', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, ports, clock} = world;
	const {id} = await send(world);
	await failAll(world);
	await clock.advance(31 * 24 * 3600 * 1000);
	await ports.webhookEvents.purgeBodies({days_by_plan: new Map(), otherwise: 30}, 10);
	t.is(await refusalOf(webhooks.events.retry(caller, id)), 'conflict');
	t.is(await refusalOf(webhooks.events.replay(caller, id)), 'conflict');
	t.deepEqual(await webhooks.events.retryAll(caller, {}), {count: 0, skipped: 1});
	t.deepEqual(await webhooks.events.replayAll(caller, {}), {count: 0, skipped: 1});
});

test("a replay counts as an event: over the plan's number it is refused", async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 1}));
	const world = await startWorld({}, {settings: {plans}});
	const {id} = await send(world);
	t.is(await refusalOf(world.webhooks.events.replay(world.caller, id)), 'plan_limit_reached');
});

test('a bulk replay that meets the limit tells how many it wrote, so that nobody sends them twice', async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 5}));
	const world = await startWorld({}, {settings: {plans}});
	for (let index = 0; index < 3; index += 1) await send(world);
	const {webhooks, caller} = world;
	t.deepEqual(await webhooks.events.replayAll(caller, {}), {count: 2, skipped: 1});
	t.is((await webhooks.events.list(caller, {}, page)).total, 5);
	t.is(await refusalOf(webhooks.events.replayAll(caller, {})), 'plan_limit_reached');
});

test('[WHK-088] bulk retry acts on all that the filter selects, and on nothing else', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint, clock} = world;
	for (let index = 0; index < 450; index += 1) await send(world);
	await failAll(world);
	await clock.advance(1000);
	const from = clock.now();
	await send(world);
	await failAll(world);
	const other = await webhooks.endpoints.create(caller, {name: 'Other', destination_url: 'https://x.example'});
	t.deepEqual(await webhooks.events.retryAll(caller, {endpoint_id: other.id}), {count: 0, skipped: 0});
	t.deepEqual(await webhooks.events.retryAll(caller, {from}), {count: 1, skipped: 0});
	t.is((await webhooks.events.list(caller, {status: 'retrying'}, page)).total, 1);
	const {count} = await webhooks.events.retryAll(caller, {endpoint_id: endpoint.id, status: 'failed'});
	t.is(count, 450);
	t.is((await webhooks.events.list(caller, {status: 'failed'}, page)).total, 0);
});

test('[WHK-088] bulk replay acts on all that the filter selects, once, and not on what it makes', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, clock} = world;
	for (let index = 0; index < 420; index += 1) await send(world);
	await clock.advance(1000);
	const to = clock.now();
	await send(world);
	t.deepEqual(await webhooks.events.replayAll(caller, {to}), {count: 420, skipped: 0});
	t.is((await webhooks.events.list(caller, {}, page)).total, 841);
	t.deepEqual(await webhooks.events.replayAll(caller, {}), {count: 841, skipped: 0});
	t.is((await webhooks.events.list(caller, {}, page)).total, 1682);
	const {caller: stranger} = await startWorld();
	t.deepEqual(await webhooks.events.replayAll(stranger, {}), {count: 0, skipped: 0});
});

test('a list shows the first 4,096 characters of a body, one event all of it', async (t) => {
	const world = await startWorld();
	const body = JSON.stringify({text: 'x'.repeat(10_000)});
	const {id} = await send(world, {body});
	const {data} = await world.webhooks.events.list(world.caller, {}, page);
	t.is(data[0]?.body, body.slice(0, 4096));
	t.is((await world.webhooks.events.get(world.caller, id)).body, body);
});

test('an event that went to a hundred destinations with a megabyte is shown, and replayed', async (t) => {
	const world = await startWorld({routing_mode: 'broadcast'});
	const {webhooks, caller, endpoint} = world;
	for (let index = 0; index < 100; index += 1) {
		const rule = {name: `rule ${index}`, destination_url: 'https://a.example/hook', is_active: true};
		await webhooks.routingRules.create(caller, endpoint.id, rule);
	}
	const body = '\u0001'.repeat(1024 * 1024);
	const event = await send(world, {body});
	for (const {trace, ...shown} of [event, await webhooks.events.replay(caller, event.id)]) {
		t.is(shown.body, body);
		t.is(trace.routing?.destinations.length, 100);
		t.true(JSON.stringify({...shown, trace}).length < 20 * 1024 * 1024);
	}
});

test('who embeds names a span in any zone, and a page within its bounds; anything else is refused, and nothing sent again', async (t) => {
	const world = await startWorld();
	const {events} = world.webhooks;
	await send(world);
	const now = world.ports.clock.now();
	const west = now.replace('Z', '-01:00');
	t.deepEqual(await events.replayAll(world.caller, {from: west}), {count: 0, skipped: 0});
	t.is((await events.list(world.caller, {to: west}, page)).total, 1);
	for (const text of ['yesterday', '2026-01-31T09:30:00', '']) {
		t.is(await refusalOf(events.replayAll(world.caller, {to: text})), 'validation_error to');
		t.is(await refusalOf(events.retryAll(world.caller, {from: text})), 'validation_error from');
		t.is(await refusalOf(events.list(world.caller, {from: text}, page)), 'validation_error from');
	}
	for (const limit of [0, -1, 101])
		t.is(await refusalOf(events.list(world.caller, {}, {limit, offset: 0})), 'validation_error limit');
	t.is((await events.list(world.caller, {}, page)).total, 1);
});
