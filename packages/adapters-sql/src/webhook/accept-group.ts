import {
	type DeliveryStatus,
	decideAcceptance,
	eventStatusOf,
	type FirstAttempts,
	mostLeases,
	plusSeconds,
	type RestingStatus,
} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {ofTuples} from '../table.ts';
import {type AcceptFacts, claimKey, giveBack, readFacts} from './accept-facts.ts';
import type {ClaimOrder, DeliveryOrder, Grant, OrderOutcome, WritableOrder} from './accept-order.ts';
import {type AttemptRow, attempts, type DeliveryState, deliveries, deliveryStates} from './deliveries.table.ts';
import {eventContents, webhookEvents} from './events.table.ts';
import {claims} from './intake.table.ts';
import {startLinkedChains} from './triggered-chains.ts';

type PlacedDelivery = Readonly<{order: DeliveryOrder; state: DeliveryState; grant: Grant | null}>;

/** All that an order writes. */
type Entry = Readonly<{
	order: WritableOrder;
	status: RestingStatus | DeliveryStatus;
	/** Null: it is delivered. */
	resting_status: RestingStatus | null;
	trace: string;
	claims: readonly ClaimOrder[];
	deliveries: readonly PlacedDelivery[];
	events_this_month: number;
}>;

type Judged = Entry | Exclude<OrderOutcome, Readonly<{outcome: 'accepted'}>>;

const isEntry = (judged: Judged): judged is Entry => !('outcome' in judged);

export const newAttempt = (delivery_id: string, {attempt}: Grant['lease']): AttemptRow => ({
	delivery_id,
	...attempt,
	completed_at: null,
	outcome: 'unknown',
	status_code: null,
	error_code: null,
	response_headers: {},
	duration_ms: null,
	response_body: new Uint8Array(),
});

const unleased = ({delay_seconds, failure}: DeliveryOrder, now: string): DeliveryState => {
	const due_at = failure === null ? plusSeconds(now, delay_seconds) : null;
	return {
		status: failure === null ? 'pending' : 'failed',
		due_at,
		leased: false,
		leased_by: null,
		available_at: due_at,
		fence: 0,
		attempt_count: 0,
		armed_attempts: 0,
		last_status_code: null,
		last_error: failure,
		delivered_at: null,
	};
};

/** Leases what is due at once, unless its destination is busy or something waits there; what is left waits there itself. */
const place = (
	order: DeliveryOrder,
	attempt: (Omit<FirstAttempts, 'ids'> & Readonly<{id: string}>) | undefined,
	{now, lanes}: AcceptFacts,
): PlacedDelivery => {
	const state = unleased(order, now);
	const lane = lanes.get(order.lane_key);
	if (lane === undefined || state.due_at !== now) return {order, state, grant: null};
	const {destination} = lane;
	if (attempt === undefined || lane.waits || destination.leased >= mostLeases(attempt, destination)) {
		lane.waits = true;
		return {order, state, grant: null};
	}
	destination.leased += 1;
	const {id, lease_seconds, ahead} = attempt;
	if (ahead !== undefined) destination.own += 1;
	const leased = {leased: true, leased_by: ahead?.holder ?? null, available_at: plusSeconds(now, lease_seconds)};
	const lease = {fence: 1, retries: 0, attempt: {id, number: 1, started_at: now}};
	return {
		order,
		state: {...state, ...leased, fence: 1, attempt_count: 1, armed_attempts: 1},
		grant: {delivery_id: order.id, lease},
	};
};

const judge = (order: WritableOrder, facts: AcceptFacts): Judged => {
	const {event, is_counted, monthly_limit, attempts: first} = order;
	if (!facts.endpoints.has(event.endpoint_id)) return {outcome: 'refused', reason: 'resource_not_found'};
	const events_this_month = (facts.counts.get(event.user_id) ?? 0) + (is_counted ? 1 : 0);
	if (monthly_limit !== null && events_this_month > monthly_limit) return {outcome: 'over_limit'};
	facts.counts.set(event.user_id, events_this_month);
	const decided = decideAcceptance<string, ClaimOrder, DeliveryOrder>(order, (claim) =>
		facts.held.has(claimKey(claim)),
	);
	for (const claim of decided.claims) facts.held.add(claimKey(claim));
	const placed = decided.deliveries.map((delivery, index) => {
		const id = first?.ids[index];
		return place(delivery, first === null || id === undefined ? undefined : {...first, id}, facts);
	});
	const status = decided.status ?? eventStatusOf(placed.map(({state}) => state.status));
	return {
		order,
		status,
		resting_status: decided.status,
		trace: decided.trace,
		claims: decided.claims,
		deliveries: placed,
		events_this_month,
	};
};

const takeClaims = async (transaction: Transaction, entries: readonly Entry[], now: string): Promise<void> => {
	const rows = entries.flatMap((entry) =>
		entry.claims.map(({middleware_id, digest, ttl_seconds}) => {
			const {endpoint_id} = entry.order.event;
			return {middleware_id, digest, endpoint_id, expires_at: plusSeconds(now, ttl_seconds)};
		}),
	);
	if (rows.length === 0) return;
	// The row may be left of somebody whose time is over.
	const sets = ['endpoint_id', 'expires_at'];
	await transaction.later(
		transaction.dialect.setOrInsert({key: ['middleware_id', 'digest'], sets, insert: claims.insert(rows)}),
	);
};

const writeEntries = async (transaction: Transaction, entries: readonly Entry[], now: string): Promise<void> => {
	await transaction.insert(
		ofTuples(webhookEvents),
		entries.map(({order, status}) => [status, ...order.received]),
	);
	await transaction.insert(
		ofTuples(eventContents),
		entries.map(({order, trace}) => [trace, ...order.content]),
	);
	await takeClaims(transaction, entries, now);
	const placed = entries.flatMap((entry) => entry.deliveries);
	await transaction.insert(
		ofTuples(deliveries),
		placed.map(({order, state}) => [...deliveryStates.tuple(state), ...order.planned]),
	);
	const grants = placed.flatMap(({grant}) => grant ?? []);
	await transaction.insert(
		attempts,
		grants.map(({delivery_id, lease}) => newAttempt(delivery_id, lease)),
	);
};

/** Most endpoints have no chains: then there is nothing to look up. */
const trigger = async (transaction: Transaction, entries: readonly Entry[], {linked}: AcceptFacts): Promise<void> => {
	const triggering = entries.filter(({order}) => linked.has(order.event.endpoint_id));
	if (triggering.length === 0) return;
	await startLinkedChains(
		transaction,
		triggering.map(({order: {event}, resting_status}) => {
			const {id: event_id, endpoint_id} = event;
			return {event_id, endpoint_id, resting_status};
		}),
	);
};

const isOverLimit = (judged: Judged | undefined): boolean =>
	judged !== undefined && !isEntry(judged) && judged.outcome === 'over_limit';

const outcomeOf = (judged: Judged): OrderOutcome => {
	if (!isEntry(judged)) return judged;
	const {status, events_this_month} = judged;
	const grants = judged.deliveries.flatMap(({grant}) => grant ?? []);
	return {outcome: 'accepted', status, grants, events_this_month};
};

/**
 * Accepts webhooks in their order, each seeing what those before it did. Fails as a whole when one cannot be written: an
 * event that is stored already.
 */
export const acceptGroup = async (
	transaction: Transaction,
	orders: readonly WritableOrder[],
): Promise<readonly OrderOutcome[]> => {
	const facts = await readFacts(transaction, orders);
	if (facts === undefined) return orders.map(() => ({outcome: 'refused', reason: 'resource_not_found'}));
	const judged = orders.map((order) => judge(order, facts));
	await giveBack(
		transaction,
		orders.filter((_, index) => isOverLimit(judged[index])),
		facts.month,
	);
	const entries = judged.filter(isEntry);
	await writeEntries(transaction, entries, facts.now);
	await trigger(transaction, entries, facts);
	return judged.map(outcomeOf);
};
