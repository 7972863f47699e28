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
	readEvent,
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
