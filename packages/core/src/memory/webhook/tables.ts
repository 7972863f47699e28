import type {Instant} from '../../values/instant.ts';
import type {Attempt, DeliveryStatus, PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {NewEvent, RestingStatus} from '../../webhook/model/event.ts';
import type {Middleware} from '../../webhook/model/middleware.ts';
import type {RoutingRule} from '../../webhook/model/routing-rule.ts';

export type ClaimRow = Readonly<{endpoint_id: string; expires_at: Instant}>;

export type EventRow = Omit<NewEvent, 'body'> &
	Readonly<{body: Uint8Array | undefined; resting_status: RestingStatus | null}>;

export type DeliveryRow = Readonly<{
	id: string;
	event_id: string;
	planned: PlannedDelivery;
	status: DeliveryStatus;
	/** Null once it is delivered or failed. */
	due_at: Instant | null;
	/** Null: nobody holds it. */
	leased_until: Instant | null;
	/** Whose lease it is, or was last, where they said. */
	leased_by: string | null;
	fence: number;
	attempt_count: number;
	/** Attempts since it was accepted or armed again. */
	armed_attempts: number;
	last_status_code: number | null;
	last_error: string | null;
	delivered_at: Instant | null;
}>;

/** The tables of webhooks, by id where nothing else is said. */
export type WebhookTables = Readonly<{
	endpoints: Map<string, EndpointRecord>;
	middlewares: Map<string, Middleware>;
	routingRules: Map<string, RoutingRule>;
	/** By `compositeKey(middleware_id, digest)`. */
	claims: Map<string, ClaimRow>;
	/** How many, by `compositeKey(user_id, month)`. */
	eventCounts: Map<string, number>;
	webhookEvents: Map<string, EventRow>;
	deliveries: Map<string, DeliveryRow>;
	attempts: Map<string, Attempt>;
}>;

export const createWebhookTables = (): WebhookTables => ({
	endpoints: new Map(),
	middlewares: new Map(),
	routingRules: new Map(),
	claims: new Map(),
	eventCounts: new Map(),
	webhookEvents: new Map(),
	deliveries: new Map(),
	attempts: new Map(),
});
