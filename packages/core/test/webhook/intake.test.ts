import {createHmac} from 'node:crypto';
import {DomainError, defaultSettings} from '@signalbox/core';
import {buildVariable} from '@signalbox/core/testing';
import test from 'ava';
import type {EndpointSettings} from '../../src/webhook/model/endpoint-settings.ts';
import {incoming, send, startWorld, type World, wanted} from './world.ts';

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

const github = (secret: string, body: string) =>
	incoming({body, headers: [['x-hub-signature-256', `sha256=${hmac(secret, body)}`]]});

const receive = ({webhooks, endpoint}: World, request = incoming()) => webhooks.intake.accept(endpoint.slug, request);

const setVariable = ({core, caller}: World, key: string, value: string) =>
	core.environment.variables.create(caller, {key, value});

test('a slug that nobody has, and an endpoint that is gone or inactive, are unknown', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	t.is(await webhooks.intake.ownerOf(endpoint.slug), caller.user_id);
	t.is(await webhooks.intake.ownerOf('nobody-has-this'), undefined);
	t.like(await webhooks.intake.accept('nobody-has-this', incoming()), {outcome: 'unknown'});
	await webhooks.endpoints.update(caller, endpoint.id, {is_active: false});
	t.like(await receive(world), {outcome: 'unknown'});
	await webhooks.endpoints.update(caller, endpoint.id, {is_active: true});
	t.like(await receive(world), {outcome: 'accepted'});
	await webhooks.endpoints.delete(caller, endpoint.id);
	t.like(await receive(world), {outcome: 'unknown'});
});

test('an endpoint that another process deleted a moment ago takes nothing', async (t) => {
	const world = await startWorld();
	await receive(world);
	await world.ports.endpoints.delete(world.caller.team_ids, world.endpoint.id);
	t.like(await receive(world), {outcome: 'unknown'});
});

test('what was received is kept as it came', async (t) => {
	const world = await startWorld();
	const body = '{"big": 12345678901234567890,  "a":1}';
	const event = await send(world, {
		method: 'PUT',
		path: '/a/b',
		query: 'x=1&x=2',
		headers: [
			['X-One', 'a'],
			['x-one', 'b'],
		],
		body,
	});
	const kept = {
		method: 'PUT',
		path: '/a/b',
		query: 'x=1&x=2',
		headers: {'X-One': 'a, b'},
		body,
		source_ip: '192.0.2.1',
	};
	t.like(event, {...kept, delivery_status: 'pending'});
});

test('[WHK-089] the response of an endpoint goes with what is accepted', async (t) => {
	const response = {status: 200, body: 'ok'};
	t.like(await receive(await startWorld({response})), {outcome: 'accepted', status: 'pending', response});
	t.like(await receive(await startWorld()), {outcome: 'accepted', response: null});
});

test('with leases, what is due at once is leased in the same step', async (t) => {
	const world = await startWorld();
	const {webhooks, endpoint} = world;
	const leasesFor = () => ({per_destination: 10, lease_seconds: 45, most: 1});
	const reception = await webhooks.intake.accept(endpoint.slug, incoming(), leasesFor);
	if (reception.outcome !== 'accepted') throw new Error(reception.outcome);
	t.is(reception.leased.length, 1);
	t.like(reception.leased[0], {url: 'https://orders.example.com/hook', endpoint_id: endpoint.id});
	t.like(await receive(world), {outcome: 'accepted', leased: []});
});

test('[WHK-033] a verification secret may be a variable, resolved for each request', async (t) => {
	const world = await startWorld({verification: {type: 'github', secret: '{{env.GITHUB_SECRET}}'}});
	const {id} = await setVariable(world, 'GITHUB_SECRET', 'one');
	t.like(await receive(world, github('one', '{}')), {outcome: 'accepted'});
	t.like(await receive(world, github('{{env.GITHUB_SECRET}}', '{}')), {outcome: 'unauthorized'});
	await world.core.environment.variables.update(world.caller, id, {value: 'two'});
	t.like(await receive(world, github('one', '{}')), {outcome: 'unauthorized'});
	t.like(await receive(world, github('two', '{}')), {outcome: 'accepted'});
});

test('[WHK-032] verification fails closed: without the variable, without its value, out of scope, or unreadable', async (t) => {
	const settings: EndpointSettings = {verification: {type: 'github', secret: '{{env.SECRET}}'}};
	const missing = await startWorld(settings);
	t.like(await receive(missing, github('', '{}')), {outcome: 'unauthorized'});
	t.like(await receive(missing, github('{{env.SECRET}}', '{}')), {outcome: 'unauthorized'});

	const empty = await startWorld(settings);
	await setVariable(empty, 'SECRET', '');
	t.like(await receive(empty, github('', '{}')), {outcome: 'unauthorized'});

	const outOfScope = await startWorld(settings);
	await outOfScope.core.environment.variables.create(outOfScope.caller, {key: 'SECRET', value: 's', scope: 'mcp'});
	t.like(await receive(outOfScope, github('s', '{}')), {outcome: 'unauthorized'});

	const unreadable = await startWorld(settings);
	const {user_id} = unreadable.caller;
	const value = {kid: 'lost', data: 'sealed by a key that is gone'};
	await unreadable.ports.variables.create(buildVariable({user_id, key: 'SECRET', value}));
	t.like(await receive(unreadable, github('', '{}')), {outcome: 'unauthorized'});
});

test('[WHK-032] a sealed secret that does not open lets nobody in', async (t) => {
	const world = await startWorld({verification: {type: 'github', secret: 'one'}});
	const {ports, caller, endpoint} = world;
	const record = await ports.endpoints.get(caller.team_ids, endpoint.id);
	const verification_secrets = {kid: 'lost', data: 'x'};
	if (record) await ports.endpoints.update(caller.team_ids, {...record, verification_secrets}, record.version);
	t.like(await receive(world, github('one', '{}')), {outcome: 'unauthorized'});
});

test('a refusal says why to the log, and never the secret', async (t) => {
	const world = await startWorld({verification: {type: 'api_key', key: 's3cret-key'}});
	const refused = await receive(world, incoming({headers: [['x-api-key', 'wrong']]}));
	t.deepEqual(refused, {outcome: 'unauthorized', because: 'the key is wrong'});
});

test('whoever keeps an endpoint is told of webhooks that it takes in and cannot send, once until they read it', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const {webhooks, caller, endpoint, ports, clock} = world;
	const rule = {
		name: 'Ledger',
		destination_url: wanted.destination_url,
		is_active: true,
		transform_body: '{{ body.missing.field }}',
	};
	await webhooks.routingRules.create(caller, endpoint.id, rule);
	const news = async () =>
		(await ports.notifications.list(caller.user_id, {unread_only: true}, {limit: 9, offset: 0})).data;
	const {id: event_id, delivery_status} = await send(world);
	t.is(delivery_status, 'failed');
	const [told] = await news();
	t.like(told, {type: 'endpoint_failure', data: {endpoint_id: endpoint.id, event_id}});
	t.regex(told?.message ?? '', /^Ledger: The template of the rule fails.* not tried again\.$/s);
	clock.advance(61_000);
	await send(world);
	t.is((await news()).length, 1);
	await ports.notifications.markAllRead(caller.user_id);
	await send(world);
	t.is((await news()).length, 0, 'within a minute of the last look');
	clock.advance(61_000);
	await send(world);
	t.is((await news()).length, 1);
});

test('a step that fails on a webhook is told, with the name of the step', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint, ports} = world;
	const config = {field: 'headers.x', operator: 'equals', value: '{{env.MISSING}}'};
	await webhooks.middlewares.create(caller, endpoint.id, {type: 'filter', name: 'Only ours', config});
	t.is((await send(world)).delivery_status, 'pipeline_error');
	const [told] = (await ports.notifications.list(caller.user_id, {unread_only: true}, {limit: 9, offset: 0})).data;
	t.regex(told?.message ?? '', /goes nowhere: its step Only ours fails\. Its trace says why/);
});

test('the credential of a sender goes no further than the door; a signature goes on', async (t) => {
	const sent = async (
		verification: EndpointSettings['verification'],
		headers: readonly (readonly [string, string])[],
	) => {
		const world = await startWorld({verification});
		return (await send(world, {headers: [...headers, ['X-Other', 'kept']]})).headers;
	};
	const basic = Buffer.from('ops:pass').toString('base64');
	t.deepEqual(await sent({type: 'basic', username: 'ops', password: 'pass'}, [['Authorization', `Basic ${basic}`]]), {
		'X-Other': 'kept',
	});
	const apiKey = {type: 'api_key', header: 'X-Door', key: 'k3y'} as const;
	t.deepEqual(await sent(apiKey, [['x-door', 'k3y']]), {'X-Other': 'kept'});
	t.deepEqual(await sent({type: 'none'}, [['authorization', 'Basic eA==']]), {
		authorization: 'Basic eA==',
		'X-Other': 'kept',
	});
	const signed: [string, string] = ['x-sig', `sha256=${hmac('s3cret', '{"order":7}')}`];
	t.deepEqual(await sent({type: 'hmac', secret: 's3cret', header: 'x-sig', prefix: 'sha256='}, [signed]), {
		'x-sig': signed[1],
		'X-Other': 'kept',
	});
});

const seconds = ({clock}: World): string => String(Math.floor(Date.parse(clock.now()) / 1000));

const versioned = (world: World, brand: 'slack' | 'zm', body: string) => {
	const time = seconds(world);
	return incoming({
		body,
		headers: [
			[`x-${brand}-request-timestamp`, time],
			[`x-${brand}-signature`, `v0=${hmac('s3cret', `v0:${time}:${body}`)}`],
		],
	});
};

test("Slack's url_verification is answered when it is signed, and is no event", async (t) => {
	const world = await startWorld({verification: {type: 'slack', secret: 's3cret'}});
	const body = JSON.stringify({type: 'url_verification', challenge: 'c0de'});
	t.deepEqual(await receive(world, versioned(world, 'slack', body)), {
		outcome: 'handshake',
		content_type: 'text/plain',
		body: 'c0de',
	});
	t.like(await receive(world, incoming({body})), {outcome: 'unauthorized'});
	t.like(await receive(world, versioned(world, 'slack', '{"type":"event_callback"}')), {outcome: 'accepted'});
	t.is((await world.webhooks.events.list(world.caller, {}, {limit: 9, offset: 0})).total, 1);
});

test("Zoom's url_validation is answered with the token under the secret", async (t) => {
	const world = await startWorld({verification: {type: 'zoom', secret: 's3cret'}});
	const body = JSON.stringify({event: 'endpoint.url_validation', payload: {plainToken: 'q1'}});
	const answered = {plainToken: 'q1', encryptedToken: hmac('s3cret', 'q1')};
	const handshake = {outcome: 'handshake', content_type: 'application/json', body: JSON.stringify(answered)};
	t.deepEqual(await receive(world, versioned(world, 'zm', body)), handshake);
	t.like(await receive(world, incoming({body})), {outcome: 'unauthorized'});
});

test("Meta's subscription is answered to who knows the verify_token, by GET only", async (t) => {
	const verification = {type: 'meta' as const, secret: 's3cret', verify_token: 't0ken'};
	const world = await startWorld({verification});
	const subscribe = (token: string, method = 'GET') => {
		const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`;
		return receive(world, incoming({method, query, body: ''}));
	};
	t.deepEqual(await subscribe('t0ken'), {outcome: 'handshake', content_type: 'text/plain', body: '1158201444'});
	t.like(await subscribe('wrong'), {outcome: 'unauthorized'});
	t.like(await subscribe(''), {outcome: 'unauthorized'});
	t.like(await subscribe('t0ken', 'POST'), {outcome: 'unauthorized'});
	t.like(await receive(world, github('s3cret', '{}')), {outcome: 'accepted'});
});

test('a handshake is nothing to an endpoint of another type: it is an event', async (t) => {
	const body = JSON.stringify({type: 'url_verification', challenge: 'c0de'});
	t.like(await receive(await startWorld(), incoming({body})), {outcome: 'accepted'});
});

test("the month's events of the plan are counted by their user, over all endpoints, until the month ends", async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 3}));
	const world = await startWorld({}, {settings: {plans}});
	const {webhooks, caller, clock} = world;
	await clock.set('2026-01-31T23:59:00.000Z');
	const other = await webhooks.endpoints.create(caller, {name: 'Other', destination_url: 'https://x.example'});
	t.like(await receive(world), {outcome: 'accepted'});
	t.like(await webhooks.intake.accept(other.slug, incoming()), {outcome: 'accepted'});
	const answers = await Promise.all([receive(world), receive(world)]);
	t.deepEqual(answers.map(({outcome}) => outcome).sort(), ['accepted', 'over_limit']);
	t.deepEqual(await receive(world), {outcome: 'over_limit', retry_after_seconds: 60});
	await clock.set('2026-02-01T00:00:00.000Z');
	t.like(await receive(world), {outcome: 'accepted'});
});

test("[NTF-027] at 80 % of the month's events of the plan their user is warned, once a month, also under parallel webhooks", async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 14}));
	const world = await startWorld({}, {settings: {plans}});
	const {caller, clock, ports} = world;
	await clock.set('2026-01-31T12:00:00.000Z');
	const warnings = async () =>
		(await ports.notifications.list(caller.user_id, {unread_only: false}, {limit: 100, offset: 0})).data;
	for (let count = 1; count <= 11; count += 1) await receive(world);
	t.deepEqual(await warnings(), []);
	await Promise.all([receive(world), receive(world), receive(world), receive(world)]);
	const [warning, ...others] = await warnings();
	t.deepEqual(others, []);
	t.like(warning, {type: 'usage_warning', is_read: false, data: {month: '2026-01', events: 12, limit: 14}});
	t.regex(warning?.message ?? '', /12 of the 14 webhooks .* until 2026-02-01/);
	await clock.set('2026-02-01T00:00:00.000Z');
	for (let count = 1; count <= 12; count += 1) await receive(world);
	t.is((await warnings()).length, 2);
});

test('notices use up nothing of a plan, and the warning comes with the webhook that reaches it', async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 5}));
	const world = await startWorld({}, {settings: {plans}});
	const {caller, ports, webhooks, clock} = world;
	const destinations = [{name: 'a channel', url: 'https://a.example/told'}];
	const notice = () => ({id: ports.ids.next(), user_id: caller.user_id, type: 'job.succeeded', data: {}, destinations});
	for (let count = 1; count <= 3; count += 1) await receive(world);
	await webhooks.notices.send({...notice(), timestamp: clock.now()});
	t.like(await receive(world), {outcome: 'accepted'});
	const {data} = await ports.notifications.list(caller.user_id, {unread_only: false}, {limit: 10, offset: 0});
	t.deepEqual(
		data.map(({type}) => type),
		['usage_warning'],
	);
	t.like(await receive(world), {outcome: 'accepted'});
	t.like(await receive(world), {outcome: 'over_limit'});
	await webhooks.notices.send({...notice(), timestamp: clock.now()});
});

test('a webhook is accepted also when nobody can be warned', async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, events_per_month: 1}));
	const append = async () => {
		throw new DomainError('service_unavailable');
	};
	const {ports} = await startWorld();
	const world = await startWorld({}, {settings: {plans}, ports: {notifications: {...ports.notifications, append}}});
	t.like(await receive(world), {outcome: 'accepted'});
});

test('a deduplicate step whose key is another by now remembers nothing of the values of the old one', async (t) => {
	const world = await startWorld();
	const {webhooks, caller, endpoint} = world;
	const step = await webhooks.middlewares.create(caller, endpoint.id, {
		type: 'deduplicate',
		name: 'once',
		config: {key: 'body.order', ttl: 60},
	});
	const body = '{"order":7,"customer":7}';
	t.is((await send(world, {body})).delivery_status, 'pending');
	t.is((await send(world, {body})).delivery_status, 'duplicate');
	const place = {endpoint_id: endpoint.id, middleware_id: step.id};
	await webhooks.middlewares.update(caller, place, {config: {key: 'body.customer', ttl: 60}});
	t.is((await send(world, {body})).delivery_status, 'pending');
	t.is((await send(world, {body})).delivery_status, 'duplicate');
});

test('a store that is down is passed on: nothing was accepted', async (t) => {
	const world = await startWorld();
	const {ports} = world;
	const down = async () => {
		throw new DomainError('service_unavailable');
	};
	const failing = await startWorld({}, {ports: {intake: {...ports.intake, accept: down}}});
	await t.throwsAsync(receive(failing), {instanceOf: DomainError, message: /try again soon/});
});

const blockOn = (world: World, value: string) =>
	world.webhooks.middlewares.create(world.caller, world.endpoint.id, {
		type: 'filter',
		name: 'block',
		config: {field: 'body.tier', operator: 'equals', value},
	});

test('[ENV-051] a filter compares with the value of a variable, and the trace shows its name', async (t) => {
	const world = await startWorld();
	await setVariable(world, 'TIER', 'gold');
	await blockOn(world, '{{env.TIER}}');
	const blocked = await send(world, {body: '{"tier":"gold"}'});
	t.is(blocked.delivery_status, 'filtered');
	t.regex(blocked.trace.pipeline.steps[0]?.message ?? '', /\{\{env\.TIER\}\}/);
	t.is((await send(world, {body: '{"tier":"{{env.TIER}}"}'})).delivery_status, 'pending');
});

test('a variable that is missing ends the event with a message that names key and scope; the endpoint still takes the next', async (t) => {
	const world = await startWorld();
	await blockOn(world, '{{env.TIER}}');
	const failed = await send(world, {body: '{"tier":"gold"}'});
	t.is(failed.delivery_status, 'pipeline_error');
	t.is(failed.trace.pipeline.steps[0]?.message, 'The variable TIER does not exist (scope webhook or all).');
	await setVariable(world, 'TIER', 'gold');
	t.is((await send(world, {body: '{"tier":"gold"}'})).delivery_status, 'filtered');
});

test('a rule whose variable is missing, or makes no pattern, ends the event in pipeline_error', async (t) => {
	const world = await startWorld({routing_mode: 'all_match'});
	const {webhooks, caller, endpoint} = world;
	await webhooks.routingRules.create(caller, endpoint.id, {
		name: 'rule',
		destination_url: 'https://x.example',
		is_active: true,
		condition_source: 'body',
		condition_field: '$.tier',
		condition_operator: 'matches',
		condition_value: '{{env.PATTERN}}',
	});
	const missing = await send(world, {body: '{"tier":"gold"}'});
	t.is(missing.delivery_status, 'pipeline_error');
	t.regex(missing.trace.routing?.rules[0]?.reason ?? '', /PATTERN does not exist/);
	await setVariable(world, 'PATTERN', '(');
	t.is((await send(world, {body: '{"tier":"gold"}'})).delivery_status, 'pipeline_error');
});
