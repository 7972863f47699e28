import type {LeasedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildId} from '../builders/identity.ts';
import {buildAcceptable, buildPlannedDelivery} from '../builders/webhook.ts';
import type {Assertions} from './contract.ts';
import {pickFrom} from './pick-from.ts';
import {
	accept,
	addOwner,
	fail,
	lease,
	listEvents,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';

/** How it stands with a delivery, as its holders know. */
type Known = {
	readonly user_id: string;
	readonly destination: string;
	status: 'pending' | 'retrying' | 'delivered' | 'failed';
	attempts: number;
	/** The highest so far. */
	fence: number;
	/** Of the last lease; undefined: it was given back or settled. */
	last: LeasedDelivery | undefined;
	held: boolean;
};

type Walk = Readonly<{
	t: Assertions;
	world: WebhookWorld;
	/** Of two users. */
	endpoints: readonly [EndpointRecord, EndpointRecord];
	known: Map<string, Known>;
	/** From 0 up to, not including, `below`; the same in every run. */
	pick(below: number): number;
}>;

const destinations = ['a', 'b', 'c'];
const per_destination = 3;

const isWaiting = ({status, held}: Known): boolean => !held && (status === 'pending' || status === 'retrying');

/** How many may be leased there, but for those of a user who may have none. */
const room = (known: Walk['known'], destination: string, without: string | undefined): number => {
	const there = [...known.values()].filter((each) => each.destination === destination);
	const waiting = there.filter((each) => isWaiting(each) && each.user_id !== without);
	return Math.min(waiting.length, per_destination - there.filter(({held}) => held).length);
};

const hold = ({t, known}: Walk, leased: LeasedDelivery): void => {
	const delivery = known.get(leased.id);
	if (delivery === undefined) throw new Error('a delivery that nobody accepted was leased');
	t.is(delivery.held, false, 'leased to two at once');
	t.is(leased.fence > delivery.fence, true, 'a fence that does not rise');
	t.is(leased.attempt.number, delivery.attempts + 1);
	Object.assign(delivery, {held: true, last: leased, fence: leased.fence, attempts: delivery.attempts + 1});
};

const acceptSome = async (walk: Walk): Promise<void> => {
	const {world, endpoints, known, pick} = walk;
	const endpoint = endpoints[pick(2) === 0 ? 0 : 1];
	const deliveries = Array.from({length: 1 + pick(3)}, () =>
		buildPlannedDelivery({destination_key: destinations[pick(3)] ?? ''}),
	);
	const attempts = {ids: deliveries.map(buildId), per_destination, lease_seconds: 60};
	for (const {id, destination_key: destination} of deliveries)
		known.set(id, {
			user_id: endpoint.user_id,
			destination,
			status: 'pending',
			attempts: 0,
			fence: 0,
			last: undefined,
			held: false,
		});
	const acceptable = buildAcceptable({endpoint, outcome: {deliveries}});
	const {leased} = await accept(world, acceptable, pick(2) === 0 ? attempts : undefined);
	for (const each of leased) hold(walk, each);
};

const leaseSome = async (walk: Walk): Promise<void> => {
	const {t, world, endpoints, known, pick} = walk;
	const count = 1 + pick(4);
	const without = endpoints[pick(4)]?.user_id;
	const possible = destinations.reduce((sum, destination) => sum + room(known, destination, without), 0);
	const user_limits = without === undefined ? undefined : new Map([[without, 0]]);
	const leased = await lease(world, count, {per_destination, user_limits});
	t.is(leased.length, Math.min(count, possible));
	for (const each of leased) hold(walk, each);
};

/** Ends an attempt whose lease was the last of its delivery, whether it runs or ran out. */
const settleOne = async ({t, world, known, pick}: Walk): Promise<void> => {
	const open = [...known.values()].filter(({last}) => last !== undefined);
	const delivery = open[pick(Math.max(1, open.length))];
	if (delivery?.last === undefined) return;
	const status = (['delivered', 'retrying', 'failed'] as const)[pick(3)] ?? 'failed';
	const {last} = delivery;
	t.is(await fail(world, {...last, fence: last.fence - 1}, {status: 'failed'}), false);
	const next = status === 'retrying' ? ({status, after_seconds: 0} as const) : {status: 'failed' as const};
	t.is(await (status === 'delivered' ? succeed(world, last) : fail(world, last, next)), true);
	Object.assign(delivery, {status, held: false, last: undefined});
};

const releaseOne = async ({world, known, pick}: Walk): Promise<void> => {
	const held = [...known.values()].filter((each) => each.held);
	const delivery = held[pick(Math.max(1, held.length))];
	if (delivery?.last === undefined) return;
	const {id: delivery_id, fence, attempt} = delivery.last;
	await world.stores.deliveries.release([{delivery_id, fence, attempt_id: attempt.id}]);
	Object.assign(delivery, {held: false, last: undefined, attempts: delivery.attempts - 1});
};

/** Every lease runs out. */
const outlast = async ({world, known}: Walk): Promise<void> => {
	await world.advance(180);
	for (const delivery of known.values()) delivery.held = false;
};

const steps = [acceptSome, acceptSome, leaseSome, leaseSome, leaseSome, settleOne, settleOne, settleOne, releaseOne];

const stepOf = ({pick}: Walk) => (pick(20) === 0 ? outlast : (steps[pick(steps.length)] ?? outlast));

export const leaseWalks: WebhookContract = {
	subject: 'delivery leases',
	cases: {
		'over long walks nothing is leased twice, too often, too seldom, or lost': async (t, world) => {
			const [one, other] = [await addOwner(world), await addOwner(world)];
			const walk: Walk = {t, world, endpoints: [one.endpoint, other.endpoint], known: new Map(), pick: pickFrom(4)};
			for (let step = 0; step < 300; step += 1) await stepOf(walk)(walk);
			const told = [...walk.known].map(([id, {status, attempts}]) => `${id} ${status} ${attempts}`);
			const events = [...(await listEvents(world, one.team_id)), ...(await listEvents(world, other.team_id))];
			const kept = events.flatMap(({deliveries}) => deliveries);
			const read = kept.map(({id, status, attempt_count}) => `${id} ${status} ${attempt_count}`);
			t.deepEqual(read.toSorted(), told.toSorted());
		},
	},
};
