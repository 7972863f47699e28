import test from 'ava';
import type {MiddlewareSettings, NewMiddleware} from '../../src/webhook/model/middleware-settings.ts';
import {refusalOf} from '../mcp/support.ts';
import {send, startWorld, type World} from './world.ts';

const filter: NewMiddleware = {
	type: 'filter',
	name: 'no drafts',
	config: {field: 'body.draft', operator: 'equals', value: 'true'},
};
const delay: NewMiddleware = {type: 'delay', name: 'later', config: {seconds: 5}};

const create = ({webhooks, caller, endpoint}: World, request: NewMiddleware) =>
	webhooks.middlewares.create(caller, endpoint.id, request);

const namesOf = async ({webhooks, caller, endpoint}: World) =>
	(await webhooks.middlewares.list(caller, endpoint.id)).map(({name}) => name);

test('[MID-001 MID-007 MID-008] a step runs last, is active unless it says otherwise, and inactive ones are listed too', async (t) => {
	const world = await startWorld();
	const first = await create(world, filter);
	t.deepEqual(first, {...filter, id: first.id, endpoint_id: world.endpoint.id, sort_order: 0, is_active: true});
	await create(world, {...delay, is_active: false});
	t.deepEqual(await namesOf(world), ['no drafts', 'later']);
});

const config = (type: NewMiddleware['type'], value: unknown): NewMiddleware =>
	({type, name: 'step', config: value}) as NewMiddleware;

const equals = {operator: 'equals', value: 'x'};
const matches = (value: string) => config('filter', {field: 'body', operator: 'matches', value});

const refused: readonly (readonly [string, NewMiddleware, string])[] = [
	[
		'more fields than a step may set',
		config('transform_headers', {set: Object.fromEntries(Array.from({length: 101}, (_, at) => [`x-${at}`, 'v']))}),
		'config.set',
	],
	['more than a step may set', config('transform_body', {set: {a: 'x'.repeat(64 * 1024)}}), 'config.set'],
	['[MID-006] an unknown type', config('throttle' as 'delay', {}), 'type'],
	['[MID-026] a filter without a field', config('filter', equals), 'config.field'],
	['a filter without an operator', config('filter', {field: 'body', value: 'x'}), 'config.operator'],
	['a filter without a value', config('filter', {field: 'body', operator: 'equals'}), 'config.value'],
	['[MID-027] an unknown property', config('filter', {field: 'body', ...equals, negate: true}), 'config.negate'],
	['[MID-027] a property of the wrong type', config('filter', {field: 7, ...equals}), 'config.field'],
	['[MID-027] a missing property', config('deduplicate', {key: 'body.id'}), 'config.ttl'],
	[
		'the config of another type',
		config('delay', {field: 'body', ...equals}),
		'config.seconds config.field config.operator config.value',
	],
	[
		'[MID-034] an unknown operator',
		config('filter', {field: 'body', operator: 'starts', value: 'x'}),
		'config.operator',
	],
	['[MID-041] a back reference', matches(String.raw`(a)\1`), 'config.value'],
	['[MID-041] a look-ahead', matches('a(?=b)'), 'config.value'],
	['[MID-041] a look-behind', matches('(?<=a)b'), 'config.value'],
	['[MID-044] an unclosed group', matches('(a'), 'config.value'],
	['[MID-044] a repetition that is too large', matches('(a{1000}){1000}'), 'config.value'],
	['[MID-045] an unknown path', config('filter', {field: 'payload.id', ...equals}), 'config.field'],
	['[MID-045] a malformed JSONPath', config('filter', {field: '$.items[', ...equals}), 'config.field'],
	['[MID-045] an empty part', config('deduplicate', {key: 'body..id', ttl: 60}), 'config.key'],
	['[MID-045] code in a JSONPath', config('deduplicate', {key: '$[(@.length-1)]', ttl: 60}), 'config.key'],
	['a variable in a path to compare', config('filter', {field: 'body.{{env.F}}', ...equals}), 'config.field'],
	['a variable in a key', config('deduplicate', {key: 'body.{{env.F}}', ttl: 60}), 'config.key'],
	['a variable in a path to remove', config('transform_body', {remove: ['{{env.F}}']}), 'config.remove.0'],
	['[MID-057] less than no delay', config('delay', {seconds: -1}), 'config.seconds'],
	['[MID-057] more than a day', config('delay', {seconds: 86_401}), 'config.seconds'],
	['a part of a second', config('delay', {seconds: 0.5}), 'config.seconds'],
	['no time to live', config('deduplicate', {key: 'body.id', ttl: 0}), 'config.ttl'],
	['headers that are neither set nor removed', config('transform_headers', {}), 'config'],
	[
		'a header of the connection',
		config('transform_headers', {set: {'Content-Length': '7'}}),
		'config.set.Content-Length',
	],
	[
		'a header of a proxy',
		config('transform_headers', {set: {'proxy-authorization': 'x'}}),
		'config.set.proxy-authorization',
	],
	['a header of the signature', config('transform_headers', {set: {'webhook-id': 'x'}}), 'config.set.webhook-id'],
	['a header twice', config('transform_headers', {set: {'x-a': '1', 'X-A': '2'}}), 'config.set.X-A'],
	['a line break in a header', config('transform_headers', {set: {'x-a': 'a\r\nb'}}), 'config.set.x-a'],
	['[MID-052] __proto__', config('transform_body', JSON.parse('{"set":{"__proto__":1}}')), 'config.set.__proto__'],
	[
		'[MID-052] constructor on the way',
		config('transform_body', {set: {'a.constructor.b': 1}}),
		'config.set.a.constructor.b',
	],
	['[MID-052] prototype to remove', config('transform_body', {remove: ['a', 'prototype']}), 'config.remove.1'],
	['a path that ends in a dot', config('transform_body', {set: {'a.': 1}}), 'config.set.a.'],
];

for (const [title, request, fields] of refused) {
	test(`${title}: refused by field, at create and at update (${fields})`, async (t) => {
		const world = await startWorld();
		const {webhooks, caller, endpoint} = world;
		t.is(await refusalOf(create(world, request)), `validation_error ${fields}`);
		const {id: middleware_id} = await create(world, {...filter, type: 'filter'});
		const place = {endpoint_id: endpoint.id, middleware_id};
		t.is(await refusalOf(webhooks.middlewares.update(caller, place, request)), `validation_error ${fields}`);
		t.deepEqual(
			(await webhooks.middlewares.list(caller, endpoint.id)).map(({config}) => config),
			[filter.config],
		);
	});
}

test('[MID-003 MID-004 MID-005] type, name and config are required', async (t) => {
	const world = await startWorld();
	t.is(await refusalOf(create(world, {} as NewMiddleware)), 'validation_error type name config');
});

test('delays of nothing and of a day are taken, and a pattern that a variable completes', async (t) => {
	const world = await startWorld();
	for (const seconds of [0, 86_400]) await create(world, config('delay', {seconds}));
	await create(world, matches('^{{env.PREFIX}}('));
	t.is((await namesOf(world)).length, 3);
});

test('[MID-009] any of type, name, config and is_active changes; the rest stays', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	const {id: middleware_id} = await create(world, filter);
	const update = (request: MiddlewareSettings) =>
		webhooks.middlewares.update(caller, {endpoint_id: endpoint.id, middleware_id}, request);
	t.like(await update({name: 'renamed'}), {...filter, name: 'renamed', is_active: true, sort_order: 0});
	t.like(await update({is_active: false}), {...filter, name: 'renamed', is_active: false});
	t.is(
		await refusalOf(update({type: 'delay'})),
		'validation_error config.seconds config.field config.operator config.value',
	);
	t.like(await update({type: 'delay', config: {seconds: 1}}), {type: 'delay', name: 'renamed', is_active: false});
	t.deepEqual((await update({config: {seconds: 2}})).config, {seconds: 2});
});

test('[MID-011 MID-012] a new order is followed, and holds exactly the ids of the endpoint', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	const other = await webhooks.endpoints.create(caller, {name: 'Other', destination_url: 'https://x.example'});
	const foreign = (await webhooks.middlewares.create(caller, other.id, delay)).id;
	const ids: string[] = [];
	for (const name of ['a', 'b', 'c']) ids.push((await create(world, {...delay, name})).id);
	const [a = '', b = '', c = ''] = ids;
	const reorder = (...wanted: readonly string[]) => webhooks.middlewares.reorder(caller, endpoint.id, wanted);
	for (const wrong of [[], [a, b], [a, b, c, c], [a, b, b], [a, b, foreign], [a, b, c, foreign]])
		t.is(await refusalOf(reorder(...wrong)), 'validation_error middleware_ids');
	t.deepEqual(await namesOf(world), ['a', 'b', 'c']);
	t.deepEqual(
		(await reorder(c, a, b)).map(({name}) => name),
		['c', 'a', 'b'],
	);
	t.deepEqual(await namesOf(world), ['c', 'a', 'b']);
	const {trace} = await send(world);
	t.deepEqual(
		trace.pipeline.steps.map(({name}) => name),
		['c', 'a', 'b'],
	);
});

test('[MID-010 MID-021] what is deleted runs no more; what is not there, or hangs elsewhere, is not found', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	const {id: middleware_id} = await create(world, filter);
	const other = await webhooks.endpoints.create(caller, {name: 'Other', destination_url: 'https://x.example'});
	const elsewhere = {endpoint_id: other.id, middleware_id};
	t.is(await refusalOf(webhooks.middlewares.delete(caller, elsewhere)), 'resource_not_found');
	t.is(await refusalOf(webhooks.middlewares.update(caller, elsewhere, {name: 'x'})), 'resource_not_found');
	t.is((await send(world, {body: '{"draft":true}'})).delivery_status, 'filtered');
	await webhooks.middlewares.delete(caller, {endpoint_id: endpoint.id, middleware_id});
	t.is((await send(world, {body: '{"draft":true}'})).delivery_status, 'pending');
	const gone = {endpoint_id: endpoint.id, middleware_id};
	t.is(await refusalOf(webhooks.middlewares.delete(caller, gone)), 'resource_not_found');
});

test('the record of changes names the step and never holds its config', async (t) => {
	const world = await startWorld();
	const {core, webhooks, caller, endpoint} = world;
	const secret = config('transform_headers', {set: {authorization: 'Bearer s3cret'}});
	const {id: middleware_id} = await create(world, secret);
	await webhooks.middlewares.update(caller, {endpoint_id: endpoint.id, middleware_id}, {config: secret.config});
	await webhooks.middlewares.reorder(caller, endpoint.id, [middleware_id]);
	await webhooks.middlewares.delete(caller, {endpoint_id: endpoint.id, middleware_id});
	const {data} = await core.live.audit.list(caller, {limit: 4, offset: 0});
	t.deepEqual(
		data.map(({action}) => action),
		['deleted', 'reordered', 'updated', 'created'].map((what) => `webhook_middleware.${what}`),
	);
	t.false(JSON.stringify(data).includes('s3cret'));
});
