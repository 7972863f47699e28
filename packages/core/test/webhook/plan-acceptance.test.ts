import test from 'ava';
import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {Middleware} from '../../src/webhook/model/middleware.ts';
import {compileEndpoint} from '../../src/webhook/rules/compile-endpoint.ts';
import {deliveryHeaders} from '../../src/webhook/rules/delivery-headers.ts';
import {expandTrace} from '../../src/webhook/rules/expand-trace.ts';
import {leasedDelivery} from '../../src/webhook/rules/leased-delivery.ts';
import {planAcceptance} from '../../src/webhook/rules/plan-acceptance.ts';
import {bodyOf, markersOf, messageOf, ruleOf, steps} from './support.ts';

const endpoint = {
	name: 'endpoint',
	destination_url: 'https://primary.example/hook',
	routing_mode: 'all_match',
	retry_config: {max_retries: 1, intervals: [60]},
} as EndpointRecord;
const received = messageOf('{"a":1}', {headers: [['X-Tag', 'sent']]});

const plan = (
	rules: Parameters<typeof compileEndpoint>[2],
	middlewares: Parameters<typeof compileEndpoint>[1] = [],
	message = received,
) =>
	planAcceptance(compileEndpoint(endpoint, middlewares, rules), message, {
		event: {id: 'e1', created_at: '2026-01-31T09:30:00.000Z'},
		markers: markersOf(),
		is_replay: false,
		nextId: () => 'd1',
	});

const special = ruleOf({
	id: 'special',
	headers_override: {'x-tag': 'own', 'X-More': 'Bearer {{env.TOKEN}}'},
	retry_config: {max_retries: 3, intervals: [5]},
	transform_body: '{"b":{{ body.a }}}',
});

test('[RTE-053][RTE-054][RTE-055] a rule overrides headers, retries and body of its own delivery only', (t) => {
	const {outcome, trace} = plan([special, ruleOf({id: 'plain', sort_order: 1})]);
	const [first, second] = 'deliveries' in outcome ? outcome.deliveries : [];
	t.like(first, {rule_id: 'special', headers_override: special.headers_override, retry_config: special.retry_config});
	t.is(bodyOf({body: first?.body?.bytes ?? new Uint8Array()}), '{"b":1}');
	t.like(second, {rule_id: 'plain', headers_override: {}, retry_config: endpoint.retry_config, body: null});
	t.deepEqual(
		expandTrace(trace, received).routing?.destinations.map(({headers, body}) => [headers, body]),
		[
			[{'x-tag': 'own', 'X-More': 'Bearer {{env.TOKEN}}'}, '{"b":1}'],
			[{'X-Tag': 'sent'}, '{"a":1}'],
		],
	);
});

test('[WHK-061] what Connection names stays behind, but for what the endpoint set itself', (t) => {
	const message = messageOf('{}', {
		headers: [
			['connection', 'close, X-Hop ,x-own'],
			['CONNECTION', 'x-ruled,x-filled'],
			...['X-Hop', 'x-own', 'x-ruled'].map((name) => [name, 'sent'] as const),
			['x-kept', 'sent'],
		],
	});
	const rule = ruleOf({headers_override: {'x-ruled': 'rule'}});
	const passedBy = (...middlewares: readonly Middleware[]) => {
		const {outcome, processed} = plan([rule], middlewares, message);
		const [planned] = 'deliveries' in outcome ? outcome.deliveries : [];
		if (planned === undefined) throw new Error('nothing is planned');
		const event = {...message, id: 'e1', endpoint_id: 'p1', team_id: 't1', user_id: 'u1', processed};
		const lease = {fence: 1, retries: 0, attempt: {id: 'a1', number: 1, started_at: ''}};
		return deliveryHeaders(leasedDelivery(event, planned, lease), new Map([['KEY', {value: 'filled'}]]));
	};
	const sent = ['x-kept', 'sent'];
	const ruled = ['x-ruled', 'rule'];
	t.deepEqual(passedBy(), [sent, ruled]);
	const set = {'X-Own': 'pipeline', 'x-filled': '{{env.KEY}}'};
	const pipeline = steps({type: 'transform_headers', config: {set}});
	t.deepEqual(passedBy(...pipeline), [['X-Own', 'pipeline'], sent, ['x-filled', 'filled'], ruled]);
	t.deepEqual(passedBy(...steps({type: 'transform_headers', config: {remove: ['Connection']}})), [sent, ruled]);
});

test('a rule whose template fails has a delivery that says so, and the others go on', (t) => {
	const {outcome} = plan([
		ruleOf({...special, transform_body: '{{ body.gone }}'}),
		ruleOf({id: 'plain', sort_order: 1}),
	]);
	const failures = 'deliveries' in outcome ? outcome.deliveries.map(({failure}) => failure) : [];
	t.regex(failures[0] ?? '', /The template of the rule fails: undefined variable: body\.gone/);
	t.deepEqual(failures.slice(1), [null]);
});
