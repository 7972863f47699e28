import {decodeText} from '../../values/bytes-text.ts';
import type {Attempt, Delivery} from '../model/delivery.ts';
import type {NewEvent, RestingStatus, WebhookEvent} from '../model/event.ts';
import {eventStatusOf} from './event-status.ts';
import {expandTrace} from './expand-trace.ts';
import {shownHeaders} from './shown-headers.ts';

/** What a store keeps of an event, as far as it is shown. */
export type StoredEvent = Pick<
	NewEvent,
	'id' | 'endpoint_id' | 'method' | 'path' | 'query' | 'headers' | 'source_ip' | 'created_at' | 'trace'
> &
	Readonly<{
		/** Undefined: it was purged. */
		body: Uint8Array | undefined;
		/** Null: its deliveries tell. */
		resting_status: RestingStatus | null;
	}>;

export type StoredDelivery = Delivery & Readonly<{delivered_at: string | null}>;

const earliest = (instants: readonly string[]): string | null => instants.toSorted()[0] ?? null;
const latest = (instants: readonly string[]): string | null => instants.toSorted().at(-1) ?? null;

const isText = (text: string | null): text is string => text !== null;

const progressOf = (resting_status: RestingStatus | null, deliveries: readonly StoredDelivery[]) => {
	const delivery_status = resting_status ?? eventStatusOf(deliveries.map(({status}) => status));
	const retrying = deliveries.filter(({status}) => status === 'retrying');
	const delivered = deliveries.map(({delivered_at}) => delivered_at).filter(isText);
	return {
		delivery_status,
		retry_count: deliveries.reduce((sum, {attempt_count}) => sum + Math.max(0, attempt_count - 1), 0),
		next_retry_at: earliest(retrying.map(({next_attempt_at}) => next_attempt_at).filter(isText)),
		delivered_at: delivery_status === 'delivered' ? latest(delivered) : null,
	};
};

/**
 * An event as people read it.
 * @param answered The attempt of any of its deliveries that was completed last.
 */
export const showEvent = (
	{resting_status, headers, trace, ...event}: StoredEvent,
	deliveries: readonly StoredDelivery[],
	answered: Pick<Attempt, 'status_code' | 'response_body'> | undefined,
): WebhookEvent => {
	const body = event.body ?? new Uint8Array();
	return {
		...event,
		headers: shownHeaders(headers, (text) => text),
		body: decodeText(body),
		...progressOf(resting_status, deliveries),
		status_code: answered?.status_code ?? null,
		response_body: answered?.response_body ?? null,
		trace: expandTrace(trace, {headers, body}),
		deliveries: deliveries.map(({delivered_at: _, ...delivery}) => delivery),
	};
};
