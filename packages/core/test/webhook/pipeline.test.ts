import test from 'ava';
import type {WebhookMessage} from '../../src/webhook/model/message.ts';
import type {ConditionOperator, Middleware, TypedConfig} from '../../src/webhook/model/middleware.ts';
import {compilePipeline} from '../../src/webhook/rules/compile-pipeline.ts';
import type {EnvMarkers} from '../../src/webhook/rules/env-markers.ts';
import {type PipelineRun, runPipeline} from '../../src/webhook/rules/run-pipeline.ts';
import {bodyOf, markersOf, messageOf, steps} from './support.ts';

const run = (
	middlewares: readonly Middleware[],
	message: WebhookMessage,
	{
		is_replay = false,
		env = {},
		markers = markersOf(env),
	}: Readonly<{is_replay?: boolean; env?: Readonly<Record<string, string>>; markers?: EnvMarkers}> = {},
): PipelineRun => runPipeline(compilePipeline(middlewares), message, {markers, is_replay});

const filter = (field: string, operator: ConditionOperator, value?: string): TypedConfig => ({
	type: 'filter',
	config: {field, operator, ...(value !== undefined && {value})},
});

const push = messageOf(
	{action: 'opened', n: 5, yes: true, nothing: null, user: {name: 'Ada'}, tags: ['a', 'b'], 'a.b': 1},
	{
		headers: [
			['X-GitHub-Event', 'push'],
			['X-Tag', 'one'],
			['x-tag', 'two'],
		],
		method: 'PUT',
		query: 'mode=full&mode=fast&empty=',
	},
);

for (const [ids, field, operator, value, blocks] of [
	['MID-029', 'body.action', 'equals', 'opened', true],
	['MID-029', 'body.action', 'equals', 'open', false],
	['MID-029', 'body.action', 'equals', 'Opened', false],
	['MID-029', 'body.action', 'equals', 'opened ', false],
	['MID-029', 'body.n', 'equals', '5', true],
	['MID-029', 'body.yes', 'equals', 'true', true],
	['MID-029', 'body.nothing', 'equals', 'null', true],
	['MID-029', 'body.user', 'equals', '{"name":"Ada"}', true],
	['MID-030', 'body.action', 'not_equals', 'closed', true],
	['MID-030', 'body.action', 'not_equals', 'opened', false],
	['MID-030', 'body.missing', 'not_equals', 'x', true],
	['MID-031', 'body.action', 'contains', 'pen', true],
	['MID-031', 'body.action', 'contains', 'shut', false],
	['MID-031', 'body.action', 'contains', 'PEN', false],
	['MID-032][MID-042', 'body.action', 'matches', 'p.n', true],
	['MID-032', 'body.action', 'matches', '^pen', false],
	['MID-033', 'body.nothing', 'exists', undefined, true],
	['MID-033', 'body.nothing', 'exists', 'ignored', true],
	['MID-033', 'body.missing', 'exists', undefined, false],
	['MID-035', 'headers.x-github-event', 'equals', 'push', true],
	['MID-035', 'headers.X-GITHUB-EVENT', 'equals', 'push', true],
	['MID-035', 'headers.x-tag', 'equals', 'two', true],
	['MID-036', 'query.mode', 'equals', 'fast', true],
	['MID-036', 'query.empty', 'exists', undefined, true],
	['MID-036', 'query.none', 'exists', undefined, false],
	['MID-037', 'method', 'equals', 'PUT', true],
	['MID-038', 'body', 'contains', '"tags":["a","b"]', true],
	['MID-039', 'body.user.name', 'equals', 'Ada', true],
	['MID-039', 'body.tags.1', 'equals', 'b', true],
	['MID-039', 'body.a\\.b', 'equals', '1', true],
	['MID-039', 'body.user.constructor', 'exists', undefined, false],
	['MID-039', 'body.tags.length', 'exists', undefined, false],
	['MID-040', '$.tags[*]', 'equals', 'b', true],
	['MID-040', '$.user[?@.name]', 'exists', undefined, false],
] as const) {
	test(`[${ids}] a filter on ${field} ${operator} ${value} ${blocks ? 'blocks' : 'lets pass'}`, (t) => {
		t.is(run(steps(filter(field, operator, value)), push).trace.outcome, blocks ? 'blocked' : 'passed');
	});
}

test('[MID-028] a filter blocks the webhook when its condition holds, and later steps do not run', (t) => {
	const delay: TypedConfig = {type: 'delay', config: {seconds: 5}};
	const {trace} = run(steps(filter('method', 'equals', 'PUT'), delay), push);
	t.like(trace, {outcome: 'blocked', delay_seconds: 0});
	t.deepEqual(
		trace.steps.map(({outcome, message}) => [outcome, message]),
		[['blocked', 'method: "PUT" equals "PUT"']],
	);
});

test('[MID-023] steps run in sort_order, lower first', (t) => {
	const [first, second] = steps(
		{type: 'transform_body', config: {set: {a: 1}}},
		{type: 'transform_body', config: {set: {a: 2}}},
	) as [Middleware, Middleware];
	const swapped = [
		{...first, sort_order: 7},
		{...second, sort_order: -1},
	];
	t.is(bodyOf(run([first, second], messageOf('{}')).view.message), '{"a":2}');
	t.is(bodyOf(run(swapped, messageOf('{}')).view.message), '{"a":1}');
});

test('[MID-024] an inactive step is skipped', (t) => {
	const blocked = steps(filter('method', 'exists')).map((step) => ({...step, is_active: false}));
	t.deepEqual(run(blocked, push).trace, {outcome: 'passed', delay_seconds: 0, steps: [], result: {}});
});

test('[MID-046] transform_headers sets headers: one that is there keeps its place, repeats of it go', (t) => {
	const {view} = run(steps({type: 'transform_headers', config: {set: {'x-tag': 'new', 'X-More': '1'}}}), push);
	t.deepEqual(view.message.headers, [
		['X-GitHub-Event', 'push'],
		['x-tag', 'new'],
		['X-More', '1'],
	]);
});

test('[MID-047] transform_headers drops the named headers, whatever their case', (t) => {
	const {view} = run(steps({type: 'transform_headers', config: {remove: ['X-TAG', 'absent']}}), push);
	t.deepEqual(view.message.headers, [['X-GitHub-Event', 'push']]);
});

for (const [ids, config, body, expected] of [
	['MID-048', {set: {b: {c: [1]}}}, '{"a":1}', '{"a":1,"b":{"c":[1]}}'],
	['MID-049', {remove: ['a', 'u.x']}, '{"a":1,"u":{"x":1,"y":2}}', '{"u":{"y":2}}'],
	['MID-050', {set: {'a.b.c': 1}}, '{}', '{"a":{"b":{"c":1}}}'],
	['MID-051', {set: {'a\\.b': 1}}, '{}', '{"a.b":1}'],
	['MID-053', {set: {a: 1}}, '{"n":12345678901234567890.5}', '{"n":12345678901234567890.5,"a":1}'],
	['MID-054', {set: {z: 0}}, '{"z":1,"2":2,"1":1,"a":3}', '{"z":0,"2":2,"1":1,"a":3}'],
] as const) {
	test(`[${ids}] transform_body ${JSON.stringify(config)} makes ${expected}`, (t) => {
		const {view} = run(steps({type: 'transform_body', config: config as object}), messageOf(body));
		t.is(bodyOf(view.message), expected);
	});
}

test('[MID-055] a body that no step changed is the very bytes that came, whatever they are', (t) => {
	const bytes = Uint8Array.of(0xff, 0x00, 0x7b);
	const message = {...push, body: bytes};
	const untouched = steps(filter('headers.none', 'exists'), {type: 'transform_headers', config: {set: {a: 'b'}}});
	t.is(run(untouched, message).view.message.body, bytes);
	const same: TypedConfig = {type: 'transform_body', config: {remove: ['absent']}};
	t.is(run(steps(same), push).view.message.body, push.body);
});

test('a byte order mark is no part of the JSON, and stays where it is', (t) => {
	const message = messageOf('\ufeff{"a":1}');
	t.is(run(steps(filter('body.a', 'equals', '1')), message).trace.outcome, 'blocked');
	const {view} = run(steps({type: 'transform_body', config: {set: {b: 2}, remove: ['a']}}), message);
	t.deepEqual(view.message.body, new TextEncoder().encode('\ufeff{"b":2}'));
});

test('what is nested too deeply to be read is told in words for people', (t) => {
	const deep = messageOf('['.repeat(200_000) + ']'.repeat(200_000));
	const {trace} = run(steps(filter('$', 'equals', 'a')), deep);
	t.is(trace.outcome, 'error');
	t.is(trace.steps[0]?.message, 'the body is nested too deeply');
});

test('an empty body cannot be transformed: the step says so', (t) => {
	const {trace} = run(steps({type: 'transform_body', config: {set: {a: 1}}}), messageOf(''));
	t.is(trace.steps[0]?.message, 'the body is empty, so no field of it can be changed');
});

test('a body that is no JSON cannot be transformed: the step says so', (t) => {
	const {trace} = run(steps({type: 'transform_body', config: {set: {a: 1}}}), messageOf('a=1'));
	t.is(trace.outcome, 'error');
	t.regex(trace.steps[0]?.message ?? '', /not JSON/);
});

test('[MID-058] several delays sum up', (t) => {
	const delays = steps({type: 'delay', config: {seconds: 5}}, {type: 'delay', config: {seconds: 60}});
	t.is(run(delays, push).trace.delay_seconds, 65);
});

const deduplicate: TypedConfig = {type: 'deduplicate', config: {key: 'body.action', ttl: 60}};

test('[MID-062] without its value a webhook is no duplicate: nothing is claimed', (t) => {
	const {claims, trace} = run(steps(deduplicate), messageOf('{}'));
	t.deepEqual(claims, []);
	t.is(trace.outcome, 'passed');
});

test('a deduplicate step claims its value, and says how the webhook ends if somebody was first', (t) => {
	const {claims, trace} = run(
		steps({type: 'delay', config: {seconds: 1}}, deduplicate, filter('method', 'exists')),
		push,
	);
	t.is(trace.outcome, 'blocked');
	t.deepEqual(
		claims.map(({middleware_id, value, ttl_seconds}) => [middleware_id, value, ttl_seconds]),
		[['m1', '["body.action","opened"]', 60]],
	);
	t.deepEqual(
		claims[0]?.otherwise.steps.map(({outcome}) => outcome),
		['passed', 'duplicate'],
	);
	t.like(claims[0]?.otherwise, {outcome: 'duplicate', delay_seconds: 1});
});

test('[MID-065] a replay is not stopped by deduplicate', (t) => {
	const {claims, trace} = run(steps(deduplicate), push, {is_replay: true});
	t.deepEqual(claims, []);
	t.is(trace.outcome, 'passed');
});

test('a variable is compared and never shown: a trace names it as the configuration does', (t) => {
	const hidden = steps(
		{type: 'transform_headers', config: {set: {authorization: 'Bearer {{env.TOKEN}}'}}},
		{type: 'transform_body', config: {set: {token: '{{ env.TOKEN }}'}}},
		filter('headers.authorization', 'equals', 'Bearer other'),
		filter('body.token', 'equals', '{{env.TOKEN}}'),
	);
	const markers = markersOf({TOKEN: 's3cr"et'});
	const {trace, view} = run(hidden, messageOf('{"sent":"{{env.TOKEN}}"}'), {markers});
	t.is(trace.outcome, 'blocked');
	t.notRegex(JSON.stringify(trace), /s3cr|n0nce/);
	t.is(trace.result.headers?.authorization, 'Bearer {{env.TOKEN}}');
	const stored = markers.extract(view.bodyText());
	t.is(stored.text, '{"sent":"{{env.TOKEN}}","token":""}');
	t.deepEqual(stored.references, [{at: 33, key: 'TOKEN', as: 'json'}]);
});

test('a variable within the body is compared as it is delivered: escaped in JSON text, as it is in a field', (t) => {
	const set = steps({type: 'transform_body', config: {set: {'a.token': '{{env.TOKEN}}'}}});
	const compared = (field: string, value: string): string => {
		const blocking = steps(...set, filter(field, 'contains', value));
		return run(blocking, messageOf('{}'), {env: {TOKEN: 'a"b'}}).trace.outcome;
	};
	t.is(compared('body', '"token":"a\\"b"'), 'blocked');
	t.is(compared('body', 'a"b'), 'passed');
	t.is(compared('body.a', '{"token":"a\\"b"}'), 'blocked');
	t.is(compared('$', '{"a":{"token":"a\\"b"}}'), 'blocked');
	t.is(compared('body.a.token', 'a"b'), 'blocked');
});

test('a variable that is not there fails the step that needs it, and names it', (t) => {
	const {trace} = run(steps(filter('method', 'equals', '{{env.GONE}}')), push);
	t.is(trace.outcome, 'error');
	t.regex(trace.steps[0]?.message ?? '', /GONE/);
});

test('a body that names a variable thousands of times is taken apart in one pass, and no longer than memory allows', (t) => {
	const markers = markersOf({A: 'x'.repeat(64 * 1024)});
	const text = `é${'x'.repeat(500_000)}${markers.mark('{{env.A}}').repeat(8000)}`;
	const began = process.cpuUsage();
	const {references} = markers.extract(text);
	t.true(process.cpuUsage(began).user < 1_000_000, 'measured anew for each reference: several seconds');
	t.is(references.length, 8000);
	t.true(references.every(({at}) => at === 500_002));
	t.throws(() => markers.resolve(text), {message: /add more than 1 MiB/});
});

test('bodies that are no UTF-8 are one only if their bytes are', (t) => {
	const latin = (text: string) => ({...messageOf(''), body: new Uint8Array(Buffer.from(text, 'latin1'))});
	for (const key of ['body', '$.name', 'body.name']) {
		const claimed = (text: string) =>
			run(steps({type: 'deduplicate', config: {key, ttl: 60}}), latin(text)).claims[0]?.value;
		t.not(claimed('{"name":"Jos\u00e9"}'), claimed('{"name":"Jos\u00e8"}'), key);
		t.is(claimed('{"name":"Jos\u00e9"}'), claimed('{"name":"Jos\u00e9"}'), key);
		t.is(claimed('{"name":"Jose"}'), claimed('{"name":"Jose"}'), key);
	}
});
