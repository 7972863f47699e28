import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildPlannedDelivery} from '../builders/webhook.ts';
import {
	accept,
	addEvent,
	addOwner,
	fail,
	lease,
	leaseOne,
	namesOf,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {parallel} from './world.ts';

const named = (destination_key: string, names: readonly string[]) => names.map((name) => ({destination_key, name}));

const many = (count: number, name: string) => Array.from({length: count}, () => name);

/** Accepts one delivery there, to be leased at once; answers whether it was. */
const acceptFirst = async (
	world: WebhookWorld,
	endpoint: EndpointRecord,
	[destination_key, per_destination]: readonly [string, number],
): Promise<boolean> => {
	const outcome = {deliveries: [buildPlannedDelivery({destination_key})]};
	const attempts = {ids: [buildId()], per_destination, lease_seconds: 60};
	return (await accept(world, buildAcceptable({endpoint, outcome}), attempts)).leased.length === 1;
};

export const limitedUsers: WebhookContract = {
	subject: 'delivery leases of users',
	cases: {
		'one who may have no more is passed over, however much waits before that of others': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			await addEvent(world, one.endpoint, {deliveries: named('a', many(300, 'one'))});
			await addEvent(world, one.endpoint, {deliveries: many(40, 'one').flatMap((name, at) => named(`b${at}`, [name]))});
			await world.advance(60);
			await addEvent(world, other.endpoint, {deliveries: [...named('a', ['a']), ...named('c', ['c'])]});
			const user_limits = new Map([[one.user_id, 0]]);
			t.deepEqual(namesOf(await lease(world, 10, {user_limits})).toSorted(), ['a', 'c']);
			t.deepEqual(await lease(world, 10, {user_limits}), []);
			t.is((await lease(world, 10)).length, 10);
		},
		'one who may have some more gets no more than those': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			await addEvent(world, one.endpoint, {deliveries: [...named('a', ['1', '1', '1']), ...named('b', ['1', '1'])]});
			await addEvent(world, other.endpoint, {deliveries: named('c', ['2'])});
			const user_limits = new Map([
				[one.user_id, 2],
				[buildId(), 0],
			]);
			t.deepEqual(namesOf(await lease(world, 10, {user_limits})).toSorted(), ['1', '1', '2']);
			t.is((await lease(world, 10, {user_limits})).length, 2);
		},
		'what was retried, given back or lost stays that of its user': async (t, world) => {
			const {endpoint, user_id} = await addOwner(world);
			const user_limits = new Map([[user_id, 0]]);
			await addEvent(world, endpoint);
			await fail(world, await leaseOne(world), {status: 'retrying', after_seconds: 0});
			t.deepEqual(await lease(world, 5, {user_limits}), []);
			const {id: delivery_id, fence, attempt} = await leaseOne(world);
			await world.stores.deliveries.release([{delivery_id, fence, attempt_id: attempt.id}]);
			t.deepEqual(await lease(world, 5, {user_limits}), []);
			await leaseOne(world);
			await world.advance(120);
			t.deepEqual(await lease(world, 5, {user_limits}), []);
			t.is((await leaseOne(world)).id, delivery_id);
		},
		'a destination has no more leases than it may, of all users together': async (t, world) => {
			const owners = await parallel(4, () => addOwner(world));
			for (const {endpoint} of owners) await addEvent(world, endpoint, {deliveries: named('a', ['1', '2'])});
			const leases = await parallel(4, () => lease(world, 3, {per_destination: 3}));
			t.is(leases.flat().length, 3);
			const first = await Promise.all(owners.map(({endpoint}) => acceptFirst(world, endpoint, ['b', 3])));
			t.is(first.filter(Boolean).length, 3);
			t.deepEqual(await lease(world, 5, {per_destination: 3}), []);
		},
		'of one destination the oldest due come first, whose ever they are': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			for (const [{endpoint}, name] of [[one, '1'] as const, [other, '2'] as const, [one, '3'] as const]) {
				await addEvent(world, endpoint, {deliveries: named('a', [name])});
				await world.advance(60);
			}
			t.deepEqual(namesOf(await lease(world, 2)), ['1', '2']);
		},
		'what waits of one keeps no other from being leased as it is accepted': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			await addEvent(world, one.endpoint, {deliveries: named('a', ['1'])});
			t.is(await acceptFirst(world, other.endpoint, ['a', 2]), true);
			t.is(await acceptFirst(world, one.endpoint, ['a', 2]), false);
			t.is(await acceptFirst(world, other.endpoint, ['a', 1]), false);
		},
		'deliveries without an id for their attempt are accepted, and wait': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const deliveries = [...named('a', ['1']), ...named('b', ['2'])].map(buildPlannedDelivery);
			const attempts = {ids: [buildId()], per_destination: 5, lease_seconds: 60};
			const {leased} = await accept(world, buildAcceptable({endpoint, outcome: {deliveries}}), attempts);
			t.deepEqual(namesOf(leased), ['1']);
			t.deepEqual(namesOf(await lease(world, 5)), ['2']);
		},
	},
};
