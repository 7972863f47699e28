import type {Acceptable, ErrorReason, EventStatus, FirstAttempts, GrantedLease, RestingStatus} from '@signalbox/core';
import {compressedBytes} from '../compressed-bytes.ts';
import type {SqlValue} from '../sql.ts';
import {plannedDeliveries} from './deliveries.table.ts';
import {contentsWithoutBody, receivedEvents} from './events.table.ts';
import {laneKey} from './lane-key.ts';

type Tuple = readonly SqlValue[];

export type ClaimOrder = Readonly<{middleware_id: string; digest: string; ttl_seconds: number}>;

export type DeliveryOrder = Readonly<{
	id: string;
	lane_key: string;
	delay_seconds: number;
	failure: string | null;
	planned: Tuple;
}>;

/**
 * An `Acceptable` on its way to the thread that writes: what is decided there stands by itself, the rest is what the
 * statements bind. Traces are JSON. That costs a third of what it takes to move the objects.
 */
export type AcceptOrder = Readonly<{
	event: Readonly<{id: string; endpoint_id: string; user_id: string; trace: string}>;
	received: Tuple;
	/** But for the body. */
	content: Tuple;
	body: Uint8Array;
	claims: readonly (ClaimOrder & Readonly<{otherwise: string}>)[];
	outcome: Readonly<{status: RestingStatus}> | Readonly<{deliveries: readonly DeliveryOrder[]}>;
	is_counted: boolean;
	monthly_limit: number | null;
	attempts: FirstAttempts | null;
}>;

/** With all of the content as it is kept. */
export type WritableOrder = Omit<AcceptOrder, 'body'>;

/** On the thread that writes, and before anything is locked: it takes as long as a statement. */
export const writableOrder = ({body, ...order}: AcceptOrder): WritableOrder => ({
	...order,
	content: [...order.content, ...compressedBytes.write(body)],
});

/** A lease on the planned delivery with that id. */
export type Grant = Readonly<{delivery_id: string; lease: GrantedLease}>;

/** What became of an order. */
export type OrderOutcome =
	| Readonly<{outcome: 'accepted'; status: EventStatus; grants: readonly Grant[]; events_this_month: number}>
	| Readonly<{outcome: 'over_limit'}>
	| Readonly<{outcome: 'refused'; reason: ErrorReason}>;

const contentTuple = ({id, headers, processed}: Acceptable['event']): Tuple =>
	contentsWithoutBody.tuple({id, headers, processed_headers: processed.headers, processed_body: processed.body});

const outcomeOrder = ({event, outcome}: Acceptable): AcceptOrder['outcome'] => {
	if ('status' in outcome) return outcome;
	const deliveries = outcome.deliveries.map((planned) => {
		const {id, destination_key, delay_seconds, failure} = planned;
		const lane = {destination_key, user_id: event.user_id};
		const tuple = plannedDeliveries.tuple({...planned, event_id: event.id, lane});
		return {id, lane_key: laneKey(lane), delay_seconds, failure, planned: tuple};
	});
	return {deliveries};
};

export const acceptOrder = (acceptable: Acceptable, attempts: FirstAttempts | undefined): AcceptOrder => {
	const {event, claims, is_counted, monthly_limit} = acceptable;
	const {id, endpoint_id, user_id, trace} = event;
	return {
		event: {id, endpoint_id, user_id, trace: JSON.stringify(trace)},
		received: receivedEvents.tuple(event),
		content: contentTuple(event),
		body: event.body,
		claims: claims.map(({otherwise, ...claim}) => ({...claim, otherwise: JSON.stringify(otherwise)})),
		outcome: outcomeOrder(acceptable),
		is_counted,
		monthly_limit,
		attempts: attempts ?? null,
	};
};
