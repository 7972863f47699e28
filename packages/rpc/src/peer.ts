import type {
	AgentEvent as AgentEventMessage,
	AppendOutputResponse,
	CompleteBrowserLoginRequest,
	DeregisterRequest,
	DeregisterResponse,
	FinishRequest,
	FinishResponse,
	HeartbeatRequest,
	HeartbeatResponse,
	LeaseRequest,
	LeaseResponse,
	LoginRequest,
	LoginResponse,
	OutputChunk,
	RegisterRequest,
	RegisterResponse,
	RevokeCurrentKeyRequest,
	RevokeCurrentKeyResponse,
	StartBrowserLoginRequest,
	StartBrowserLoginResponse,
	StartRequest,
	StartResponse,
	WatchRequest,
	WhoAmIRequest,
	WhoAmIResponse,
} from './generated/agent.ts';

/** What goes with a call beside its request. Aborting `signal` gives the call up: it then fails as `canceled`, at once. */
export type CallOptions = Readonly<{signal?: AbortSignal}>;

/** One question, one answer. Fails with an RpcError and nothing else. */
export type Call<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>;

/** A hint. What a newer server may say beside these is left out. */
export type AgentEvent = NonNullable<AgentEventMessage['event']>;

/**
 * The peers below are what an agent or a command line calls and what the server implements: the same interfaces on both
 * sides of the wire, so that either side can be tried without it. Messages are those of proto/agent.proto; times in them
 * are milliseconds, instants milliseconds since 1970 in UTC, sizes and offsets bytes.
 *
 * An implementation is made for one caller, who has been authenticated, and may throw RpcError or DomainError; anything
 * else reaches the caller as `internal`, without its text. Its `signal` is always there and aborts when the caller has
 * given up and when the server stops.
 */

/** The calls that need no credential. */
export type LoginPeer = Readonly<{
	/** An API key for email and password. Unknown email and wrong password are the same `unauthenticated`. */
	login: Call<LoginRequest, LoginResponse>;
	/** Where a person confirms the login in a browser. */
	startBrowserLogin: Call<StartBrowserLoginRequest, StartBrowserLoginResponse>;
	/** The API key, made now, for the code that the browser brought back; a code works once. */
	completeBrowserLogin: Call<CompleteBrowserLoginRequest, LoginResponse>;
}>;

/** The calls about the API key that makes them. */
export type KeyPeer = Readonly<{
	whoAmI: Call<WhoAmIRequest, WhoAmIResponse>;
	/** From now on the key is `unauthenticated`. */
	revokeCurrentKey: Call<RevokeCurrentKeyRequest, RevokeCurrentKeyResponse>;
}>;

export type AuthPeer = LoginPeer & KeyPeer;

/** The calls of an agent. */
export type AgentPeer = Readonly<{
	/** Starts a session, and says which of what still runs here is kept and which is killed. The numbers answered are followed. */
	register: Call<RegisterRequest, RegisterResponse>;
	/**
	 * Hints, never work itself: losing them costs latency only. Ends when the server stops or the session is over, and
	 * throws like a call; leaving the loop gives the call up.
	 */
	watch(request: WatchRequest, options?: CallOptions): AsyncIterable<AgentEvent>;
	/**
	 * At most `max` executions, as soon as there is one; none after `long_poll_ms`, or when the server stops. An answer
	 * that is lost costs the time of the lease: what was not started is offered again. An implementation whose signal
	 * aborts answers at once with what it has leased, which may be nothing.
	 */
	lease: Call<LeaseRequest, LeaseResponse>;
	/** The barrier: the command runs only after `proceed` was answered. The same question again has the same answer. */
	start: Call<StartRequest, StartResponse>;
	/** Says that the agent lives and what runs on it, renews its leases, and answers what to cancel and what is lost. */
	heartbeat: Call<HeartbeatRequest, HeartbeatResponse>;
	/**
	 * Takes chunks of one execution in the order of their offsets. The answer may come before the chunks have ended:
	 * what lies at and beyond `accepted_offset` is to be sent again, unless `stop` says that no more is wanted. Chunks are
	 * asked for as they can be sent, not faster. An error of `chunks` itself fails the call as it is.
	 */
	appendOutput(chunks: AsyncIterable<OutputChunk>, options?: CallOptions): Promise<AppendOutputResponse>;
	/** How the execution ended. The same report again has the same answer; `accepted` is false when the lease was lost. */
	finish: Call<FinishRequest, FinishResponse>;
	/** Ends the session. */
	deregister: Call<DeregisterRequest, DeregisterResponse>;
}>;

/** Everything that can be called. */
export type Peer = AuthPeer & AgentPeer;
