import {millisecondsOf} from '../../values/instant.ts';
import type {PlannedDelivery} from '../../webhook/model/delivery.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildEvent, buildPlannedDelivery, buildRoutingRule} from '../builders/webhook.ts';
import {
	accept,
	addEvent,
	addOwner,
	fail,
	lease,
	leaseOne,
	namesOf,
	readEvent,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {idsOf, parallel} from './world.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const hour = 3600;

/** One event with a delivery to each of those destinations, named like it. */
const addTo = async (world: WebhookWorld, destinations: readonly string[], fields: Partial<PlannedDelivery> = {}) => {
	const {endpoint} = await addOwner(world);
	const deliveries = destinations.map((name) => ({name, destination_key: name, ...fields}));
	return addEvent(world, endpoint, {deliveries});
};

export const leasing: WebhookContract = {
	subject: 'delivery leases',
	cases: {
		'a due delivery is leased with what the pipeline left, its attempt written first': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const references = [{at: 1, key: 'TOKEN', as: 'json'}] as const;
			const headers = [['X-Made', {text: 'ab', references: [{at: 2, key: 'A', as: 'text'}]}]] as const;
			const processed = {headers, body: {bytes: bytes('made'), references}};
			const event = buildEvent({endpoint, method: 'PUT', processed});
			const planned = buildPlannedDelivery({
				rule_id: buildId(),
				headers_override: {'X-Key': '{{env.KEY}}'},
				body: {bytes: bytes('rendered'), references},
				retry_config: {max_retries: 1, intervals: [9]},
			});
			await accept(world, buildAcceptable({endpoint, event, outcome: {deliveries: [planned]}}));
			const attempt_id = buildId();
			const before = world.now();
			const request = {attempt_ids: [attempt_id], per_destination: 10, lease_seconds: 60};
			const [leased] = await world.stores.deliveries.lease(request);
			const {delay_seconds: _, failure: __, ...known} = planned;
			const started_at = leased?.attempt.started_at ?? '';
			t.deepEqual(leased, {
				...known,
				...{event_id: event.id, endpoint_id: endpoint.id, team_id: endpoint.team_id, user_id: endpoint.user_id},
				event: {method: 'PUT', ...processed},
				fence: leased?.fence,
				retries: 0,
				attempt: {id: attempt_id, number: 1, started_at},
			});
			t.is(started_at >= before && started_at <= world.now(), true);
			t.deepEqual((await readEvent(world, event)).deliveries[0]?.attempts, [
				{
					...{id: attempt_id, delivery_id: planned.id, number: 1, started_at, completed_at: null, outcome: 'unknown'},
					...{status_code: null, error_code: null, response_headers: {}, response_body: '', duration_ms: null},
				},
			]);
		},
		'what the pipeline did not change is delivered as it was received': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const headers = [
				['X-A', '1'],
				['x-a', '\u00e9'],
			] as const;
			await addEvent(world, endpoint, {headers, body: new Uint8Array([0, 255, 13, 10])});
			const {event} = await leaseOne(world);
			t.deepEqual(event, {
				method: 'POST',
				headers: headers.map(([name, text]) => [name, {text, references: []}]),
				body: {bytes: new Uint8Array([0, 255, 13, 10]), references: []},
			});
		},
		'each is leased to one, also among parallel callers': async (t, world) => {
			const destinations = Array.from({length: 60}, (_, index) => `d${index % 7}`);
			const event = await addTo(world, destinations);
			const leases = (await parallel(12, () => lease(world, 7))).flat();
			t.is(leases.length, 60);
			t.is(new Set(idsOf(leases)).size, 60);
			t.deepEqual(await lease(world, 10), []);
			const {deliveries} = await readEvent(world, event);
			t.is(
				deliveries.every(({attempts}) => attempts.length === 1),
				true,
			);
		},
		'no more are leased than there are ids for attempts, and none without one': async (t, world) => {
			await addTo(world, ['a', 'b', 'c']);
			t.deepEqual(await lease(world, 0), []);
			t.is((await lease(world, 2)).length, 2);
			t.is((await lease(world, 2)).length, 1);
		},
		'of one destination the oldest due come first': async (t, world) => {
			const {endpoint} = await addOwner(world);
			for (const [name, delay_seconds] of [
				['third', 300],
				['first', 0],
				['second', 100],
			] as const)
				await addEvent(world, endpoint, {deliveries: [{name, delay_seconds}]});
			await world.advance(hour);
			t.deepEqual(namesOf(await lease(world, 2)), ['first', 'second']);
			t.deepEqual(namesOf(await lease(world, 2)), ['third']);
		},
		'none gets another turn before each destination had one, however many wait there': async (t, world) => {
			await addTo(world, ['a', 'a', 'a', 'a', 'a']);
			await world.advance(60);
			await addTo(world, ['b', 'b', 'c']);
			t.deepEqual(namesOf(await lease(world, 3)).toSorted(), ['a', 'b', 'c']);
			await world.advance(hour);
			t.deepEqual(namesOf(await lease(world, 8)).toSorted(), ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c']);
		},
		'a destination never has more leases at once than it may, over parallel callers': async (t, world) => {
			await addTo(world, ['a', 'a', 'a', 'a', 'a', 'b']);
			const limited = {per_destination: 2};
			const leases = (await parallel(6, () => lease(world, 3, limited))).flat();
			t.deepEqual(namesOf(leases).toSorted(), ['a', 'a', 'b']);
			const [held] = leases.filter(({name}) => name === 'a');
			if (held !== undefined) await succeed(world, held);
			t.deepEqual(namesOf(await lease(world, 5, limited)), ['a']);
		},
		'whoever holds every lease of a destination may have more there, where it says so': async (t, world) => {
			await addTo(world, ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b']);
			const ahead = {holder: 'one', destinations: ['a'], limit: 4};
			t.deepEqual(namesOf(await lease(world, 8, {per_destination: 2, ahead})).toSorted(), [
				'a',
				'a',
				'a',
				'a',
				'b',
				'b',
			]);
			t.deepEqual(await lease(world, 8, {per_destination: 2, ahead}), []);
			t.deepEqual(await lease(world, 8, {per_destination: 2, ahead: {...ahead, holder: 'other'}}), []);
		},
		'where somebody else holds a lease, nobody has more of that destination than it may have': async (t, world) => {
			await addTo(world, ['a', 'a', 'a', 'a', 'a']);
			const ahead = {holder: 'one', destinations: ['a'], limit: 4};
			const [first] = await lease(world, 1, {per_destination: 2, ahead: {...ahead, holder: 'other'}});
			const leases = (await parallel(4, () => lease(world, 3, {per_destination: 2, ahead}))).flat();
			t.is(leases.length, 1);
			if (first !== undefined) await succeed(world, first);
			t.is((await lease(world, 5, {per_destination: 2, ahead})).length, 3);
		},
		'destinations that differ in case are different': async (t, world) => {
			await addTo(world, ['{{env.a}}', '{{env.A}}']);
			t.is((await lease(world, 5, {per_destination: 1})).length, 2);
		},
		'a delayed one is leased when its time has come, by the clock of the store': async (t, world) => {
			await addTo(world, ['a'], {delay_seconds: hour});
			await world.advance(hour - 60);
			t.deepEqual(await lease(world, 5), []);
			await world.advance(120);
			t.is((await lease(world, 5)).length, 1);
		},
		'one whose rule was deleted is delivered still': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const rule = await world.stores.routingRules.create(buildRoutingRule({endpoint}));
			await addEvent(world, endpoint, {deliveries: [{rule_id: rule.id}]});
			await world.stores.routingRules.delete(endpoint.id, rule.id);
			t.is((await leaseOne(world)).rule_id, rule.id);
		},
	},
};

export const expiringLeases: WebhookContract = {
	subject: 'delivery leases',
	cases: {
		'one that runs out makes its delivery due again, with a higher fence and an attempt left unknown': async (
			t,
			world,
		) => {
			const event = await addTo(world, ['a']);
			const first = await leaseOne(world);
			await world.advance(30);
			t.deepEqual(await lease(world, 5), []);
			await world.advance(60);
			const second = await leaseOne(world);
			t.is(second.id, first.id);
			t.is(second.fence > first.fence, true);
			t.deepEqual([second.retries, second.attempt.number], [1, 2]);
			const {deliveries, delivery_status} = await readEvent(world, event);
			t.is(delivery_status, 'pending');
			t.is(deliveries[0]?.attempt_count, 2);
			t.deepEqual(
				deliveries[0]?.attempts.map(({id, outcome, completed_at}) => [id, outcome, completed_at]),
				[
					[first.attempt.id, 'unknown', null],
					[second.attempt.id, 'unknown', null],
				],
			);
		},
		'one that ran out counts no longer against its destination': async (t, world) => {
			await addTo(world, ['a', 'a']);
			const limited = {per_destination: 1};
			t.is((await lease(world, 5, limited)).length, 1);
			t.deepEqual(await lease(world, 5, limited), []);
			await world.advance(120);
			t.is((await lease(world, 5, limited)).length, 1);
		},
		'of parallel callers one gets it': async (t, world) => {
			await addTo(world, ['a']);
			await leaseOne(world);
			await world.advance(120);
			t.is((await parallel(10, () => lease(world, 1))).flat().length, 1);
		},
		'one that is given back is due at once, as if it had never been leased': async (t, world) => {
			const event = await addTo(world, ['a', 'b', 'c']);
			const [a, b] = await lease(world, 2);
			if (a === undefined || b === undefined) throw new Error('two are due');
			const leaseOf = ({id: delivery_id, fence, attempt}: typeof a) => ({delivery_id, fence, attempt_id: attempt.id});
			await world.stores.deliveries.release([leaseOf(a), leaseOf(b)]);
			const {deliveries} = await readEvent(world, event);
			t.deepEqual(
				deliveries.map(({status, attempt_count, attempts}) => [status, attempt_count, attempts.length]),
				[
					['pending', 0, 0],
					['pending', 0, 0],
					['pending', 0, 0],
				],
			);
			t.is(await succeed(world, a), false);
			const again = await lease(world, 10);
			t.is(again.length, 3);
			const second = again.find(({id}) => id === a.id);
			t.deepEqual([second?.retries, second?.attempt.number], [0, 1]);
			t.is((second?.fence ?? 0) > a.fence, true);
		},
		'what another holds, or is settled, is not given back': async (t, world) => {
			const event = await addTo(world, ['a']);
			const first = await leaseOne(world);
			const old = {delivery_id: first.id, fence: first.fence, attempt_id: first.attempt.id};
			await world.advance(120);
			const second = await leaseOne(world);
			await world.stores.deliveries.release([old]);
			t.deepEqual(await lease(world, 5), []);
			t.is(await succeed(world, second), true);
			await world.stores.deliveries.release([{...old, fence: second.fence, attempt_id: second.attempt.id}]);
			const {deliveries, delivery_status} = await readEvent(world, event);
			t.is(delivery_status, 'delivered');
			t.is(deliveries[0]?.attempts.length, 2);
		},
	},
};

/** How many seconds from now, by the store's clock, something is due; rounded. */
const dueIn = async (world: WebhookWorld): Promise<number | undefined> => {
	const due = await world.stores.deliveries.nextDue();
	if (due === undefined) return undefined;
	const minutes = Math.round((millisecondsOf(due) - millisecondsOf(world.now())) / 60_000);
	// What became due a moment ago rounds to a negative zero.
	return minutes === 0 ? 0 : minutes * 60;
};

export const dueDeliveries: WebhookContract = {
	subject: 'next due delivery',
	cases: {
		'it is the earliest of what is delayed, retried and leased': async (t, world) => {
			t.is(await dueIn(world), undefined);
			await addTo(world, ['a'], {delay_seconds: 3 * hour});
			t.is(await dueIn(world), 3 * hour);
			await addTo(world, ['b']);
			t.is(await dueIn(world), 0);
			const [leased] = await lease(world, 1, {lease_seconds: hour});
			t.is(await dueIn(world), hour);
			if (leased !== undefined) await fail(world, leased, {status: 'retrying', after_seconds: 2 * hour});
			t.is(await dueIn(world), 2 * hour);
			await world.advance(2 * hour + 60);
			await succeed(world, await leaseOne(world));
			t.is(await dueIn(world), hour - 60);
		},
		'what is delivered or failed is never due again': async (t, world) => {
			await addTo(world, ['a', 'b']);
			await addTo(world, ['c'], {failure: 'The template of the rule fails.'});
			await succeed(world, await leaseOne(world));
			await fail(world, await leaseOne(world));
			t.is(await world.stores.deliveries.nextDue(), undefined);
			await world.advance(100 * 24 * hour);
			t.deepEqual(await lease(world, 5), []);
		},
	},
};
