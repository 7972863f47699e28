import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Sealed} from '../values/sealed.ts';
import type {AttemptOutcome, LeasedDelivery, PlannedDelivery} from '../webhook/model/delivery.ts';
import type {EndpointRecord} from '../webhook/model/endpoint.ts';
import type {EventStatus, NewEvent, RestingStatus, WebhookEvent} from '../webhook/model/event.ts';
import type {Middleware} from '../webhook/model/middleware.ts';
import type {RoutingRule} from '../webhook/model/routing-rule.ts';
import type {CompactTrace} from '../webhook/model/trace.ts';

/** An endpoint with all that a webhook passes there, in order, inactive steps and rules left out. */
export type EndpointPipeline = Readonly<{
	endpoint: EndpointRecord;
	middlewares: readonly Middleware[];
	rules: readonly RoutingRule[];
}>;

/** Webhook endpoints. Slugs are unique. */
export type EndpointStore = Readonly<{
	/** @throws plan_limit_reached when the user already created `limit` endpoints (null: no limit), also under parallel calls. */
	create(endpoint: EndpointRecord, limit: number | null): Promise<void>;
	get(team_ids: readonly string[], id: string): Promise<EndpointRecord | undefined>;
	/** Oldest first. */
	list(team_id: string): Promise<readonly EndpointRecord[]>;
	/** Writes the record if its stored version still is `version`; the stored version becomes `version + 1`. */
	update(team_ids: readonly string[], endpoint: EndpointRecord, version: number): Promise<EndpointRecord | undefined>;
	/** With its events, deliveries, attempts, claims, middleware and rules. */
	delete(team_ids: readonly string[], id: string): Promise<boolean>;
	/** The data plane's door: the slug is the capability, so no tenant is named. One consistent reading. */
	pipelineBySlug(slug: string): Promise<EndpointPipeline | undefined>;
	/** Up to `limit` records of any tenant of which any sealed field has another master key than `kid`. For key rotation only. */
	sealedOtherwise(kid: string, limit: number): Promise<readonly EndpointRecord[]>;
	/** Replaces one sealed field if it still is `from`. For key rotation only. */
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;

/**
 * What hangs on an endpoint in an order of its own: middleware or rules. Each change raises the endpoint's version.
 * The caller has made sure that the endpoint is the tenant's.
 */
export type OrderedStore<T extends Readonly<{id: string; endpoint_id: string; sort_order: number}>> = Readonly<{
	/** `sort_order` undefined: after the last one, also under parallel calls. @throws resource_not_found without its endpoint. */
	create(item: Omit<T, 'sort_order'> & Readonly<{sort_order?: number | undefined}>): Promise<T>;
	/** By sort_order, then id. */
	list(endpoint_id: string): Promise<readonly T[]>;
	/** What `change` makes of the stored one, atomically. Undefined when it is gone. */
	update(endpoint_id: string, id: string, change: (current: T) => T): Promise<T | undefined>;
	delete(endpoint_id: string, id: string): Promise<boolean>;
	/** Numbers them 0, 1, ... in that order. Undefined when `ids` are not exactly those of the endpoint. */
	reorder(endpoint_id: string, ids: readonly string[]): Promise<readonly T[] | undefined>;
}>;

/** A value that a deduplicate step looks for, in the order of the steps. */
export type DeduplicationClaim = Readonly<{
	middleware_id: string;
	/** SHA-256 of the value. */
	digest: string;
	ttl_seconds: number;
	/** The trace when somebody was first. */
	otherwise: CompactTrace;
}>;

/** All that accepting a webhook writes. */
export type Acceptable = Readonly<{
	event: NewEvent;
	claims: readonly DeduplicationClaim[];
	/** False when the event ends in `pipeline_error`: then claims are looked at, and none is left behind. */
	keeps_claims: boolean;
	/** What becomes of it when every claim is its own. */
	outcome: Readonly<{status: RestingStatus}> | Readonly<{deliveries: readonly PlannedDelivery[]}>;
	/** Events of the user in this UTC month may not exceed it; null: no limit. */
	monthly_limit: number | null;
}>;

export type Accepted =
	| Readonly<{outcome: 'accepted'; status: EventStatus; leased: readonly LeasedDelivery[]}>
	| Readonly<{outcome: 'over_limit'}>;

/** Ids of the attempts of deliveries that are leased as they are accepted: one for each planned delivery. */
export type FirstAttempts = Readonly<{ids: readonly string[]; lease_seconds: number}>;

/** Where webhooks are accepted. */
export type Intake = Readonly<{
	/**
	 * Event, claims and deliveries, all or none; resolves when they are durable. What arrives meanwhile is written as one
	 * group; of equal claims in parallel exactly one wins. While too many bytes wait, the answer waits too.
	 * With `attempts`, what is due at once is leased to this caller in the same commit, its first attempt row written.
	 * @throws resource_not_found when the endpoint is gone; service_unavailable.
	 */
	accept(acceptable: Acceptable, attempts?: FirstAttempts): Promise<Accepted>;
	/** Whether somebody holds the claim now. Remembers nothing: for dry runs. */
	isClaimed(claim: Pick<DeduplicationClaim, 'middleware_id' | 'digest'>): Promise<boolean>;
}>;

export type EventFilter = Readonly<{
	endpoint_id?: string | undefined;
	status?: EventStatus | undefined;
	/** Inclusive. */
	from?: string | undefined;
	/** Exclusive. */
	to?: string | undefined;
}>;

/** An event as it was received, for a replay. `body` undefined: it was purged. */
export type ReceivedEvent = Omit<NewEvent, 'body' | 'trace'> & Readonly<{body: Uint8Array | undefined}>;

/** Events, newest first by created_at, then id. */
export type EventStore = Readonly<{
	/** Without attempts; bodies are cut to their first `body_chars` characters. */
	list(
		team_id: string,
		filter: EventFilter,
		page: PageRequest & Readonly<{body_chars: number}>,
	): Promise<Page<WebhookEvent>>;
	get(team_ids: readonly string[], id: string): Promise<WebhookEvent | undefined>;
	received(team_ids: readonly string[], id: string): Promise<ReceivedEvent | undefined>;
	/** Ids of all that the filter selects, oldest first, at most `limit`, after `after`. */
	ids(
		team_id: string,
		filter: EventFilter,
		page: Readonly<{after: string | null; limit: number}>,
	): Promise<readonly string[]>;
	/**
	 * Re-arms the failed deliveries of an event: due now, their retries begun anew. @returns how many; 'purged' when its
	 * body is gone.
	 */
	retry(team_ids: readonly string[], id: string): Promise<number | 'purged' | undefined>;
	/** Deletes up to `limit` events of the team that are final and older than `before`. @returns how many. */
	purge(team_id: string, before: Instant, limit: number): Promise<number>;
}>;

/** How an attempt ended, and what comes next. */
export type Settlement = Readonly<{
	delivery_id: string;
	fence: number;
	attempt: Readonly<{
		id: string;
		completed_at: Instant;
		outcome: AttemptOutcome;
		status_code: number | null;
		error_code: string | null;
		response_headers: Readonly<Record<string, string>>;
		response_body: Uint8Array;
		duration_ms: number;
	}>;
	next:
		| Readonly<{status: 'delivered' | 'failed'}>
		/** Seconds from now, by the store's clock. */
		| Readonly<{status: 'retrying'; after_seconds: number}>;
	/** For people: why it failed. */
	error: string | null;
}>;

export type LeaseRequest = Readonly<{
	limit: number;
	/** Most that may be leased at once of one destination, over all processes. */
	per_destination: number;
	lease_seconds: number;
	/** One for each that may be leased. */
	attempt_ids: readonly string[];
}>;

/** Deliveries that are due. Whether something is due, or a lease has run out, is judged by the store's clock. */
export type DeliveryStore = Readonly<{
	/**
	 * Leases due deliveries and writes their attempt rows, oldest due first but no destination before another has had its
	 * turn; one whose lease ran out is due again. Of parallel calls each gets others.
	 */
	lease(request: LeaseRequest): Promise<readonly LeasedDelivery[]>;
	/**
	 * Records how an attempt ended. False when the fence is not the last: the attempt row is completed, the delivery is
	 * left to whoever holds it. What arrives meanwhile is written as one group.
	 */
	settle(settlement: Settlement): Promise<boolean>;
	/** Gives leases back unused, their attempt rows with them: the process stops. */
	release(leases: readonly Readonly<{delivery_id: string; fence: number; attempt_id: string}>[]): Promise<void>;
	/** When the next delivery becomes due, or undefined when none waits. */
	nextDue(): Promise<Instant | undefined>;
}>;

export type MiddlewareStore = OrderedStore<Middleware>;
export type RoutingRuleStore = OrderedStore<RoutingRule> &
	Readonly<{
		/** A destination said 410: its rule gets no more. */
		disable(id: string): Promise<void>;
	}>;
