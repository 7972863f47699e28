import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import type {AcceptancePlan} from '../../src/webhook/model/acceptance-plan.ts';
import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {EnvValues} from '../../src/webhook/model/env-values.ts';
import type {EnvReference, HeaderField} from '../../src/webhook/model/message.ts';
import type {Middleware} from '../../src/webhook/model/middleware.ts';
import {type RoutingRule, routingModeSchema} from '../../src/webhook/model/routing-rule.ts';
import type {CompactTrace} from '../../src/webhook/model/trace.ts';
import {compileEndpoint} from '../../src/webhook/rules/compile-endpoint.ts';
import {decideAcceptance} from '../../src/webhook/rules/decide-acceptance.ts';
import {createEnvMarkers} from '../../src/webhook/rules/env-markers.ts';
import {expandTrace} from '../../src/webhook/rules/expand-trace.ts';
import {planAcceptance} from '../../src/webhook/rules/plan-acceptance.ts';
import {answerOf, type Question} from './reference-model.ts';

const key = fc.constantFrom('a', 'b', 'a.b', 'é', '__proto__');
const scalar = fc.constantFrom<unknown>(null, true, 5, -1.5, '', 'a', 'ab', 's3cret', 'x.y', '{{env.TOKEN}}', '#big');
const {value: json} = fc.letrec<{value: unknown}>((tie) => ({
	value: fc.oneof(
		{maxDepth: 3},
		scalar,
		fc.array(tie('value'), {maxLength: 3}),
		fc.dictionary(key, tie('value'), {maxKeys: 4}),
	),
}));
/** `items` is entered by index: no object has a key that looks like one, because it would move to the front when it is parsed. */
const object = fc
	.tuple(fc.dictionary(key, json, {minKeys: 1, maxKeys: 4}), fc.option(fc.array(json, {maxLength: 3})))
	.map(([members, items]) => (items === null ? members : {...members, items}));
const withBigNumbers = (text: string): string => text.replaceAll('"#big"', '12345678901234567890123');
const body = fc.oneof(
	{arbitrary: object.map((value) => JSON.stringify(value)), weight: 8},
	{arbitrary: json.map((value) => JSON.stringify(value)), weight: 2},
	{arbitrary: object.map((value) => `\ufeff${JSON.stringify(value)}`), weight: 1},
	{arbitrary: fc.constantFrom('', 'a=1', '{"a":', 'é\n'), weight: 1},
);
const bytes = fc.oneof(
	{arbitrary: body.map((text) => new TextEncoder().encode(withBigNumbers(text))), weight: 20},
	{arbitrary: fc.constant(Uint8Array.of(0xff, 0x7b)), weight: 1},
);

const headerName = fc.constantFrom('X-Tag', 'x-tag', 'X-Event', 'Authorization');
const header: fc.Arbitrary<HeaderField> = fc.tuple(headerName, fc.constantFrom('a', 'ab', 's3cret', '{{env.TOKEN}}'));
const query = fc
	.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('', 'a', 'ab')), {maxLength: 3})
	.map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
const message = fc.record({
	method: fc.constantFrom('POST', 'GET'),
	path: fc.constant(''),
	query,
	headers: fc.array(header, {maxLength: 4}),
	body: bytes,
});

const jsonPath = fc.constantFrom(
	...['$', '$.a', '$.a.b', "$['a.b']", '$.items[0]', '$.items[*]', '$.items[*].a', '$..a', "$..['é']", '$[*]', '$[0]'],
	...['$.items[?@.a==5]', '$[?@.b=="a"]', '$..a[*].b', '$.b[1].a'],
);
const place = fc.constantFrom(
	...['headers.x-tag', 'headers.Authorization', 'query.a', 'method', 'body', 'body.a', 'body.a\\.b', 'body.items.0'],
	...['body.a.b.a', 'body.items.1.a', 'body.__proto__'],
);
const field = fc.oneof(place, jsonPath);
const value = fc.constantFrom(
	...[
		'a',
		'ab',
		'5',
		'null',
		'true',
		'',
		'POST',
		's3cret',
		'{{env.TOKEN}}',
		'x{{ env.EMPTY }}',
		'12345678901234567890123',
	],
	...['[]', '{"a":5}', '{{env.GONE}}'],
);
const pattern = fc.constantFrom(
	'^a',
	'b$',
	'a|5',
	'[a-c]+',
	'^$',
	'\\d',
	's.c',
	'(?:ab)+',
	'[^a]',
	'{{env.TOKEN}}',
	'^{{env.GONE}}',
);
const operator = fc.constantFrom('equals', 'not_equals', 'contains', 'exists', 'matches' as const);
const condition = operator.chain((chosen) =>
	fc.record({operator: fc.constant(chosen), value: chosen === 'matches' ? pattern : value}),
);
const templateText = fc.constantFrom(
	'new',
	'Bearer {{env.TOKEN}}',
	'{{ env.GONE }}',
	'{{other}}',
	'{{env.TOKEN}}{{env.EMPTY}}',
);
const memberPath = fc.constantFrom('a', 'b', 'c', 'a.b', 'a\\.b', 'items.0', 'items.0.a', 'a.b.c', 'é');
const put = fc.oneof(templateText, fc.constantFrom<unknown>(1, null, {c: ['{{env.TOKEN}}']}, []));

const config = fc.oneof(
	fc.tuple(field, condition).map(([at, rest]) => ({type: 'filter', config: {field: at, ...rest}})),
	fc.record({
		type: fc.constant('transform_headers'),
		config: fc.record(
			{
				set: fc.dictionary(fc.constantFrom('x-tag', 'X-New', 'authorization'), templateText, {maxKeys: 3}),
				remove: fc.array(headerName, {maxLength: 2}),
			},
			{requiredKeys: []},
		),
	}),
	fc.record({
		type: fc.constant('transform_body'),
		config: fc.record(
			{set: fc.dictionary(memberPath, put, {maxKeys: 3}), remove: fc.array(memberPath, {maxLength: 3})},
			{requiredKeys: []},
		),
	}),
	fc.record({type: fc.constant('delay'), config: fc.record({seconds: fc.nat(100)})}),
	fc.record({type: fc.constant('deduplicate'), config: fc.record({key: field, ttl: fc.integer({min: 1, max: 99})})}),
);

const anyOrder = fc.integer({min: -2, max: 2});
const often = fc.integer({min: 0, max: 5}).map((n) => n > 0);
const middlewares = fc
	.array(fc.tuple(config, anyOrder, often), {maxLength: 6})
	.map((all) =>
		all.map(
			([typed, sort_order, is_active], at) =>
				({...typed, sort_order, is_active, id: `m${at}`, endpoint_id: 'e1', name: `step ${at}`}) as Middleware,
		),
	);

const ruleCondition = fc.oneof(
	fc.constant({condition_source: null, condition_field: null, condition_operator: null, condition_value: null}),
	fc.tuple(fc.constantFrom('X-Tag', 'authorization'), condition).map(([name, {operator, value}]) => ({
		condition_source: 'header',
		condition_field: name,
		condition_operator: operator,
		condition_value: value,
	})),
	fc.tuple(jsonPath, condition).map(([path, {operator, value}]) => ({
		condition_source: 'body',
		condition_field: path,
		condition_operator: operator,
		condition_value: value,
	})),
	fc.tuple(fc.constantFrom('equals', 'not_equals'), fc.constantFrom('POST', 'PUT')).map(([operator, value]) => ({
		condition_source: 'method',
		condition_field: null,
		condition_operator: operator,
		condition_value: value,
	})),
);
const retry_config = fc.constantFrom<EndpointRecord['retry_config']>(null, {max_retries: 1, intervals: [7]});
const destination_url = fc.constantFrom('https://a.example/x', 'https://b.example:8443/{{env.TOKEN}}', '{{env.URL}}');
const ruleParts = fc.record({
	destination_url,
	retry_config,
	headers_override: fc.dictionary(fc.constantFrom('x-tag', 'X-Rule'), templateText, {maxKeys: 2}),
	transform_body: fc.constantFrom(null, null, 'fixed', '{"m":"{{ method }}","t":"{{ env.TOKEN }}"}', '{{ nothing }}'),
	sort_order: anyOrder,
	is_active: often,
});
const rules = fc
	.array(fc.tuple(ruleCondition, ruleParts), {maxLength: 4})
	.map((all) =>
		all.map(
			([on, parts], at) => ({...on, ...parts, id: `r${at}`, endpoint_id: 'e1', name: `rule ${at}`}) as RoutingRule,
		),
	);

const question: fc.Arbitrary<Question> = fc.record({
	endpoint: fc.record({
		name: fc.constant('endpoint'),
		team_id: fc.constant('team'),
		user_id: fc.constant('user'),
		destination_url,
		retry_config,
		routing_mode: fc.constantFrom(...routingModeSchema.options),
	}),
	middlewares,
	rules,
	message,
	env: fc.constant({TOKEN: 's3cret', EMPTY: ''}),
	is_replay: fc.boolean(),
	held: fc.subarray(['m0', 'm1', 'm2', 'm3', 'm4']),
});

const valuesOf = (env: Question['env']): EnvValues =>
	new Map(Object.entries(env).map(([name, text]) => [name, {value: text}]));

const planOf = (asked: Question, run: string): AcceptancePlan => {
	const compiled = compileEndpoint(asked.endpoint as EndpointRecord, asked.middlewares, asked.rules);
	return planAcceptance(compiled, asked.message, {
		event: {id: run, created_at: '2026-01-31T09:30:00.000Z'},
		markers: createEnvMarkers(() => `n0nce${run}`, valuesOf(asked.env)),
		is_replay: asked.is_replay,
		nextId: () => run,
	});
};

const stored = ({text, references}: Readonly<{text: string; references: readonly EnvReference[]}>) => ({
	text,
	references: references.map(({at, key: name}) => ({at, key: name})),
});

const decode = (data: Uint8Array): string => new TextDecoder('utf-8', {ignoreBOM: true}).decode(data);

const decided = (plan: AcceptancePlan, held: readonly string[]) => {
	const claims = plan.claims.map(({value: text, otherwise, ...claim}) => ({
		...claim,
		digest: text,
		otherwise: {pipeline: otherwise, routing: null} satisfies CompactTrace as CompactTrace,
	}));
	return decideAcceptance({event: {trace: plan.trace}, claims, outcome: plan.outcome}, ({middleware_id}) =>
		held.includes(middleware_id),
	);
};

/** What the rules say, in the words of the model. */
const ruled = (asked: Question) => {
	const plan = planOf(asked, '1');
	const {status, trace, deliveries, claims} = decided(plan, asked.held);
	const {pipeline, routing} = expandTrace(trace, asked.message);
	const {processed} = plan;
	const bodyOf = (part: Readonly<{bytes: Uint8Array; references: readonly EnvReference[]}> | null) =>
		part && stored({text: decode(part.bytes), references: part.references});
	return {
		status,
		deliveries: deliveries.map(({id: _, failure, body: made, ...rest}) => ({
			...rest,
			body: bodyOf(made),
			failed: failure !== null,
		})),
		claims: claims.map(({middleware_id, digest}) => ({middleware_id, value: digest})),
		trace: {
			pipeline: {...pipeline, steps: pipeline.steps.map(({message: _, ...rest}) => rest)},
			routing: routing && {...routing, rules: routing.rules.map(({reason: _, ...rest}) => rest)},
		},
		processed:
			status === 'duplicate'
				? undefined
				: {
						headers: processed.headers?.map(([name, text]) => [name, stored(text)]) ?? null,
						body: bodyOf(processed.body),
					},
	};
};

/** Without regard to what is undefined. */
const same = (a: unknown, b: unknown): boolean =>
	isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));

const runs = 10_000;

test('[MID-025][WHK-050] pipeline and routing equal the reference model, and their trace too', (t) => {
	t.notThrows(() =>
		fc.assert(
			fc.property(question, (asked) => same(ruled(asked), answerOf(asked))),
			{numRuns: runs},
		),
	);
});

test('[WHK-051] what a dry run shows is what the live run keeps', (t) => {
	const isSame = fc.property(question, (asked) => {
		const [live, dry] = ['1', '2'].map((run) => planOf(asked, run));
		const shown = [live, dry].map((plan) =>
			expandTrace(decided(plan as AcceptancePlan, asked.held).trace, asked.message),
		);
		return isDeepStrictEqual(shown[0], shown[1]);
	});
	t.notThrows(() => fc.assert(isSame, {numRuns: 1000}));
});

const changing =
	(change: (middleware: Middleware) => unknown) =>
	(asked: Question): Question => ({
		...asked,
		middlewares: asked.middlewares.map((middleware) => change(middleware) as Middleware),
	});
const routed =
	(change: (rule: RoutingRule) => Partial<RoutingRule>) =>
	(asked: Question): Question => ({
		...asked,
		rules: asked.rules.map((rule) => ({...rule, ...change(rule)})),
	});

/** What rules with a fault would do: the right rules, asked something slightly different. */
const mutants: Readonly<Record<string, (asked: Question) => Question>> = {
	'inactive steps run': changing((middleware) => ({...middleware, is_active: true})),
	'the order of steps is that of their ids': changing((middleware) => ({...middleware, sort_order: 0})),
	'delays do not sum up': changing((one) => (one.type === 'delay' ? {...one, config: {seconds: 1}} : one)),
	'not_equals is equals': changing((one) =>
		one.type === 'filter' && one.config.operator === 'not_equals'
			? {...one, config: {...one.config, operator: 'equals'}}
			: one,
	),
	'matches is contains': changing((one) =>
		one.type === 'filter' && one.config.operator === 'matches'
			? {...one, config: {...one.config, operator: 'contains'}}
			: one,
	),
	'fields are not removed': changing((one) =>
		one.type === 'transform_body' ? {...one, config: {...one.config, remove: []}} : one,
	),
	'headers are not set': changing((one) =>
		one.type === 'transform_headers' ? {...one, config: {...one.config, set: {}}} : one,
	),
	'a replay is like any webhook': (asked) => ({...asked, is_replay: false}),
	'nobody was first': (asked) => ({...asked, held: []}),
	'a missing variable is empty': (asked) => ({...asked, env: {...asked.env, GONE: ''}}),
	'first_match goes by every rule that matches': (asked) =>
		asked.endpoint.routing_mode === 'first_match'
			? {...asked, endpoint: {...asked.endpoint, routing_mode: 'all_match'}}
			: asked,
	'broadcast asks for conditions': (asked) =>
		asked.endpoint.routing_mode === 'broadcast'
			? {...asked, endpoint: {...asked.endpoint, routing_mode: 'all_match'}}
			: asked,
	'inactive rules deliver': routed(() => ({is_active: true})),
	'headers_override is forgotten': routed(() => ({headers_override: {}})),
	'the retries of a rule are forgotten': routed(() => ({retry_config: null})),
	'repeats of a header are lost': (asked) => ({
		...asked,
		message: {...asked.message, headers: [...new Map(asked.message.headers)]},
	}),
};

for (const [name, fault] of Object.entries(mutants)) {
	test(`the model tells when ${name}`, (t) => {
		const isSame = fc.property(question, (asked) => same(ruled(fault(asked)), answerOf(asked)));
		t.true(fc.check(isSame, {numRuns: runs, endOnFailure: true}).failed);
	});
}
