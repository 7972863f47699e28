import type {PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {EventStatus, NewEvent} from '../../webhook/model/event.ts';
import {buildSettlement} from '../builders/webhook.ts';
import {
	addEvent,
	addOwner,
	fail,
	lease,
	leaseOne,
	readEvent,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {parallel, tally} from './world.ts';

type Fate = 'pending' | 'retrying' | 'failed' | 'delivered';

/** An event whose deliveries have come that far, one for each. */
const eventWith = async (world: WebhookWorld, endpoint: EndpointRecord, fates: readonly Fate[]): Promise<NewEvent> => {
	// What is to stay pending is due after all others.
	const deliveries = fates.map((fate) => ({name: fate, delay_seconds: fate === 'pending' ? 3600 : 0}));
	const event = await addEvent(world, endpoint, {deliveries});
	for (const leased of await lease(world, fates.length)) {
		if (leased.name === 'delivered') await succeed(world, leased);
		else if (leased.name === 'failed') await fail(world, leased);
		else await fail(world, leased, {status: 'retrying', after_seconds: 7200});
	}
	return event;
};

const progress: readonly (readonly [readonly Fate[], EventStatus])[] = [
	[['pending'], 'pending'],
	[['retrying'], 'retrying'],
	[['failed'], 'failed'],
	[['delivered'], 'delivered'],
	[['delivered', 'failed', 'pending', 'retrying'], 'retrying'],
	[['delivered', 'failed', 'pending'], 'pending'],
	[['delivered', 'failed'], 'failed'],
	[['delivered', 'delivered'], 'delivered'],
];

export const progressOfEvents: WebhookContract = {
	subject: 'webhook event progress',
	cases: {
		'over several deliveries the status is retrying, else pending, else failed, else delivered': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			const page = {limit: 10, offset: 0, body_chars: 0};
			const expected: Record<string, EventStatus> = {};
			for (const [fates, status] of progress) {
				const event = await eventWith(world, endpoint, fates);
				expected[event.id] = status;
				t.is((await readEvent(world, event)).delivery_status, status, fates.join());
			}
			for (const status of ['retrying', 'pending', 'failed', 'delivered'] as const) {
				const {data, total} = await world.stores.webhookEvents.list(team_id, {status}, page);
				t.is(total, 2);
				for (const event of data) t.deepEqual([event.delivery_status, expected[event.id]], [status, status]);
			}
		},
		'the answer of the attempt that ended last is the answer of the event': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const event = await addEvent(world, endpoint, {deliveries: [{name: 'a'}, {name: 'b'}]});
			const [a, b] = await lease(world, 2);
			const answered = async () => {
				const {status_code, response_body} = await readEvent(world, event);
				return [status_code, response_body];
			};
			const end = (leased: typeof a, status_code: number | null, text: string) =>
				leased === undefined
					? undefined
					: world.stores.deliveries.settle(
							buildSettlement({
								leased,
								attempt: {outcome: 'failed', status_code, response_body: new TextEncoder().encode(text)},
								next: {status: 'failed'},
							}),
						);
			t.deepEqual(await answered(), [null, null]);
			await end(b, 502, 'second');
			t.deepEqual(await answered(), [502, 'second']);
			await world.advance(1);
			await end(a, null, '');
			t.deepEqual(await answered(), [null, '']);
		},
		'retries are the attempts after the first of each delivery, the next one the earliest': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const event = await addEvent(world, endpoint, {deliveries: [{}, {}, {}]});
			for (const seconds of [3600, 600, 7200]) {
				const leased = await leaseOne(world);
				await fail(world, leased, {status: 'retrying', after_seconds: seconds});
			}
			const {deliveries, ...before} = await readEvent(world, event);
			const due = deliveries.map(({next_attempt_at}) => next_attempt_at ?? '').toSorted();
			t.deepEqual([before.retry_count, before.next_retry_at], [0, due[0] ?? null]);
			await world.advance(1200);
			await succeed(world, await leaseOne(world));
			const after = await readEvent(world, event);
			t.deepEqual([after.retry_count, after.next_retry_at, after.delivered_at], [1, due[1] ?? null, null]);
		},
		'it is delivered when its last delivery was': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const event = await addEvent(world, endpoint, {deliveries: [{}, {}]});
			const [first, second] = [await leaseOne(world), await leaseOne(world)];
			await succeed(world, first);
			t.is((await readEvent(world, event)).delivered_at, null);
			await world.advance(60);
			const before = world.now();
			await succeed(world, second);
			const {delivered_at, next_retry_at} = await readEvent(world, event);
			t.is(delivered_at !== null && delivered_at >= before && delivered_at <= world.now(), true);
			t.is(next_retry_at, null);
		},
	},
};

const failed = async (world: WebhookWorld, endpoint: EndpointRecord, fields: readonly Partial<PlannedDelivery>[]) => {
	const event = await addEvent(world, endpoint, {deliveries: fields});
	for (const leased of await lease(world, 10)) await fail(world, leased);
	return event;
};

export const retryingEvents: WebhookContract = {
	subject: 'retrying webhook events',
	cases: {
		'failed deliveries are due again at once, all others are left alone': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const event = await eventWith(world, endpoint, ['pending', 'retrying', 'failed', 'delivered', 'failed']);
			const {deliveries: before} = await readEvent(world, event);
			t.is(await world.stores.webhookEvents.retry(team_ids, event.id), 2);
			const {deliveries, delivery_status} = await readEvent(world, event);
			t.is(delivery_status, 'retrying');
			t.deepEqual(
				deliveries.map(({status}) => status),
				['pending', 'retrying', 'retrying', 'delivered', 'retrying'],
			);
			for (const index of [0, 1, 3]) t.deepEqual(deliveries[index], before[index]);
			t.deepEqual(
				(await lease(world, 10)).map(({name}) => name),
				['failed', 'failed'],
			);
		},
		'their retries begin anew, their attempts are numbered on': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const event = await addEvent(world, endpoint);
			await fail(world, await leaseOne(world), {status: 'retrying', after_seconds: 0});
			const second = await leaseOne(world);
			t.deepEqual([second.retries, second.attempt.number], [1, 2]);
			await fail(world, second);
			await world.stores.webhookEvents.retry(team_ids, event.id);
			const third = await leaseOne(world);
			t.deepEqual([third.retries, third.attempt.number], [0, 3]);
			t.is(third.fence > second.fence, true);
			await fail(world, third, {status: 'retrying', after_seconds: 0});
			t.deepEqual((await leaseOne(world)).retries, 1);
			const [delivery] = (await readEvent(world, event)).deliveries;
			t.deepEqual(
				delivery?.attempts.map(({number}) => number),
				[1, 2, 3, 4],
			);
		},
		'of parallel retries each delivery is armed by one': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const event = await failed(world, endpoint, [{}, {}]);
			const armed = await parallel(5, () => world.stores.webhookEvents.retry(team_ids, event.id));
			t.deepEqual(tally(armed), {2: 1, 0: 4});
			t.is((await lease(world, 10)).length, 2);
		},
		'where nothing failed, nothing is armed': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			for (const fate of ['pending', 'retrying', 'delivered'] as const) {
				const event = await eventWith(world, endpoint, [fate]);
				t.is(await world.stores.webhookEvents.retry(team_ids, event.id), 0, fate);
			}
			t.is(await world.stores.webhookEvents.retry(team_ids, 'unknown'), undefined);
		},
		'what could not be planned has nothing to send, and stays failed': async (t, world) => {
			const {endpoint, team_ids} = await addOwner(world);
			const event = await failed(world, endpoint, [{failure: 'The template of the rule fails.'}, {}]);
			t.is((await readEvent(world, event)).deliveries[0]?.last_error, 'The template of the rule fails.');
			t.is(await world.stores.webhookEvents.retry(team_ids, event.id), 1);
			t.deepEqual(
				(await readEvent(world, event)).deliveries.map(({status}) => status),
				['failed', 'retrying'],
			);
		},
	},
};
