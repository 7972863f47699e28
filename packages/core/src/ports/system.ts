import type {ChainExecutionStatus} from '../cron/model/chain-execution.ts';
import type {ExecutionStatus} from '../cron/model/execution.ts';
import type {Instant} from '../values/instant.ts';
import type {Sealed} from '../values/sealed.ts';

/** The process's clock. Whether something has expired in a store is judged by the store's own clock, never by this one. */
export type Clock = Readonly<{
	now(): Instant;
	/** Resolves after that time (0: once whatever else waits had its turn), or at once when the signal aborts. Never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}>;

/** UUIDv7 (RFC 9562): an id made later in this process sorts after one made earlier. */
export type Ids = Readonly<{next(): string}>;

/** Random, digested and derived text. All of it base64url without padding. */
export type Secrets = Readonly<{
	random(bytes: number): string;
	/** SHA-256. */
	digest(input: string | Uint8Array): string;
	/** HMAC-SHA-256 under each of the server's own keys, newest first: the same input gives the same answers. */
	derive(input: string): readonly string[];
	/** Compares in constant time. */
	equal(a: string, b: string): boolean;
}>;

/** argon2id. At most two hashes are computed at once; when too many wait, rejects with `service_unavailable`. */
export type PasswordHasher = Readonly<{
	hash(password: string): Promise<string>;
	/** `hash` undefined: does the same work and answers false, so an unknown address takes as long as a wrong password. */
	verify(password: string, hash: string | undefined): Promise<boolean>;
}>;

export type AccessClaims = Readonly<{user_id: string; issued_at: Instant; expires_at: Instant}>;

/** Signs and verifies access tokens (JWT, one pinned algorithm, `kid` header). Newest key signs, all keys verify. */
export type AccessTokens = Readonly<{
	/** The same claims and key give the same token. */
	sign(claims: AccessClaims): Promise<string>;
	verify(token: string, now: Instant): Promise<AccessClaims | 'expired' | 'invalid'>;
	/** True for a JWT with our issuer, valid or not: such a token is ours and is never forwarded. */
	isOurs(token: string): boolean;
}>;

/**
 * Envelope encryption, AES-256-GCM. `binding` names the row the text belongs to and is authenticated with it: text that
 * was changed, or moved to another row or tenant, does not open.
 */
export type Cipher = Readonly<{
	/** The master key that seals now. */
	currentKid(): string;
	seal(text: string, binding: string): Sealed;
	/** @throws Error `sealed text does not open` when it was changed or moved, or its master key is missing. */
	open(sealed: Sealed, binding: string): string;
}>;

/** What happened, told to whoever listens in this process (and, with an adapter for it, in others). */
export type DomainEvent =
	| Readonly<{type: 'approval.pending'; approval_id: string; mcp_server_id: string; team_id: string}>
	| Readonly<{type: 'approval.decided'; approval_id: string; mcp_server_id: string; team_id: string}>
	/** Its client took a tool call back; whichever process holds it lets it go. */
	| Readonly<{type: 'mcp.call.cancelled'; mcp_server_id: string; team_id: string; held_key: string}>
	| Readonly<{type: 'mcp.server.changed'; mcp_server_id: string; team_id: string}>
	/** Its settings, its middleware or its rules; or it is gone. */
	| Readonly<{type: 'webhook.endpoint.changed'; endpoint_id: string; team_id: string}>
	/** An attempt was made, and this is how its delivery stands. */
	| Readonly<{
			type: 'webhook.delivery';
			delivery_id: string;
			event_id: string;
			endpoint_id: string;
			team_id: string;
			status: 'delivered' | 'retrying' | 'failed';
	  }>
	/** Deliveries may have become due that nobody has leased: an event was sent again. */
	| Readonly<{type: 'webhook.delivery.due'; event_id: string; team_id: string}>
	/** A run of a job is pending, has started, or has ended. */
	| Readonly<{type: 'cron.execution'; execution_id: string; job_id: string; user_id: string; status: ExecutionStatus}>
	/** Runs of that user may be there to be leased. */
	| Readonly<{type: 'cron.execution.due'; user_id: string}>
	/** An execution of a chain has begun, went on, or is over. */
	| Readonly<{
			type: 'chain.execution';
			chain_execution_id: string;
			chain_id: string;
			user_id: string;
			status: ChainExecutionStatus;
			/** `step_order` of the step that runs. */
			current_step: number | null;
	  }>
	/** Executions of chains may have become due: one was triggered, or a run of one has ended. */
	| Readonly<{type: 'chain.execution.due'}>
	/** Something was recorded for those who look on at these teams and users. */
	| Readonly<{type: 'live.recorded'; ids: readonly string[]}>
	| Readonly<{type: 'team.deleted'; team_id: string}>
	| Readonly<{type: 'mcp.budget.alert'; mcp_server_id: string; team_id: string; usage_percent: number}>;

/** A hint, not a queue: an event may be lost, doubled or late, and no listener may rely on getting it. */
export type Signals = Readonly<{
	publish(event: DomainEvent): void;
	/** Answers the function that ends the subscription. */
	subscribe(listener: (event: DomainEvent) => void): () => void;
}>;

/**
 * Signals that reach other processes too. What is published is heard here before `publish` returns, and elsewhere soon after;
 * what another process published, while this one listened, is heard here once. Failures reach neither publisher nor listener.
 */
export type SharedSignals = Signals &
	Readonly<{
		/** Begins to hear what others publish from now on. */
		start(): Promise<void>;
		/** Lets out what was published, and hears no more. */
		close(): Promise<void>;
	}>;

export type RateLimit = Readonly<{per_minute: number; burst: number}>;

export type RateVerdict = Readonly<{
	allowed: boolean;
	/** What may be sent at once from now on. */
	remaining: number;
	/** When the whole allowance is back, in epoch milliseconds. */
	resets_at_ms: number;
	/** Whole seconds until one more is allowed; 0 when one is allowed now. */
	retry_after_seconds: number;
}>;

/** Counts by key: `per_minute` in any steady minute, and `burst` more at once. */
export type RateLimiter = Readonly<{
	/** At once where nobody else need be asked: a promise for what is known already costs a call more than counting it. */
	take(key: string, limit: RateLimit): RateVerdict | Promise<RateVerdict>;
}>;
