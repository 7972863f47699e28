import type {DeduplicationClaim} from '../../webhook/model/acceptable.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildAcceptable, buildClaim} from '../builders/webhook.ts';
import {accept, addOwner, lease, readEvent, type WebhookContract, type WebhookWorld} from './webhook-world.ts';
import {parallel, tally} from './world.ts';

const claiming = async (world: WebhookWorld, endpoint: EndpointRecord, ...claims: readonly DeduplicationClaim[]) =>
	(await accept(world, buildAcceptable({endpoint, claims}))).status;

/** The trace of an event that ended at a step of that name. */
const endedAt = (name: string): DeduplicationClaim['otherwise'] => ({
	pipeline: {
		outcome: 'duplicate',
		delay_seconds: 0,
		steps: [{middleware_id: name, name, type: 'deduplicate', outcome: 'duplicate', message: 'seen before'}],
		result: {},
	},
	routing: null,
});

const minute = 60;

export const claims: WebhookContract = {
	subject: 'deduplication claims',
	cases: {
		'the first to claim is let through, the next is a duplicate that ends at that step': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim({otherwise: endedAt('by id')});
			t.is(await claiming(world, endpoint, claim), 'pending');
			const second = buildAcceptable({endpoint, claims: [claim]});
			t.is((await accept(world, second)).status, 'duplicate');
			const event = await readEvent(world, second.event);
			t.is(event.delivery_status, 'duplicate');
			t.deepEqual(event.deliveries, []);
			t.deepEqual([event.trace.pipeline.outcome, event.trace.pipeline.steps[0]?.name], ['duplicate', 'by id']);
			t.is(event.trace.routing, null);
			t.is((await lease(world, 10)).length, 1);
		},
		'of 1,000 equal ones in parallel exactly one is first': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim();
			const statuses = await parallel(1000, () => claiming(world, endpoint, claim));
			t.deepEqual(tally(statuses), {pending: 1, duplicate: 999});
			t.is((await lease(world, 10)).length, 1);
		},
		'another step, or another value, is another claim': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim();
			const {middleware_id, digest} = claim;
			for (const each of [claim, buildClaim({middleware_id}), buildClaim({digest})])
				t.is(await claiming(world, endpoint, each), 'pending');
		},
		'asking whether a value is claimed remembers nothing': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim();
			for (let asked = 0; asked < 3; asked += 1) t.is(await world.stores.intake.isClaimed(claim), false);
			t.is(await claiming(world, endpoint, claim), 'pending');
			t.is(await world.stores.intake.isClaimed(claim), true);
			const {middleware_id, digest} = claim;
			for (const other of [buildClaim({middleware_id}), buildClaim({digest})])
				t.is(await world.stores.intake.isClaimed(other), false);
		},
		'a claim is held for its time by the clock of the store, and duplicates do not prolong it': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim({ttl_seconds: 10 * minute});
			t.is(await claiming(world, endpoint, claim), 'pending');
			await world.advance(6 * minute);
			t.is(await claiming(world, endpoint, claim), 'duplicate');
			await world.advance(6 * minute);
			t.is(await world.stores.intake.isClaimed(claim), false);
			t.is(await claiming(world, endpoint, claim), 'pending');
			t.is(await claiming(world, endpoint, claim), 'duplicate');
		},
		'of parallel ones after its time exactly one is first again': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim({ttl_seconds: minute});
			await claiming(world, endpoint, claim);
			await world.advance(2 * minute);
			t.deepEqual(tally(await parallel(50, () => claiming(world, endpoint, claim))), {pending: 1, duplicate: 49});
		},
		'an event that ends in pipeline_error leaves no claim, one that rests otherwise does': async (t, world) => {
			const {endpoint} = await addOwner(world);
			for (const status of ['pipeline_error', 'filtered', 'unmatched'] as const) {
				const claim = buildClaim();
				const {status: answered} = await accept(world, buildAcceptable({endpoint, claims: [claim], outcome: {status}}));
				t.is(answered, status);
				t.is(await world.stores.intake.isClaimed(claim), status !== 'pipeline_error', status);
			}
		},
		'before it could end in pipeline_error it is a duplicate': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const claim = buildClaim();
			await claiming(world, endpoint, claim);
			const failing = buildAcceptable({endpoint, claims: [claim], outcome: {status: 'pipeline_error'}});
			t.is((await accept(world, failing)).status, 'duplicate');
			t.is(await world.stores.intake.isClaimed(claim), true);
		},
	},
};

export const severalClaims: WebhookContract = {
	subject: 'deduplication claims',
	cases: {
		'the first claim that is held decides where the event ends': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const [a, b] = [buildClaim({otherwise: endedAt('a')}), buildClaim({otherwise: endedAt('b')})];
			await claiming(world, endpoint, a);
			await claiming(world, endpoint, b);
			const both = buildAcceptable({endpoint, claims: [b, a]});
			await accept(world, both);
			t.is((await readEvent(world, both.event)).trace.pipeline.steps[0]?.name, 'b');
		},
		'steps before it keep their claim, steps behind it were not reached': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const [before, held, behind] = [buildClaim(), buildClaim(), buildClaim()];
			await claiming(world, endpoint, held);
			t.is(await claiming(world, endpoint, before, held, behind), 'duplicate');
			const {intake} = world.stores;
			t.deepEqual([await intake.isClaimed(before), await intake.isClaimed(behind)], [true, false]);
		},
		'an event without a claim, such as a replay, is stopped by none': async (t, world) => {
			const {endpoint} = await addOwner(world);
			await claiming(world, endpoint, buildClaim());
			t.is(await claiming(world, endpoint), 'pending');
		},
		'parallel events with claims in every order end, each with one outcome': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const [a, b] = [buildClaim(), buildClaim()];
			const statuses = await parallel(40, (index) => claiming(world, endpoint, ...(index % 2 ? [a, b] : [b, a])));
			t.deepEqual(tally(statuses), {pending: 1, duplicate: 39});
		},
		'claims that have run out are purged, up to the limit, and no others': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const kept = buildClaim({ttl_seconds: 60 * minute});
			for (const claim of [kept, ...Array.from({length: 5}, () => buildClaim({ttl_seconds: minute}))])
				await claiming(world, endpoint, claim);
			t.is(await world.stores.intake.purgeClaims(10), 0);
			await world.advance(2 * minute);
			t.deepEqual([await world.stores.intake.purgeClaims(3), await world.stores.intake.purgeClaims(3)], [3, 2]);
			t.is(await world.stores.intake.purgeClaims(3), 0);
			t.is(await world.stores.intake.isClaimed(kept), true);
		},
	},
};
