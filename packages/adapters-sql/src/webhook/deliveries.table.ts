import type {Attempt, DeliveryStatus, PlannedDelivery} from '@signalbox/core';
import {
	bytes,
	type Codec,
	type Codecs,
	defineTable,
	flag,
	inColumn,
	instant,
	json,
	nullable,
	number,
	text,
} from '../table.ts';
import {referencingBytes} from './events.table.ts';
import {type LaneName, laneKey, readLaneKey} from './lane-key.ts';

/** A delivery as it was planned, and stays. */
export type PlannedDeliveryRow = Omit<PlannedDelivery, 'delay_seconds' | 'destination_key'> &
	Readonly<{event_id: string; lane: LaneName}>;

/** How far a delivery got. */
export type DeliveryState = Readonly<{
	status: DeliveryStatus;
	due_at: string | null;
	leased: boolean;
	/** Whose the lease is, or the last one was, where they said. */
	leased_by: string | null;
	/** When it may be leased: once it is due, or the lease on it has run out. Null: never again. */
	available_at: string | null;
	fence: number;
	attempt_count: number;
	/** Attempts since it was accepted or armed again. */
	armed_attempts: number;
	last_status_code: number | null;
	last_error: string | null;
	delivered_at: string | null;
}>;

const lane: Codec<LaneName> = {
	columns: (field) => [field],
	write: (name) => [laneKey(name)],
	read: ([key]) => readLaneKey(String(key)),
};

const planned: Codecs<PlannedDeliveryRow> = {
	id: text(),
	event_id: text(),
	lane: inColumn('destination_key', lane),
	rule_id: nullable(text()),
	name: text(),
	url: text(),
	headers_override: json(),
	retry_config: json(),
	failure: nullable(text()),
	body: nullable(referencingBytes),
};

const state: Codecs<DeliveryState> = {
	status: text(),
	due_at: nullable(instant),
	leased: flag,
	leased_by: nullable(text()),
	available_at: nullable(instant),
	fence: number,
	attempt_count: number,
	armed_attempts: number,
	last_status_code: nullable(number),
	last_error: nullable(text()),
	delivered_at: nullable(instant),
};

export const plannedDeliveries = defineTable<PlannedDeliveryRow>('webhook_deliveries', planned);
export const deliveryStates = defineTable<DeliveryState>('webhook_deliveries', state);

/** The state first: a tuple is that of `deliveryStates`, and then that of `plannedDeliveries`. */
export const deliveries = defineTable<DeliveryState & PlannedDeliveryRow>('webhook_deliveries', {...state, ...planned});

/** What a list shows of a delivery. */
export type ShownDelivery = DeliveryState & Pick<PlannedDeliveryRow, 'id' | 'event_id' | 'rule_id' | 'name' | 'url'>;

export const shownDeliveries = defineTable<ShownDelivery>('webhook_deliveries', {
	...state,
	id: planned.id,
	event_id: planned.event_id,
	rule_id: planned.rule_id,
	name: planned.name,
	url: planned.url,
});

/** How an attempt ended. */
export type AttemptEnd = Omit<Attempt, 'id' | 'delivery_id' | 'number' | 'started_at' | 'response_body'> &
	Readonly<{response_body: Uint8Array}>;
export type AttemptRow = Omit<Attempt, 'response_body'> & AttemptEnd;

const endWithoutBody: Codecs<Omit<AttemptEnd, 'response_body'>> = {
	completed_at: nullable(instant),
	outcome: text(),
	status_code: nullable(number),
	error_code: nullable(text()),
	response_headers: json(),
	duration_ms: nullable(number),
};

const withoutBody: Codecs<Omit<AttemptRow, 'response_body'>> = {
	delivery_id: text(),
	id: text(),
	number,
	started_at: instant,
	...endWithoutBody,
};

export const attemptEnds = defineTable<AttemptEnd>('webhook_attempts', {...endWithoutBody, response_body: bytes});
export const attemptsWithoutBody = defineTable('webhook_attempts', withoutBody);
export const attempts = defineTable<AttemptRow>('webhook_attempts', {...withoutBody, response_body: bytes});
