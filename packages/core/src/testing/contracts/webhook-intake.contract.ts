import type {FirstAttempts} from '../../ports/index.ts';
import type {PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {RestingStatus} from '../../webhook/model/event.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildClaim, buildEvent, buildPlannedDelivery} from '../builders/webhook.ts';
import {
	accept,
	addEndpoint,
	addEvent,
	addOwner,
	lease,
	listEvents,
	readEvent,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {idsOf, parallel, reasonOf, tally} from './world.ts';

const deliveriesFor = (...fields: readonly Partial<PlannedDelivery>[]) => ({
	deliveries: fields.map(buildPlannedDelivery),
});

const unsendable = {failure: 'The template of the rule fails: undefined variable'};

export const accepting: WebhookContract = {
	subject: 'intake',
	cases: {
		'an accepted event can be read with its deliveries at once, also among many': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const acceptOne = async () => {
				const outcome = deliveriesFor({name: 'first'}, {name: 'second'});
				const {event} = buildAcceptable({endpoint});
				await accept(world, buildAcceptable({endpoint, event, outcome}));
				const {deliveries, ...read} = await readEvent(world, event);
				return [read.id === event.id, ...deliveries.map(({name}) => name)].join();
			};
			t.deepEqual(tally(await parallel(60, acceptOne)), {'true,first,second': 60});
		},
		'its status is pending while something waits, else failed, or where it rests': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const statusWith = async (outcome: ReturnType<typeof deliveriesFor> | Readonly<{status: RestingStatus}>) =>
				(await accept(world, buildAcceptable({endpoint, outcome}))).status;
			t.is(await statusWith(deliveriesFor({}, unsendable)), 'pending');
			t.is(await statusWith(deliveriesFor({delay_seconds: 60})), 'pending');
			t.is(await statusWith(deliveriesFor(unsendable)), 'failed');
			for (const status of ['filtered', 'duplicate', 'unmatched', 'pipeline_error'] as const)
				t.is(await statusWith({status}), status);
		},
		'an endpoint that is gone accepts nothing, not even a count or a claim': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const gone = {...endpoint, id: buildId()};
			const claims = [buildClaim()];
			const orphan = buildAcceptable({endpoint: gone, claims});
			const others = [buildAcceptable({endpoint}), orphan, buildAcceptable({endpoint})];
			const answers = await Promise.all(others.map((each) => reasonOf(world.stores.intake.accept(each))));
			t.deepEqual(answers, ['resolved', 'resource_not_found', 'resolved']);
			t.is(await world.stores.intake.isClaimed(claims[0] ?? buildClaim()), false);
			t.is((await accept(world, buildAcceptable({endpoint}))).events_this_month, 3);
			t.is((await lease(world, 10)).length, 3);
		},
		'an event is accepted once, and a second time nothing of it': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const first = buildAcceptable({endpoint});
			const claim = buildClaim();
			const again = {...first, claims: [claim], outcome: deliveriesFor({})};
			await accept(world, first);
			t.is(await reasonOf(world.stores.intake.accept(again)), 'resource_exists');
			t.is(await world.stores.intake.isClaimed(claim), false);
			t.is((await readEvent(world, first.event)).deliveries.length, 1);
			t.is((await accept(world, buildAcceptable({endpoint}))).events_this_month, 2);
		},
	},
};

const withLimit = (world: WebhookWorld, endpoint: EndpointRecord, monthly_limit: number | null) =>
	world.stores.intake.accept(buildAcceptable({endpoint, monthly_limit}));

export const countingEvents: WebhookContract = {
	subject: 'intake',
	cases: {
		'each event of a user is counted once, over all endpoints and whatever becomes of it': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const team = await world.addTeam(owner);
			const other = await addEndpoint(world, {user_id: owner.user_id, team_id: team.id});
			const {endpoint: foreign} = await addOwner(world);
			const acceptOne = (index: number) => {
				const resting = {outcome: {status: 'filtered'}} as const;
				return accept(world, buildAcceptable({endpoint: index % 2 ? endpoint : other, ...(index % 3 && resting)}));
			};
			const counts = (await parallel(20, acceptOne)).map(({events_this_month}) => events_this_month);
			t.deepEqual(
				counts.toSorted((a, b) => a - b),
				Array.from({length: 20}, (_, index) => index + 1),
			);
			t.is((await accept(world, buildAcceptable({endpoint: foreign}))).events_this_month, 1);
		},
		'the limit may be reached, and what is over it leaves nothing': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			for (const count of [1, 2]) {
				const answer = await withLimit(world, endpoint, 2);
				t.is(answer.outcome === 'accepted' && answer.events_this_month, count);
			}
			const claim = buildClaim();
			const late = buildAcceptable({endpoint, claims: [claim], monthly_limit: 2});
			t.deepEqual(await world.stores.intake.accept(late), {outcome: 'over_limit'});
			t.is(await world.stores.intake.isClaimed(claim), false);
			t.is((await listEvents(world, team_id)).length, 2);
			t.is((await accept(world, buildAcceptable({endpoint, monthly_limit: null}))).events_this_month, 3);
		},
		'what is refused of one user is given back to nobody else': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			for (const {endpoint} of [one, other]) await withLimit(world, endpoint, 1);
			t.is((await withLimit(world, one.endpoint, 1)).outcome, 'over_limit');
			t.is((await accept(world, buildAcceptable({endpoint: other.endpoint}))).events_this_month, 2);
		},
		'what is not counted uses up nothing, and is never too much': async (t, world) => {
			const {endpoint} = await addOwner(world);
			await withLimit(world, endpoint, 2);
			const uncounted = () => accept(world, buildAcceptable({endpoint, is_counted: false}));
			await uncounted();
			await parallel(3, uncounted);
			const answer = await withLimit(world, endpoint, 2);
			t.is(answer.outcome === 'accepted' && answer.events_this_month, 2);
			await uncounted();
			t.is((await withLimit(world, endpoint, 2)).outcome, 'over_limit');
		},
		'parallel events never exceed it': async (t, world) => {
			const {endpoint, team_id} = await addOwner(world);
			const outcomes = await parallel(40, async () => (await withLimit(world, endpoint, 7)).outcome);
			t.deepEqual(tally(outcomes), {accepted: 7, over_limit: 33});
			t.is((await listEvents(world, team_id)).length, 7);
		},
		'a month by the clock of the store begins anew, whatever the event says': async (t, world) => {
			const {endpoint} = await addOwner(world);
			await withLimit(world, endpoint, 1);
			const event = {created_at: '2031-05-01T00:00:00.000Z'};
			t.is(
				(await world.stores.intake.accept(buildAcceptable({endpoint, event, monthly_limit: 1}))).outcome,
				'over_limit',
			);
			await world.advance(32 * 24 * 3600);
			t.is((await withLimit(world, endpoint, 1)).outcome, 'accepted');
		},
		'an endpoint that is deleted gives nothing back': async (t, world) => {
			const {endpoint, ...owner} = await addOwner(world);
			const other = await addEndpoint(world, owner);
			await withLimit(world, endpoint, 1);
			await world.stores.endpoints.delete(owner.team_ids, endpoint.id);
			t.is((await withLimit(world, other, 1)).outcome, 'over_limit');
		},
	},
};

const attemptsFor = (count: number, fields: Partial<FirstAttempts> = {}): FirstAttempts => ({
	ids: Array.from({length: count}, buildId),
	per_destination: 10,
	lease_seconds: 60,
	...fields,
});

const to = (destination_key: string, fields: Partial<PlannedDelivery> = {}): Partial<PlannedDelivery> => ({
	destination_key,
	...fields,
});

/** Accepts one event with first attempts for each of its deliveries; answers who of them was leased. */
const acceptAndLease = async (
	world: WebhookWorld,
	endpoint: EndpointRecord,
	[fields, limits]: readonly [fields: readonly Partial<PlannedDelivery>[], limits?: Partial<FirstAttempts>],
) => {
	const outcome = deliveriesFor(...fields);
	const attempts = attemptsFor(fields.length, limits);
	const {leased} = await accept(world, buildAcceptable({endpoint, outcome}), attempts);
	return leased.map(({name}) => name);
};

export const firstAttempts: WebhookContract = {
	subject: 'intake',
	cases: {
		'what is due at once can be leased as it is accepted, its attempt written': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const planned = buildPlannedDelivery({rule_id: buildId(), headers_override: {'X-A': '{{env.A}}'}});
			const event = buildEvent({endpoint});
			const attempts = attemptsFor(1);
			const acceptable = buildAcceptable({endpoint, event, outcome: {deliveries: [planned]}});
			const {leased, status} = await accept(world, acceptable, attempts);
			const {delay_seconds: _, failure: __, ...known} = planned;
			const started_at = leased[0]?.attempt.started_at ?? '';
			t.deepEqual(leased, [
				{
					...known,
					event_id: event.id,
					endpoint_id: endpoint.id,
					team_id: endpoint.team_id,
					user_id: endpoint.user_id,
					event: {
						method: event.method,
						headers: event.headers.map(([name, text]) => [name, {text, references: []}]),
						body: {bytes: event.body, references: []},
					},
					fence: leased[0]?.fence,
					retries: 0,
					attempt: {id: attempts.ids[0], number: 1, started_at},
				},
			]);
			t.is(status, 'pending');
			const [delivery] = (await readEvent(world, event)).deliveries;
			t.deepEqual(
				delivery?.attempts.map(({id, number, outcome, completed_at}) => [id, number, outcome, completed_at]),
				[[attempts.ids[0], 1, 'unknown', null]],
			);
			t.is(delivery?.attempt_count, 1);
			t.deepEqual(await lease(world, 10), []);
			await world.advance(120);
			t.deepEqual(idsOf(await lease(world, 10)), [planned.id]);
		},
		'what is delayed, or cannot be sent, is not': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const fields = [{name: 'late', delay_seconds: 60}, {name: 'now'}, {name: 'never', ...unsendable}];
			t.deepEqual(await acceptAndLease(world, endpoint, [fields]), ['now']);
			t.deepEqual(await lease(world, 10), []);
		},
		'a destination is not leased more often than it may, also by parallel events': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const fields = [to('a', {name: 'a1'}), to('b', {name: 'b1'}), to('a', {name: 'a2'}), to('a', {name: 'a3'})];
			t.deepEqual(await acceptAndLease(world, endpoint, [fields, {per_destination: 2}]), ['a1', 'b1', 'a2']);
			const more = await parallel(20, () => acceptAndLease(world, endpoint, [[to('c')], {per_destination: 3}]));
			t.is(more.flat().length, 3);
			const rest = await lease(world, 100, {per_destination: 3});
			t.deepEqual(
				rest.map(({name}) => name),
				['a3'],
			);
		},
		'whoever holds every lease of a destination may have more there, where it says so': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const limits = {per_destination: 1, ahead: {holder: 'one', destinations: ['a', 'c'], limit: 3}};
			const fields = ['a', 'a', 'b', 'b', 'a', 'a'].map((name) => to(name, {name}));
			t.deepEqual(await acceptAndLease(world, endpoint, [fields, limits]), ['a', 'a', 'b', 'a']);
			const other = {...limits, ahead: {...limits.ahead, holder: 'other'}};
			t.deepEqual(await acceptAndLease(world, endpoint, [[to('c', {name: 'c'})], other]), ['c']);
			t.deepEqual(await acceptAndLease(world, endpoint, [[to('c')], limits]), []);
		},
		'nobody goes before those that wait already for the same destination': async (t, world) => {
			const {endpoint} = await addOwner(world);
			await addEvent(world, endpoint, {deliveries: [to('a')]});
			await addEvent(world, endpoint, {deliveries: [to('b', {delay_seconds: 3600})]});
			const fields = [to('a', {name: 'a'}), to('b', {name: 'b'})];
			t.deepEqual(await acceptAndLease(world, endpoint, [fields]), ['b']);
			await lease(world, 10);
			t.deepEqual(await acceptAndLease(world, endpoint, [fields]), ['a', 'b']);
		},
		'without first attempts nothing is leased': async (t, world) => {
			const {endpoint} = await addOwner(world);
			t.deepEqual((await accept(world, buildAcceptable({endpoint}))).leased, []);
			t.is((await lease(world, 10)).length, 1);
		},
	},
};
