import test from 'ava';
import type {DeliveryRequest} from '../../src/webhook/model/delivery-exchange.ts';
import {send, startWorld} from './world.ts';

const refusalMessage = (refused: Promise<unknown>): Promise<string> =>
	refused.then(
		() => '',
		(error: Error) => error.message,
	);

test('[ENV-052 ENV-053 ENV-054] variables resolve in the destination, the headers and the body that a rule sets, as they leave', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const {core, ports, webhooks, caller, endpoint} = world;
	const values = {TENANT: 'acme', TOKEN: 's3cret "quoted"', SCOPED: 'webhooks only'};
	for (const [key, value] of Object.entries(values))
		await core.environment.variables.create(caller, {key, value, scope: 'webhook'});
	await webhooks.routingRules.create(caller, endpoint.id, {
		name: 'rule',
		destination_url: 'https://x.example/{{env.TENANT}}?a={{ env.TENANT }}',
		is_active: true,
		headers_override: {'x-scoped': 'is {{env.SCOPED}}'},
		transform_body: '{"order":{{ body.order }},"token":{{ env.TOKEN | json }}}',
	});
	const event = await send(world, {body: '{"order":7}'});
	const wish = {attempt_ids: [ports.ids.next()], per_destination: 10, lease_seconds: 45};
	const [delivery] = await ports.deliveries.lease(wish);
	const sent: DeliveryRequest[] = [];
	const answer = async (request: DeliveryRequest) => {
		sent.push(request);
		return {status_code: 200, headers: {}, body: new Uint8Array()};
	};
	if (delivery) await webhooks.deliveries.attempt(delivery, answer, new AbortController().signal);
	const [request] = sent;
	t.is(request?.url.href, 'https://x.example/acme?a=acme');
	t.is(new Map(request?.headers).get('x-scoped'), 'is webhooks only');
	t.deepEqual(JSON.parse(new TextDecoder().decode(request?.body)), {order: 7, token: 's3cret "quoted"'});
	const shown = JSON.stringify(await webhooks.events.get(caller, event.id));
	for (const value of ['acme', 's3cret', 'webhooks only']) t.false(shown.includes(value), value);
});

for (const [what, blank] of [
	['a tab', '\t'],
	['a line break', '\n'],
] as const) {
	test(`a condition finds its variable also where ${what} stands between the braces`, async (t) => {
		const world = await startWorld({routing_mode: 'first_match'});
		const {core, webhooks, caller, endpoint} = world;
		await core.environment.variables.create(caller, {key: 'EVENT', value: 'push', scope: 'webhook'});
		await webhooks.routingRules.create(caller, endpoint.id, {
			...{name: 'rule', destination_url: 'https://x.example/hook', is_active: true},
			...{condition_source: 'body', condition_field: '$.event', condition_operator: 'equals'},
			condition_value: `{{${blank}env.EVENT${blank}}}`,
		});
		const {delivery_status} = await send(world, {body: '{"event":"push"}'});
		t.is(delivery_status, 'pending');
	});
}

test('a pattern whose variable makes none of it is told of without its value', async (t) => {
	const world = await startWorld({routing_mode: 'first_match'});
	const {core, webhooks, caller, endpoint} = world;
	await core.environment.variables.create(caller, {key: 'SECRET', value: 'Tr0ub4dor(3', scope: 'webhook'});
	const condition = {condition_operator: 'matches', condition_value: '^{{env.SECRET}}$'} as const;
	await webhooks.routingRules.create(caller, endpoint.id, {
		...{name: 'rule', destination_url: 'https://x.example/hook', is_active: true},
		...{condition_source: 'body', condition_field: '$.event', ...condition},
	});
	await webhooks.middlewares.create(caller, endpoint.id, {
		type: 'filter',
		name: 'only these',
		config: {field: 'body.event', operator: 'matches', value: '({{env.SECRET}}'},
	});
	const shown = JSON.stringify(await webhooks.events.get(caller, (await send(world, {body: '{"event":"push"}'})).id));
	t.regex(shown, /does not resolve to a pattern/);
	t.notRegex(shown, /Tr0ub4dor/);
});

test('a template that fails is told of by its rule, where people look why a webhook went where it went', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const {webhooks, caller, endpoint} = world;
	await webhooks.routingRules.create(caller, endpoint.id, {
		...{name: 'rule', destination_url: 'https://x.example/hook', is_active: true},
		transform_body: '{{ body.missing }}',
	});
	const {id} = await send(world, {body: '{}'});
	const live = (await webhooks.events.get(caller, id)).trace?.routing?.rules[0]?.reason ?? '';
	t.regex(live, /The template of the rule fails: .*body\.missing/);
	t.regex(await refusalMessage(webhooks.events.retry(caller, id)), /made anew by a replay/);
});
