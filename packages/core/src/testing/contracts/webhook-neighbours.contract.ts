import {plusSeconds} from '../../values/instant.ts';
import {buildAcceptable, buildClaim, buildMiddleware, buildPlannedDelivery} from '../builders/webhook.ts';
import {
	accept,
	addEndpoint,
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

const minute = 60;
const day = 24 * 3600;
const keptForAWeek = {days_by_plan: new Map(), otherwise: 7};

/** Two events of one endpoint, received so many days ago, whose only deliveries failed. */
const addFailedPair = async (world: WebhookWorld, ages: readonly [number, number] = [0, 0]) => {
	const {endpoint} = await addOwner(world);
	const addFailed = async (age: number) => {
		const body = {bytes: new TextEncoder().encode('made'), references: []};
		const created_at = plusSeconds(world.now(), -age * day);
		const event = await addEvent(world, endpoint, {created_at, deliveries: [{body}]});
		await fail(world, await leaseOne(world));
		return event;
	};
	return {endpoint, one: await addFailed(ages[0]), other: await addFailed(ages[1])};
};

export const besideEvents: WebhookContract = {
	subject: 'webhook events beside others',
	cases: {
		'one that is retried leaves what failed of others failed': async (t, world) => {
			const {endpoint, one, other} = await addFailedPair(world);
			t.is(await world.stores.webhookEvents.retry([endpoint.team_id], one.id), 1);
			t.deepEqual((await readEvent(world, other)).deliveries[0]?.status, 'failed');
			t.is((await lease(world, 10)).length, 1);
		},
		'one whose body is gone is not retried because another one has its own': async (t, world) => {
			const {endpoint, one} = await addFailedPair(world, [40, 0]);
			t.is(await world.stores.webhookEvents.purgeBodies(keptForAWeek, 10), 1);
			t.is(await world.stores.webhookEvents.retry([endpoint.team_id], one.id), 'purged');
		},
		'bodies that go with age leave those of younger ones, in every attempt and delivery': async (t, world) => {
			const {endpoint, other} = await addFailedPair(world, [40, 0]);
			const before = await readEvent(world, other);
			t.is(await world.stores.webhookEvents.purgeBodies(keptForAWeek, 10), 1);
			t.deepEqual(await readEvent(world, other), before);
			await world.stores.webhookEvents.retry([endpoint.team_id], other.id);
			t.deepEqual((await leaseOne(world)).body?.bytes, new TextEncoder().encode('made'));
		},
		'what is leased at once comes each with its own event': async (t, world) => {
			const owners = [await addOwner(world), await addOwner(world), await addOwner(world)];
			for (const [index, {endpoint}] of owners.entries())
				await addEvent(world, endpoint, {method: 'PUT', deliveries: [{name: `to ${index}`}]});
			const leased = await lease(world, 10);
			const named = new Map(leased.map((each) => [each.name, [each.endpoint_id, each.team_id, each.user_id]]));
			for (const [index, {endpoint, team_id, user_id}] of owners.entries())
				t.deepEqual(named.get(`to ${index}`), [endpoint.id, team_id, user_id]);
		},
		'one that is given back leaves the others to whoever holds them': async (t, world) => {
			const {endpoint} = await addOwner(world);
			await addEvent(world, endpoint, {deliveries: [{}, {}]});
			const [given] = await lease(world, 2);
			if (given === undefined) throw new Error('nothing is due');
			const {id: delivery_id, fence, attempt} = given;
			await world.stores.deliveries.release([{delivery_id, fence, attempt_id: attempt.id}]);
			t.deepEqual(
				(await lease(world, 10)).map(({id}) => id),
				[delivery_id],
			);
		},
		'one that is given back keeps the attempts that were made before': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const event = await addEvent(world, endpoint);
			await fail(world, await leaseOne(world), {status: 'retrying', after_seconds: minute});
			await world.advance(2 * minute);
			const {id: delivery_id, fence, attempt} = await leaseOne(world);
			await world.stores.deliveries.release([{delivery_id, fence, attempt_id: attempt.id}]);
			const [delivery] = (await readEvent(world, event)).deliveries;
			t.deepEqual(
				delivery?.attempts.map(({number, status_code}) => [number, status_code]),
				[[1, 500]],
			);
			t.is((await leaseOne(world)).attempt.number, 2);
		},
		'what is leased of another destination, or not due yet, takes no place': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const one = {destination_key: 'https://one.example.com'};
			await addEvent(world, endpoint, {
				deliveries: [
					{...one, name: 'first'},
					{...one, name: 'delayed', delay_seconds: day},
					{destination_key: 'https://other.example.com', name: 'other'},
				],
			});
			const leaseNext = () => lease(world, 10, {per_destination: 1});
			const leased = await leaseNext();
			t.deepEqual([...namesOf(leased)].sort(), ['first', 'other']);
			for (const each of leased.filter(({name}) => name === 'first')) await succeed(world, each);
			await addEvent(world, endpoint, {deliveries: [{...one, name: 'next'}]});
			t.deepEqual(namesOf(await leaseNext()), ['next']);
		},
		'of claims those go that ran out, and none of another step or of another webhook': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const gone = buildClaim({ttl_seconds: minute});
			const kept = [buildClaim({middleware_id: gone.middleware_id}), buildClaim({digest: gone.digest})];
			for (const claim of [gone, ...kept])
				await accept(
					world,
					buildAcceptable({endpoint, claims: [claim], outcome: {deliveries: [buildPlannedDelivery()]}}),
				);
			await world.advance(2 * minute);
			t.is(await world.stores.intake.purgeClaims(10), 1);
			for (const claim of kept) t.is(await world.stores.intake.isClaimed(claim), true);
		},
		'an endpoint counts and places its own steps, whatever others have': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const full = await addEndpoint(world, owner);
			const {middlewares} = world.stores;
			for (const sort_order of [7, 8, 9]) await middlewares.create(buildMiddleware({endpoint: full, sort_order}));
			const made = await middlewares.create({...buildMiddleware({endpoint}), sort_order: undefined}, 3);
			t.is(made.sort_order, 0);
		},
	},
};
