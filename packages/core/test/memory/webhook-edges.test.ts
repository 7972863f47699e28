import {createMemoryStores} from '@signalbox/core/memory';
import {
	addCaller,
	buildAcceptable,
	buildClaim,
	buildEndpoint,
	buildId,
	buildPlannedDelivery,
	buildSettlement,
	createManualClock,
} from '@signalbox/core/testing';
import test from 'ava';

// The contract leaves a minute around every edge, for stores whose time passes by itself. This one stands still.

const openStores = async () => {
	const clock = createManualClock();
	const stores = createMemoryStores({clock});
	const {user_id, team_id, team_ids} = await addCaller(stores);
	const endpoint = buildEndpoint({user_id, team_id});
	await stores.endpoints.create(endpoint, null);
	const lease = () =>
		stores.deliveries.lease({attempt_ids: [buildId(), buildId()], per_destination: 10, lease_seconds: 60});
	return {clock, stores, endpoint, team_ids, lease};
};

test('a claim is held up to its last millisecond', async (t) => {
	const {clock, stores, endpoint} = await openStores();
	const claims = [buildClaim({ttl_seconds: 60})];
	const statusNow = async () => {
		const answer = await stores.intake.accept(buildAcceptable({endpoint, claims}));
		return answer.outcome === 'accepted' ? answer.status : answer.outcome;
	};
	t.is(await statusNow(), 'pending');
	await clock.advance(59_999);
	t.is(await statusNow(), 'duplicate');
	t.is(await stores.intake.purgeClaims(10), 0);
	await clock.advance(1);
	t.is(await stores.intake.purgeClaims(10), 1);
	t.is(await statusNow(), 'pending');
});

test('a delayed delivery is due at its millisecond, and a lease ends at its own', async (t) => {
	const {clock, stores, endpoint, lease} = await openStores();
	const outcome = {deliveries: [buildPlannedDelivery({delay_seconds: 5})]};
	await stores.intake.accept(buildAcceptable({endpoint, outcome}));
	await clock.advance(4999);
	t.deepEqual(await lease(), []);
	await clock.advance(1);
	t.is((await lease()).length, 1);
	await clock.advance(59_999);
	t.deepEqual(await lease(), []);
	await clock.advance(1);
	t.is((await lease()).length, 1);
});

test('a retry is due at its millisecond, also when that is a fraction of a second away', async (t) => {
	const {clock, stores, endpoint, lease} = await openStores();
	await stores.intake.accept(buildAcceptable({endpoint}));
	const [leased] = await lease();
	if (leased === undefined) return t.fail('nothing was due');
	await stores.deliveries.settle(buildSettlement({leased, next: {status: 'retrying', after_seconds: 5.757}}));
	t.is(await stores.deliveries.nextDue(), '2026-01-31T09:30:05.757Z');
	await clock.advance(5756);
	t.deepEqual(await lease(), []);
	await clock.advance(1);
	t.is((await lease()).length, 1);
});

test('an event as old as its plan allows stays', async (t) => {
	const {clock, stores, endpoint} = await openStores();
	await stores.intake.accept(buildAcceptable({endpoint, outcome: {status: 'unmatched'}}));
	const retention = {days_by_plan: new Map(), otherwise: 7};
	await clock.advance(7 * 24 * 3_600_000);
	t.is(await stores.webhookEvents.purge(retention, 10), 0);
	await clock.advance(1);
	t.is(await stores.webhookEvents.purge(retention, 10), 1);
});
