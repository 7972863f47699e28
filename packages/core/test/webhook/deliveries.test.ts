import {createMemoryStores} from '@signalbox/core/memory';
import test from 'ava';
import {Webhook} from 'standardwebhooks';
import {createCore} from '../../src/create-core.ts';
import {DomainError} from '../../src/errors.ts';
import type {DomainEvent, Unordered} from '../../src/ports/index.ts';
import {addCaller} from '../../src/testing/builders/caller.ts';
import {buildId} from '../../src/testing/builders/identity.ts';
import {
	buildAcceptable,
	buildEndpoint,
	buildPlannedDelivery,
	buildRoutingRule,
} from '../../src/testing/builders/webhook.ts';
import {createTestPorts} from '../../src/testing/test-core.ts';
import {signingSecretBinding} from '../../src/values/binding.ts';
import {plusSeconds} from '../../src/values/instant.ts';
import {createDeliveries} from '../../src/webhook/deliveries.ts';
import type {LeasedDelivery, PlannedDelivery} from '../../src/webhook/model/delivery.ts';
import type {DeliveryAnswer, DeliveryFailure, DeliveryRequest} from '../../src/webhook/model/delivery-exchange.ts';
import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {RoutingRule} from '../../src/webhook/model/routing-rule.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const newer = 'whsec_bmV3ZXIgc2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const never = new AbortController().signal;

type Scripted = (request: DeliveryRequest) => DeliveryAnswer | DeliveryFailure | Promise<DeliveryAnswer>;

const answer = (status_code: number, text = '', headers: Readonly<Record<string, string>> = {}): DeliveryAnswer => ({
	status_code,
	headers,
	body: new TextEncoder().encode(text),
});
const ok: Scripted = () => answer(200, 'ok');

const openPorts = () => {
	const {ports: system, clock} = createTestPorts();
	const ports = {...system, ...createMemoryStores({clock})};
	const signalled: DomainEvent[] = [];
	ports.signals.subscribe((event) => void signalled.push(event));
	return {ports, clock, signalled};
};

/** Everything but the network: deliveries over the memory stores and a clock that stands still. */
const open = async () => {
	const {ports, clock, signalled} = openPorts();
	const core = createCore(ports);
	const caller = await addCaller(ports);
	const {user_id, team_id} = caller;
	const place = {id: buildId(), user_id, team_id};
	const endpoint = buildEndpoint({
		...place,
		name: 'Pushes',
		signing_secret: ports.cipher.seal(secret, signingSecretBinding(place)),
	});
	await ports.endpoints.create(endpoint, null);
	const {lookUp} = core.environment.resolver;
	const deliveries = createDeliveries({...ports, lookUp, random: () => 0});
	const sent: DeliveryRequest[] = [];

	const lease = async (): Promise<readonly LeasedDelivery[]> =>
		ports.deliveries.lease({attempt_ids: [buildId(), buildId()], per_destination: 10, lease_seconds: 60});
	const leaseOne = async (): Promise<LeasedDelivery> => {
		const [delivery] = await lease();
		if (delivery === undefined) throw new Error('nothing is due');
		return delivery;
	};
	const attempt = (delivery: LeasedDelivery, script: Scripted = ok, signal = never) => {
		const send = async (request: DeliveryRequest) => {
			sent.push(request);
			return await script(request);
		};
		return deliveries.attempt(delivery, send, signal);
	};
	return {
		...{ports, core, clock, caller, endpoint, signalled, sent, lease, leaseOne, attempt},
		accept: async (fields: Partial<PlannedDelivery> = {}, of: EndpointRecord = endpoint) => {
			const acceptable = buildAcceptable({endpoint: of, outcome: {deliveries: [buildPlannedDelivery(fields)]}});
			await ports.intake.accept(acceptable);
			return acceptable.event;
		},
		attemptNext: async (script: Scripted = ok) => attempt(await leaseOne(), script),
		event: async (id: string) => {
			const event = await ports.webhookEvents.get([team_id], id);
			if (event === undefined) throw new Error('there is no such event');
			return event;
		},
		rule: (fields: Partial<Unordered<RoutingRule>> = {}) =>
			ports.routingRules.create(buildRoutingRule({endpoint, ...fields})),
		notifications: async () =>
			(await ports.notifications.list(user_id, {unread_only: false}, {limit: 100, offset: 0})).data,
	};
};

const statusesOf = (signalled: readonly DomainEvent[]) =>
	signalled.flatMap((event) => (event.type === 'webhook.delivery' ? [event.status] : []));

test('[WHK-053 WHK-084] a 2xx delivers: settled with what was answered, and told', async (t) => {
	const world = await open();
	const {id} = await world.accept();
	t.is(await world.attemptNext(() => answer(204, 'done', {'x-a': '1'})), 'delivered');
	const {delivery_status, deliveries} = await world.event(id);
	t.is(delivery_status, 'delivered');
	const [attempt] = deliveries[0]?.attempts ?? [];
	t.like(attempt, {outcome: 'delivered', status_code: 204, error_code: null, response_body: 'done'});
	t.deepEqual(attempt?.response_headers, {'x-a': '1'});
	t.deepEqual(statusesOf(world.signalled), ['delivered']);
	t.deepEqual(await world.notifications(), []);
});

test('[WHK-057] the webhook-id is one over all attempts, also after it was armed again, and signed each time', async (t) => {
	const world = await open();
	const {id} = await world.accept({retry_config: {max_retries: 1, intervals: [5]}});
	t.is(await world.attemptNext(() => answer(500)), 'retrying');
	await world.clock.advance(6000);
	t.is(await world.attemptNext(() => answer(500)), 'failed');
	await world.ports.webhookEvents.retry([world.caller.team_id], id);
	t.is(await world.attemptNext(), 'delivered');
	const headers = world.sent.map((request) => Object.fromEntries(request.headers));
	t.is(new Set(headers.map((each) => each['webhook-id'])).size, 1);
	t.is(new Set(headers.map((each) => each['webhook-timestamp'])).size, 2);
	t.deepEqual(statusesOf(world.signalled), ['retrying', 'failed', 'delivered']);
});

for (const [what, result, after, code] of [
	['500', answer(500), 5.5, null],
	['a redirect', answer(302, '', {location: 'https://b.example'}), 5.5, null],
	['503 that asks for a minute', answer(503, '', {'retry-after': '60'}), 60, null],
	['a timeout', {error_code: 'timeout', answer: null}, 5.5, 'timeout'],
	['200 that broke off', {error_code: 'reset', answer: answer(200, 'par')}, 5.5, 'reset'],
] as const) {
	test(`${what} is tried again after ${after} s, and says why`, async (t) => {
		const world = await open();
		const {id} = await world.accept();
		t.is(await world.attemptNext(() => result), 'retrying');
		const [delivery] = (await world.event(id)).deliveries;
		t.is(delivery?.next_attempt_at, plusSeconds(world.clock.now(), after));
		t.is(delivery?.attempts[0]?.error_code, code);
		t.is(delivery?.attempts[0]?.outcome, 'failed');
		t.truthy(delivery?.last_error);
		t.deepEqual(await world.lease(), [], 'nothing is due before');
	});
}

test('[WHK-086] during 24 h after a rotation both secrets sign, then only the new one; others see the change at once', async (t) => {
	const world = await open();
	const {endpoint, ports, clock} = world;
	await world.accept();
	await world.attemptNext();
	const rotated = {
		...endpoint,
		signing_secret: ports.cipher.seal(newer, signingSecretBinding(endpoint)),
		previous_signing_secret: {secret: endpoint.signing_secret, until: plusSeconds(clock.now(), 24 * 3600)},
	};
	await ports.endpoints.update([endpoint.team_id], rotated, endpoint.version);
	ports.signals.publish({type: 'webhook.endpoint.changed', endpoint_id: endpoint.id, team_id: endpoint.team_id});
	await world.accept();
	await world.attemptNext();
	await clock.advance(24 * 3600 * 1000);
	await world.accept();
	await world.attemptNext();
	const signatures = world.sent.map(({headers}) => String(Object.fromEntries(headers)['webhook-signature']));
	t.deepEqual(
		signatures.map((each) => each.split(' ').length),
		[1, 2, 1],
	);
	const verify = (key: string, at: number) => {
		const headers = Object.fromEntries(world.sent[at]?.headers ?? []) as Record<string, string>;
		const {
			id = '',
			stamp = '',
			body = '',
		} = {
			id: headers['webhook-id'],
			stamp: headers['webhook-timestamp'],
			body: new TextDecoder().decode(world.sent[at]?.body),
		};
		return signatures[at]?.split(' ').includes(new Webhook(key).sign(id, new Date(Number(stamp) * 1000), body));
	};
	t.deepEqual([verify(secret, 1), verify(newer, 1), verify(secret, 2), verify(newer, 2)], [true, true, false, true]);
});

test('[WHK-070 WHK-071] a 410 ends the delivery, and the rule that named the destination', async (t) => {
	const world = await open();
	const rule = await world.rule();
	const other = await world.rule();
	const {id} = await world.accept({rule_id: rule.id, url: rule.destination_url});
	t.is(await world.attemptNext(() => answer(410)), 'failed');
	const rules = await world.ports.routingRules.list(world.endpoint.id);
	t.deepEqual(
		rules.map(({id: rule_id, is_active}) => [rule_id, is_active]),
		[
			[rule.id, false],
			[other.id, true],
		],
	);
	const [delivery] = (await world.event(id)).deliveries;
	t.is(delivery?.status, 'failed');
	t.is(delivery?.next_attempt_at, null);
	t.true(world.signalled.some(({type}) => type === 'webhook.endpoint.changed'));
	t.regex((await world.notifications())[0]?.message ?? '', /rule is switched off/);
});

test('a 410 of where a rule led once leaves it alone when it leads elsewhere by now', async (t) => {
	const world = await open();
	const {id: rule_id} = await world.rule();
	await world.accept({rule_id, url: 'https://ci.example.com/moved'});
	t.is(await world.attemptNext(() => answer(410)), 'failed');
	t.true((await world.ports.routingRules.list(world.endpoint.id))[0]?.is_active);
	t.regex((await world.notifications())[0]?.message ?? '', /no longer names it/);
});

test('[WHK-085] a 410 of the primary destination leaves the endpoint active and is told', async (t) => {
	const world = await open();
	const {id} = await world.accept();
	t.is(await world.attemptNext(() => answer(410)), 'failed');
	t.true((await world.ports.endpoints.get([world.caller.team_id], world.endpoint.id))?.is_active);
	const [told, ...others] = await world.notifications();
	t.like(told, {type: 'endpoint_failure', is_read: false});
	t.like(told?.data, {endpoint_id: world.endpoint.id, event_id: id, rule_id: null});
	t.deepEqual(others, []);
});

test('a flood of failures is told once until somebody has read it', async (t) => {
	const world = await open();
	const failOne = async () => {
		await world.accept({retry_config: {max_retries: 0, intervals: [1]}});
		t.is(await world.attemptNext(() => answer(500)), 'failed');
	};
	for (let count = 0; count < 3; count += 1) await failOne();
	t.is((await world.notifications()).length, 1);
	await world.ports.notifications.markAllRead(world.caller.user_id);
	await failOne();
	t.is((await world.notifications()).length, 2);
});

test('an unread failure hides neither that of another destination nor the next one an hour later', async (t) => {
	const world = await open();
	const [newsletter, billing] = [await world.rule({name: 'newsletter'}), await world.rule({name: 'billing'})];
	const fail = async ({id: rule_id, name}: {id: string; name: string}) => {
		await world.accept({rule_id, name, retry_config: {max_retries: 0, intervals: [1]}});
		t.is(await world.attemptNext(() => answer(500)), 'failed');
	};
	const count = async () => (await world.notifications()).length;
	await fail(newsletter);
	await fail(billing);
	await fail(billing);
	t.is(await count(), 2);
	world.clock.advance(3601_000);
	await fail(billing);
	t.is(await count(), 3);
});

test('variables resolve at each attempt; a missing one fails it, naming key and scope, and sends nothing', async (t) => {
	const world = await open();
	const {id} = await world.accept({url: 'https://ci.example.com/{{env.TOKEN}}'});
	t.is(await world.attemptNext(), 'retrying');
	t.deepEqual(world.sent, []);
	const [failed] = (await world.event(id)).deliveries;
	t.like(failed?.attempts[0], {error_code: 'unresolved', status_code: null, outcome: 'failed'});
	t.regex(failed?.last_error ?? '', /TOKEN.*webhook/);
	await world.core.environment.variables.create(world.caller, {key: 'TOKEN', value: 'pa55-w0rd', scope: 'webhook'});
	await world.clock.advance(6000);
	t.is(await world.attemptNext(() => answer(200, 'you sent pa55-w0rd', {'x-echo': 'pa55-w0rd'})), 'delivered');
	t.is(world.sent[0]?.url.pathname, '/pa55-w0rd');
	const event = JSON.stringify([await world.event(id), await world.notifications(), world.signalled]);
	t.notRegex(event, /pa55-w0rd/, 'not even where the destination echoes it');
	t.regex(event, /you sent \{\{env\.TOKEN\}\}/);
});

test('a secret that does not open fails the attempt', async (t) => {
	const world = await open();
	const {user_id, team_id} = world.caller;
	const other = buildEndpoint({user_id, team_id, signing_secret: world.endpoint.signing_secret});
	await world.ports.endpoints.create(other, null);
	const {id} = await world.accept({}, other);
	t.is(await world.attemptNext(), 'retrying');
	t.regex((await world.event(id)).deliveries[0]?.last_error ?? '', /master keys/);
	t.deepEqual(world.sent, []);
});

test('[WHK-055 WHK-056] an attempt that nobody finishes stays on record as unknown, and another is made', async (t) => {
	const world = await open();
	const {id} = await world.accept();
	const end = new AbortController();
	const cut: Scripted = () => {
		end.abort();
		throw end.signal.reason;
	};
	const first = await world.leaseOne();
	t.is((await world.event(id)).deliveries[0]?.attempts[0]?.outcome, 'unknown', 'on record before anything is sent');
	t.is(await world.attempt(first, cut, end.signal), 'abandoned');
	await world.clock.advance(61_000);
	t.is(await world.attemptNext(), 'delivered');
	const attempts = (await world.event(id)).deliveries[0]?.attempts ?? [];
	t.deepEqual(
		attempts.map(({number, outcome}) => [number, outcome]),
		[
			[1, 'unknown'],
			[2, 'delivered'],
		],
	);
});

test('whoever lost the lease changes nothing and tells nobody', async (t) => {
	const world = await open();
	const {id} = await world.accept({retry_config: {max_retries: 0, intervals: [1]}});
	const slow = await world.leaseOne();
	await world.clock.advance(61_000);
	t.is(await world.attemptNext(), 'delivered');
	t.is(await world.attempt(slow, () => answer(500)), 'lost');
	t.is((await world.event(id)).delivery_status, 'delivered');
	t.deepEqual(statusesOf(world.signalled), ['delivered']);
	t.deepEqual(await world.notifications(), []);
});

test('what was answered is kept while the store is away, and recorded when it is back', async (t) => {
	const world = await open();
	await world.accept();
	const delivery = await world.leaseOne();
	let isAway = true;
	const settle: typeof world.ports.deliveries.settle = (settlement) => {
		if (isAway) throw new DomainError('service_unavailable');
		return world.ports.deliveries.settle(settlement);
	};
	const deliveries = createDeliveries({
		...world.ports,
		deliveries: {...world.ports.deliveries, settle},
		lookUp: world.core.environment.resolver.lookUp,
		random: () => 0,
	});
	let sends = 0;
	const send = async () => {
		sends += 1;
		return answer(200);
	};
	const attempt = deliveries.attempt(delivery, send, never);
	await world.clock.advance(3000);
	isAway = false;
	await world.clock.advance(1000);
	t.is(await attempt, 'delivered');
	t.is(sends, 1);
});

test('that a delivery failed is told also when the store is away meanwhile', async (t) => {
	const world = await open();
	await world.accept({retry_config: {max_retries: 0, intervals: [1]}});
	let isAway = true;
	const {notifications} = world.ports;
	const appendUnlessUnread: typeof notifications.appendUnlessUnread = async (...notice) => {
		if (isAway) throw new DomainError('service_unavailable');
		return notifications.appendUnlessUnread(...notice);
	};
	const deliveries = createDeliveries({
		...world.ports,
		notifications: {...notifications, appendUnlessUnread},
		lookUp: world.core.environment.resolver.lookUp,
		random: () => 0,
	});
	const attempt = deliveries.attempt(await world.leaseOne(), async () => answer(500), never);
	await world.clock.advance(3000);
	isAway = false;
	await world.clock.advance(1000);
	t.is(await attempt, 'failed');
	t.is((await world.notifications()).length, 1);
});

/** Deliveries whose settlements are written, and then reported as interrupted, the first one of each. */
const interrupted = ({ports, core}: Awaited<ReturnType<typeof open>>, meanwhile: () => Promise<unknown>) => {
	let settlements = 0;
	const settle: typeof ports.deliveries.settle = async (settlement) => {
		settlements += 1;
		const counted = await ports.deliveries.settle(settlement);
		if (settlements > 1) return counted;
		await meanwhile();
		throw new DomainError('service_unavailable');
	};
	return createDeliveries({
		...ports,
		deliveries: {...ports.deliveries, settle},
		lookUp: core.environment.resolver.lookUp,
		random: () => 0,
	});
};

test('what was recorded although its writing was reported as interrupted counts, and is told', async (t) => {
	const world = await open();
	const {id} = await world.accept({retry_config: {max_retries: 0, intervals: [1]}});
	const deliveries = interrupted(world, async () => {});
	const attempt = deliveries.attempt(await world.leaseOne(), async () => answer(500), never);
	await world.clock.advance(0);
	await world.clock.advance(1000);
	t.is(await attempt, 'failed');
	t.is((await world.event(id)).delivery_status, 'failed');
	t.deepEqual(statusesOf(world.signalled), ['failed']);
	t.is((await world.notifications()).length, 1);
});

test('what somebody took after it was reported as interrupted is theirs', async (t) => {
	const world = await open();
	const {id} = await world.accept({retry_config: {max_retries: 0, intervals: [1]}});
	const deliveries = interrupted(world, async () => {
		await world.ports.webhookEvents.retry([world.caller.team_id], id);
		t.is(await world.attemptNext(), 'delivered');
	});
	const attempt = deliveries.attempt(await world.leaseOne(), async () => answer(500), never);
	await world.clock.advance(0);
	await world.clock.advance(1000);
	t.is(await attempt, 'lost');
	t.deepEqual(await world.notifications(), []);
});

test('of an endpoint that is gone nothing is sent', async (t) => {
	const world = await open();
	await world.accept();
	const delivery = await world.leaseOne();
	await world.ports.endpoints.delete([world.caller.team_id], world.endpoint.id);
	t.is(await world.attempt(delivery), 'lost');
	t.deepEqual(world.sent, []);
});
