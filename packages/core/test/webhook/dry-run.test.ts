import test from 'ava';
import type {NewMiddleware} from '../../src/webhook/model/middleware-settings.ts';
import type {Sample} from '../../src/webhook/model/sample.ts';
import {send, startWorld, type World} from './world.ts';

const step = (type: NewMiddleware['type'], config: object, is_active = true): NewMiddleware =>
	({type, name: type, config, is_active}) as NewMiddleware;

const add = async ({webhooks, caller, endpoint}: World, ...steps: readonly NewMiddleware[]) => {
	for (const each of steps) await webhooks.middlewares.create(caller, endpoint.id, each);
};

const tryMiddlewares = ({webhooks, caller, endpoint}: World, sample: Sample) =>
	webhooks.dryRun.testMiddlewares(caller, endpoint.id, sample);

const tryRouting = ({webhooks, caller, endpoint}: World, sample: Sample) =>
	webhooks.dryRun.testRouting(caller, endpoint.id, sample);

test('[MID-013 MID-015 MID-016] each active step tells what it did, and the result is what would be delivered', async (t) => {
	const world = await startWorld();
	await add(
		world,
		step('filter', {field: 'method', operator: 'equals', value: 'DELETE'}),
		step('delay', {seconds: 9}, false),
		step('transform_headers', {set: {'x-a': '{{env.A}}'}, remove: ['x-b']}),
		step('transform_body', {set: {seen: true}}),
		step('delay', {seconds: 5}),
	);
	const trace = await tryMiddlewares(world, {headers: {'X-B': '1', 'X-C': '2'}, body: {order: 7}});
	t.like(trace, {outcome: 'passed', delay_seconds: 5});
	t.deepEqual(
		trace.steps.map(({type, outcome}) => [type, outcome]),
		['filter', 'transform_headers', 'transform_body', 'delay'].map((type) => [type, 'passed']),
	);
	t.deepEqual(trace.steps[1]?.headers, {'X-C': '2', 'x-a': '{{env.A}}'});
	t.is(trace.steps[2]?.body, '{"order":7,"seen":true}');
	t.deepEqual(trace.result, {headers: {'X-C': '2', 'x-a': '{{env.A}}'}, body: '{"order":7,"seen":true}'});
});

test('[MID-015] blocked and error end the run at their step', async (t) => {
	const world = await startWorld();
	await add(world, step('filter', {field: 'query.drop', operator: 'exists'}), step('transform_body', {set: {a: 1}}));
	t.like(await tryMiddlewares(world, {query: 'drop=1', body: {}}), {outcome: 'blocked', steps: {length: 1}});
	t.like(await tryMiddlewares(world, {query: {drop: '1'}, body: {}}), {outcome: 'blocked', steps: {length: 1}});
	t.like(await tryMiddlewares(world, {query: '?drop=1', body: {}}), {outcome: 'blocked'});
	t.like(await tryMiddlewares(world, {body: 'no JSON'}), {outcome: 'error', steps: {length: 2}});
});

test('[MID-018] a dry run knows duplicates of what came in, and makes none', async (t) => {
	const world = await startWorld();
	await add(world, step('deduplicate', {key: 'body.id', ttl: 60}));
	const outcome = async (id: string) => (await tryMiddlewares(world, {body: {id}})).outcome;
	t.deepEqual([await outcome('a'), await outcome('a')], ['passed', 'passed']);
	t.is((await send(world, {body: '{"id":"a"}'})).delivery_status, 'pending');
	t.deepEqual([await outcome('a'), await outcome('b')], ['duplicate', 'passed']);
	t.is((await world.webhooks.events.list(world.caller, {}, {limit: 9, offset: 0})).total, 1);
	await world.clock.advance(60_000);
	t.is(await outcome('a'), 'passed');
});

test('[MID-017] a dry run leaves nothing to deliver', async (t) => {
	const world = await startWorld();
	await tryMiddlewares(world, {body: {}});
	await tryRouting(world, {body: {}});
	t.is(await world.ports.deliveries.nextDue(), undefined);
	const wish = {attempt_ids: ['a'], per_destination: 10, lease_seconds: 45};
	t.deepEqual(await world.ports.deliveries.lease(wish), []);
});

const addRules = async ({webhooks, caller, endpoint}: World) => {
	const matching = await webhooks.routingRules.create(caller, endpoint.id, {
		name: 'gold',
		destination_url: 'https://gold.example/{{env.PATH}}',
		is_active: true,
		condition_source: 'body',
		condition_field: '$.tier',
		condition_operator: 'equals',
		condition_value: 'gold',
		headers_override: {authorization: 'Bearer {{env.TOKEN}}'},
		transform_body: '{"for":{{ body.name | json }},"key":"{{ env.TOKEN }}"}',
	});
	const other = await webhooks.routingRules.create(caller, endpoint.id, {
		name: 'silver',
		destination_url: 'https://silver.example/',
		is_active: true,
		condition_source: 'header',
		condition_field: 'x-tier',
		condition_operator: 'equals',
		condition_value: 'silver',
	});
	return [matching.id, other.id] as const;
};

test('[RTE-013 RTE-014] the routing test tells where a sample goes, what arrives there, and why', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const [gold, silver] = await addRules(world);
	t.deepEqual(await tryRouting(world, {headers: {'x-a': '1'}, body: {tier: 'gold', name: 'Ada'}}), {
		routing_mode: 'all_match',
		destinations: [
			{
				rule_id: gold,
				name: 'gold',
				url: 'https://gold.example/{{env.PATH}}',
				headers: {'x-a': '1', authorization: 'Bearer {{env.TOKEN}}'},
				body: '{"for":"Ada","key":"{{env.TOKEN}}"}',
			},
		],
		rules: [
			{rule_id: gold, name: 'gold', matched: true, reason: '"gold" equals "gold"'},
			{rule_id: silver, name: 'silver', matched: false, reason: 'is not there, so it does not equal "silver"'},
		],
	});
});

test('[RTE-014] the primary destination has no rule', async (t) => {
	const world = await startWorld();
	const destination = {rule_id: null, name: 'Orders', url: 'https://orders.example.com/hook', headers: {}, body: 'hi'};
	t.deepEqual(await tryRouting(world, {body: 'hi'}), {
		routing_mode: 'single',
		destinations: [destination],
		rules: [],
	});
});

test('routing judges what the middleware made; what the middleware ends goes nowhere', async (t) => {
	const world = await startWorld({routing_mode: 'first_match'});
	await add(
		world,
		step('filter', {field: 'body.drop', operator: 'exists'}),
		step('transform_body', {set: {tier: 'gold'}}),
	);
	await addRules(world);
	t.is((await tryRouting(world, {body: {name: 'x'}})).destinations[0]?.name, 'gold');
	const dropped = await tryRouting(world, {body: {drop: 1}});
	t.deepEqual(dropped, {routing_mode: 'first_match', destinations: [], rules: []});
});

test('[WHK-051] the trace of an event is what both tests answer for the same input', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	await add(world, step('transform_headers', {set: {'x-a': '{{env.A}}'}}), step('transform_body', {set: {seen: 1}}));
	await addRules(world);
	const body = '{"tier":"gold","name":"Ada","big":12345678901234567890}';
	const sample: Sample = {method: 'put', headers: {'X-Tier': 'silver'}, query: 'a=1', body};
	const {trace} = await send(world, {method: 'PUT', headers: [['X-Tier', 'silver']], query: 'a=1', body});
	t.deepEqual(trace.pipeline, await tryMiddlewares(world, sample));
	t.deepEqual(trace.routing, await tryRouting(world, sample));
	t.is(trace.routing?.destinations.length, 2);
});

test('[WHK-051] of a long body both tests show as much as the trace of an event, however many steps change it', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	for (let index = 0; index < 50; index += 1) await add(world, step('transform_body', {set: {[`step_${index}`]: 1}}));
	await addRules(world);
	const body = JSON.stringify({tier: 'gold', name: 'x'.repeat(200_000)});
	const {trace} = await send(world, {body});
	const [pipeline, routing] = [await tryMiddlewares(world, {body}), await tryRouting(world, {body})];
	t.deepEqual(trace, {pipeline, routing});
	t.is(pipeline.steps.length, 50);
	t.true(JSON.stringify([pipeline, routing]).length < 1024 * 1024);
});
