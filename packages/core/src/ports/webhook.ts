import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Retention} from '../values/retention.ts';
import type {Sealed} from '../values/sealed.ts';
import type {Acceptable, DeduplicationClaim} from '../webhook/model/acceptable.ts';
import type {AttemptOutcome, LeasedDelivery} from '../webhook/model/delivery.ts';
import type {EndpointRecord} from '../webhook/model/endpoint.ts';
import type {EventStatus, NewEvent, WebhookEvent} from '../webhook/model/event.ts';
import type {Middleware} from '../webhook/model/middleware.ts';
import type {RoutingRule} from '../webhook/model/routing-rule.ts';

/** An endpoint with all that a webhook passes there, in order, inactive steps and rules left out. */
export type EndpointPipeline = Readonly<{
	endpoint: EndpointRecord;
	middlewares: readonly Middleware[];
	rules: readonly RoutingRule[];
}>;

/** Webhook endpoints. Slugs are unique. */
export type EndpointStore = Readonly<{
	/**
	 * @throws plan_limit_reached when the user already created `limit` endpoints (null: no limit; none for notices counts);
	 * resource_exists for one for notices when the team has one. Both also under parallel calls.
	 */
	create(endpoint: EndpointRecord, limit: number | null): Promise<void>;
	get(team_ids: readonly string[], id: string): Promise<EndpointRecord | undefined>;
	/** Those that take webhooks in, or the one for notices. Oldest first. */
	list(team_id: string, purpose?: 'intake' | 'notices'): Promise<readonly EndpointRecord[]>;
	/** Writes the record if its stored version still is `version`; the stored version becomes `version + 1`. */
	update(team_ids: readonly string[], endpoint: EndpointRecord, version: number): Promise<EndpointRecord | undefined>;
	/** With its events, deliveries, attempts, claims, middleware and rules. */
	delete(team_ids: readonly string[], id: string): Promise<boolean>;
	/**
	 * The data plane's door: the slug is the capability, so no tenant is named. One consistent reading.
	 * @param known What an earlier call answered. Answered again, the same object, while the endpoint still has that id and
	 * version: then its middleware and rules are not read.
	 */
	pipelineBySlug(slug: string, known?: EndpointPipeline): Promise<EndpointPipeline | undefined>;
	/** Up to `limit` records of any tenant of which any sealed field has another master key than `kid`. For key rotation only. */
	sealedOtherwise(kid: string, limit: number): Promise<readonly EndpointRecord[]>;
	/**
	 * Replaces the one sealed field, whichever it is, that still is `from`, which makes a new version: an update that is under
	 * way must not put the old one back. For key rotation only.
	 */
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;

/** What hangs on an endpoint in an order of its own. */
type Ordered = Readonly<{id: string; endpoint_id: string; sort_order: number}>;

/** One that may not have its place yet. */
export type Unordered<T extends Ordered> = T extends unknown
	? Omit<T, 'sort_order'> & Readonly<{sort_order?: number | undefined}>
	: never;

/**
 * Middleware or rules. Each change raises the endpoint's version by one. The caller has made sure that the endpoint is the
 * tenant's.
 */
export type OrderedStore<T extends Ordered> = Readonly<{
	/**
	 * Without a `sort_order`: after the last one. @throws conflict when its endpoint has `most` already (default: no limit),
	 * resource_not_found without its endpoint. All of it also under parallel calls.
	 */
	create(item: Unordered<T>, most?: number): Promise<T>;
	/** By sort_order, then id. */
	list(endpoint_id: string): Promise<readonly T[]>;
	/**
	 * What `change` makes of the stored one, atomically; it may be asked more than once. When it answers what it was given,
	 * nothing is written, and when it throws neither. Undefined when there is none.
	 */
	update(endpoint_id: string, id: string, change: (current: T) => T): Promise<T | undefined>;
	delete(endpoint_id: string, id: string): Promise<boolean>;
	/** Numbers them 0, 1, ... in that order. Undefined when `ids` are not exactly those of the endpoint. */
	reorder(endpoint_id: string, ids: readonly string[]): Promise<readonly T[] | undefined>;
}>;

export type MiddlewareStore = OrderedStore<Middleware>;
export type RoutingRuleStore = OrderedStore<RoutingRule>;

export type Accepted =
	| Readonly<{
			outcome: 'accepted';
			status: EventStatus;
			leased: readonly LeasedDelivery[];
			/** Counted events of the user in this UTC month, this one included: each number is answered once. No figure where it is not counted. */
			events_this_month: number;
	  }>
	| Readonly<{outcome: 'over_limit'}>;

/**
 * What a caller may lease beyond `per_destination`, who itself sees to it that no more than that are sent to a destination
 * at once: a lease lasts from one commit to another, of which the sending is a part only.
 */
export type LeasesAhead = Readonly<{
	/** The caller: one process, by an id of its own. Its leases are on record as held by it. */
	holder: string;
	/** Each of these may have `limit` leases, while every lease of that destination is this holder's. */
	destinations: readonly string[];
	limit: number;
}>;

/** For deliveries that are to be leased as they are accepted. */
export type FirstAttempts = Readonly<{
	/** Of the attempts: one for each planned delivery, in their order. Those that are left over are not leased. */
	ids: readonly string[];
	per_destination: number;
	ahead?: LeasesAhead | undefined;
	lease_seconds: number;
}>;

/** Where webhooks are accepted. */
export type Intake = Readonly<{
	/**
	 * Event, count, claims and deliveries, all or none; resolves when they are durable. What arrives meanwhile is written as
	 * one group; of equal claims in parallel exactly one wins. While too many bytes wait, the answer waits too.
	 *
	 * The first claim that somebody holds makes the event a `duplicate` that ends there: it takes the claims before that
	 * one, and keeps the time of the holder. One that ends in `pipeline_error` leaves no claim behind.
	 *
	 * With `attempts`, what is due at once is leased to this caller in the same commit, its first attempt row written:
	 * unless its destination has `per_destination` leases already (or what `ahead` allows), or something due of the same user
	 * waits there.
	 * @throws resource_not_found when the endpoint is gone; resource_exists when the event is; service_unavailable.
	 */
	accept(acceptable: Acceptable, attempts?: FirstAttempts): Promise<Accepted>;
	/** Whether somebody holds the claim now. Remembers nothing: for dry runs. */
	isClaimed(claim: Pick<DeduplicationClaim, 'middleware_id' | 'digest'>): Promise<boolean>;
	/** Deletes up to `limit` claims that have run out. @returns how many. */
	purgeClaims(limit: number): Promise<number>;
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
export type ReceivedEvent = Omit<NewEvent, 'body' | 'processed' | 'trace'> & Readonly<{body: Uint8Array | undefined}>;

/** Where an event stands among others. */
export type EventKey = Readonly<{id: string; created_at: Instant}>;

/** Events. */
export type EventStore = Readonly<{
	/**
	 * Newest first by created_at, then id. Without attempts; every body, those of the trace and `response_body` too, is cut
	 * to its first `body_chars` characters (code points).
	 */
	list(
		team_id: string,
		filter: EventFilter,
		page: PageRequest & Readonly<{body_chars: number}>,
	): Promise<Page<WebhookEvent>>;
	get(team_ids: readonly string[], id: string): Promise<WebhookEvent | undefined>;
	received(team_ids: readonly string[], id: string): Promise<ReceivedEvent | undefined>;
	/** All that the filter selects, oldest first, at most `limit`, after `after`: the last one answered leads on. */
	keys(
		team_id: string,
		filter: EventFilter,
		page: Readonly<{after: EventKey | null; limit: number}>,
	): Promise<readonly EventKey[]>;
	/**
	 * Re-arms the failed deliveries of an event: `retrying`, due now, their retries begun anew. One that could not be planned
	 * stays failed: there is nothing to send. @returns how many; 'purged' when its body is gone.
	 */
	retry(team_ids: readonly string[], id: string): Promise<number | 'purged' | undefined>;
	/**
	 * Deletes up to `limit` events of any tenant that are older than the plan of their user keeps them, by the store's clock,
	 * and have no live delivery: for upkeep only. @returns how many.
	 */
	purge(retention: Retention, limit: number): Promise<number>;
	/** Drops only the bodies of those events, received, made and answered. @returns how many lost any. */
	purgeBodies(retention: Retention, limit: number): Promise<number>;
}>;

/** How an attempt ended, by the store's clock just now, and what comes next. */
export type Settlement = Readonly<{
	delivery_id: string;
	fence: number;
	attempt: Readonly<{
		id: string;
		outcome: Exclude<AttemptOutcome, 'unknown'>;
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
	/** For people: why it failed; null when it did not. */
	error: string | null;
}>;

export type LeaseRequest = Readonly<{
	/** One for each delivery that may be leased. */
	attempt_ids: readonly string[];
	/** Most that may be leased at once of one destination, over all processes. */
	per_destination: number;
	ahead?: LeasesAhead | undefined;
	/** Most that these users get of this call, 0 included: what else is due of theirs is passed over. Others: no limit. */
	user_limits?: ReadonlyMap<string, number> | undefined;
	lease_seconds: number;
}>;

/** What a holder gives back. */
export type Lease = Readonly<{delivery_id: string; fence: number; attempt_id: string}>;

/** Deliveries that are due. Whether something is due, or a lease has run out, is judged by the store's clock. */
export type DeliveryStore = Readonly<{
	/**
	 * To be called by a process before it leases, once. When the store knows that no other process that called it still
	 * lives, every lease runs out: whoever held it is dead. @returns how many. Otherwise they run out in their time.
	 */
	recover(): Promise<number>;
	/**
	 * Leases due deliveries and writes their attempt rows. No destination gets another one before each has had its turn,
	 * the oldest due first; one whose lease ran out is due again. Of parallel calls each gets others.
	 */
	lease(request: LeaseRequest): Promise<readonly LeasedDelivery[]>;
	/**
	 * Records how an attempt ended, once. False when the fence is not the last, or the lease is settled or given back: the
	 * attempt row is completed if it still is open, the delivery is left to whoever holds it. A lease that ran out still
	 * counts while nobody else took it. What arrives meanwhile is written as one group.
	 */
	settle(settlement: Settlement): Promise<boolean>;
	/** Gives leases back unused, their attempt rows with them: the process stops. */
	release(leases: readonly Lease[]): Promise<void>;
	/** When the next delivery becomes due, past or to come, or undefined when none waits and none is leased. */
	nextDue(): Promise<Instant | undefined>;
}>;

/** What webhooks need of storage. */
export type WebhookStores = Readonly<{
	endpoints: EndpointStore;
	middlewares: MiddlewareStore;
	routingRules: RoutingRuleStore;
	intake: Intake;
	webhookEvents: EventStore;
	deliveries: DeliveryStore;
}>;
