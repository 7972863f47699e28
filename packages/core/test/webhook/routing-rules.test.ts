import test from 'ava';
import type {NewRoutingRule, RuleSettings} from '../../src/webhook/model/rule-settings.ts';
import {refusalOf} from '../mcp/support.ts';
import {send, startWorld, type World} from './world.ts';

const minimal: NewRoutingRule = {name: 'archive', destination_url: 'https://archive.example.com/', is_active: true};

const create = ({webhooks, caller, endpoint}: World, request: Partial<NewRoutingRule> = {}) =>
	webhooks.routingRules.create(caller, endpoint.id, {...minimal, ...request});

const namesOf = async ({webhooks, caller, endpoint}: World) =>
	(await webhooks.routingRules.list(caller, endpoint.id)).map(({name}) => name);

test('[RTE-001 RTE-006] name, destination and activity make a rule with every field', async (t) => {
	const world = await startWorld();
	const rule = await create(world);
	t.deepEqual(rule, {
		...minimal,
		id: rule.id,
		endpoint_id: world.endpoint.id,
		condition_source: null,
		condition_field: null,
		condition_operator: null,
		condition_value: null,
		retry_config: null,
		headers_override: {},
		transform_body: null,
		sort_order: 0,
	});
});

test('[RTE-003 RTE-004 RTE-005] name, destination_url and is_active are required', async (t) => {
	const {webhooks, caller, endpoint} = await startWorld();
	const nothing = webhooks.routingRules.create(caller, endpoint.id, {} as NewRoutingRule);
	t.is(await refusalOf(nothing), 'validation_error name destination_url is_active');
});

const condition = (source: string, operator: string, rest: object = {}): RuleSettings =>
	({
		condition_source: source,
		condition_field: null,
		condition_operator: operator,
		condition_value: 'x',
		...rest,
	}) as RuleSettings;

const header = {condition_field: 'x-event'};
const body = {condition_field: '$.type'};

const refused: readonly (readonly [string, RuleSettings, string])[] = [
	['[RTE-037] contains on method', condition('method', 'contains'), 'condition_operator'],
	['[RTE-038] matches on method', condition('method', 'matches'), 'condition_operator'],
	['[RTE-039] exists on method', condition('method', 'exists'), 'condition_operator'],
	['[RTE-040] an unknown source', condition('query', 'equals', header), 'condition_source'],
	['[RTE-041] an unknown operator', condition('header', 'starts_with', header), 'condition_operator'],
	['a header condition without a header', condition('header', 'equals'), 'condition_field'],
	['a header that cannot be one', condition('header', 'equals', {condition_field: 'a b'}), 'condition_field'],
	['a body condition without a path', condition('body', 'equals'), 'condition_field'],
	[
		'[RTE-042] a body condition with a dotted path',
		condition('body', 'equals', {condition_field: 'a.b'}),
		'condition_field',
	],
	['a malformed JSONPath', condition('body', 'equals', {condition_field: '$.a['}), 'condition_field'],
	['a malformed pattern', condition('body', 'matches', {...body, condition_value: '(a'}), 'condition_value'],
	['nothing to compare with', condition('header', 'equals', {...header, condition_value: null}), 'condition_value'],
	['a source without an operator', {condition_source: 'method', condition_value: 'POST'}, 'condition_operator'],
	['an operator without a source', {condition_operator: 'equals'}, 'condition_source'],
	['a destination that is none', {destination_url: 'mailto:a@example.com'}, 'destination_url'],
	['a template in the host', {destination_url: 'https://{{env.HOST}}/'}, 'destination_url'],
	['a password in the destination', {destination_url: 'https://a:b@example.com/'}, 'destination_url'],
	['a header of the connection', {headers_override: {Host: 'x'}}, 'headers_override.Host'],
	['a header of the signature', {headers_override: {'Webhook-Signature': 'x'}}, 'headers_override.Webhook-Signature'],
	['a header twice', {headers_override: {'x-a': '1', 'X-A': '2'}}, 'headers_override.X-A'],
	['a template that does not parse', {transform_body: '{% if %'}, 'transform_body'],
	['a template with an unknown filter', {transform_body: '{{ body | shout }}'}, 'transform_body'],
	['a template that works on a secret', {transform_body: '{{ env.KEY | upcase }}'}, 'transform_body'],
	['no retry at all times', {retry_config: {max_retries: 1, intervals: []}}, 'retry_config.intervals'],
	['a place before the first', {sort_order: -1}, 'sort_order'],
	['an unknown field', {colour: 'red'} as RuleSettings, 'colour'],
];

for (const [title, request, field] of refused) {
	test(`${title}: refused by field, at create and at update`, async (t) => {
		const world = await startWorld();
		const {webhooks, caller, endpoint} = world;
		t.is(await refusalOf(create(world, request)), `validation_error ${field}`);
		const {id: rule_id} = await create(world);
		const place = {endpoint_id: endpoint.id, rule_id};
		t.is(await refusalOf(webhooks.routingRules.update(caller, place, request)), `validation_error ${field}`);
		t.like((await webhooks.routingRules.list(caller, endpoint.id))[0], minimal);
	});
}

for (const source of ['header', 'body', 'method'] as const)
	for (const operator of ['equals', 'not_equals', 'contains', 'matches', 'exists'] as const) {
		if (source === 'method' && !operator.endsWith('equals')) continue;
		test(`${operator} on ${source} is taken`, async (t) => {
			const world = await startWorld();
			const condition_field = {header: 'x-event', body: '$.type', method: null}[source];
			const request = {condition_source: source, condition_field, condition_operator: operator, condition_value: 'x'};
			t.like(await create(world, request), request);
		});
	}

test('exists needs no value, and a pattern may be completed by a variable', async (t) => {
	const world = await startWorld();
	const exists = condition('header', 'exists', {...header, condition_value: null});
	t.like(await create(world, exists), exists);
	await t.notThrowsAsync(create(world, condition('header', 'matches', {...header, condition_value: '{{env.P}}('})));
});

test('[RTE-008 RTE-052] what a request names changes, the rest stays, and no source means no condition', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	const conditional = condition('header', 'equals', header);
	const {id: rule_id} = await create(world, {...conditional, headers_override: {'x-a': '1'}});
	const update = (request: RuleSettings) =>
		webhooks.routingRules.update(caller, {endpoint_id: endpoint.id, rule_id}, request);
	t.like(await update({name: 'renamed'}), {name: 'renamed', ...conditional, headers_override: {'x-a': '1'}});
	t.like(await update({sort_order: 7, is_active: false}), {sort_order: 7, is_active: false, ...conditional});
	t.like(await update({condition_value: 'y'}), {...conditional, condition_value: 'y', sort_order: 7});
	t.is(
		await refusalOf(update({condition_source: 'method', condition_operator: 'exists'})),
		'validation_error condition_operator',
	);
	t.like(await update({condition_source: null}), {
		condition_source: null,
		condition_field: null,
		condition_operator: null,
		condition_value: null,
	});
});

test('[RTE-051] sort_order may be given on create; left out, the rule goes last', async (t) => {
	const world = await startWorld();
	await create(world, {name: 'a', sort_order: 5});
	await create(world, {name: 'b'});
	await create(world, {name: 'c', sort_order: 1});
	t.deepEqual(await namesOf(world), ['c', 'a', 'b']);
});

test('[RTE-009 RTE-017] what is deleted gets nothing more; what is not there, or hangs elsewhere, is not found', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const {webhooks, caller, endpoint} = world;
	const {id: rule_id} = await create(world);
	t.deepEqual(
		(await send(world)).deliveries.map((delivery) => delivery.rule_id),
		[rule_id],
	);
	const other = await webhooks.endpoints.create(caller, {name: 'Other', destination_url: 'https://x.example'});
	const elsewhere = {endpoint_id: other.id, rule_id};
	t.is(await refusalOf(webhooks.routingRules.delete(caller, elsewhere)), 'resource_not_found');
	t.is(await refusalOf(webhooks.routingRules.update(caller, elsewhere, {name: 'x'})), 'resource_not_found');
	await webhooks.routingRules.delete(caller, {endpoint_id: endpoint.id, rule_id});
	t.is((await send(world)).delivery_status, 'unmatched');
	t.is(
		await refusalOf(webhooks.routingRules.delete(caller, {endpoint_id: endpoint.id, rule_id})),
		'resource_not_found',
	);
});

test('the record of changes names the rule and never holds its headers', async (t) => {
	const world = await startWorld();
	const {core, webhooks, caller, endpoint} = world;
	const headers_override = {authorization: 'Bearer s3cret'};
	const {id: rule_id} = await create(world, {headers_override});
	await webhooks.routingRules.update(caller, {endpoint_id: endpoint.id, rule_id}, {headers_override});
	await webhooks.routingRules.delete(caller, {endpoint_id: endpoint.id, rule_id});
	const {data} = await core.live.audit.list(caller, {limit: 3, offset: 0});
	t.deepEqual(
		data.map(({action}) => action),
		['deleted', 'updated', 'created'].map((what) => `routing_rule.${what}`),
	);
	t.false(JSON.stringify(data).includes('s3cret'));
});
