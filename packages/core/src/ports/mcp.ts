import type {ApprovalRecord, ApprovalStatus, Continuation, Decision} from '../mcp/model/approval.ts';
import type {CallFilter, McpCall, McpCallEntry} from '../mcp/model/call.ts';
import type {CallSums, ToolSpend} from '../mcp/model/metrics.ts';
import type {McpServerRecord} from '../mcp/model/server.ts';
import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Sealed} from '../values/sealed.ts';

/** Registered MCP servers. Slugs are unique: another one with a slug that is taken rejects with `resource_exists`. */
export type McpServerStore = Readonly<{
	/** @throws plan_limit_reached when the user already created `limit` servers (null: no limit), also under parallel calls. */
	create(server: McpServerRecord, limit: number | null): Promise<void>;
	get(team_ids: readonly string[], id: string): Promise<McpServerRecord | undefined>;
	/** Oldest first. */
	list(team_id: string): Promise<readonly McpServerRecord[]>;
	/** Writes the record if its stored version still is `version`; the stored version becomes `version + 1`. */
	update(team_ids: readonly string[], server: McpServerRecord, version: number): Promise<McpServerRecord | undefined>;
	/** With its calls, rollups, approvals and spend. */
	delete(team_ids: readonly string[], id: string): Promise<boolean>;
	/** The data plane's door: the slug is the capability, so no tenant is named. */
	bySlug(slug: string): Promise<McpServerRecord | undefined>;
	/** Up to `limit` records of any tenant whose headers another master key than `kid` seals. For key rotation only. */
	sealedOtherwise(kid: string, limit: number): Promise<readonly McpServerRecord[]>;
	/**
	 * Replaces the sealed headers if they still are `from`, which makes a new version: an update that is under way must not
	 * put the old ones back. For key rotation only.
	 */
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;

/** The log of proxied calls. */
export type CallLog = Readonly<{
	/**
	 * Resolves when the entry and its rollup are durable. Entries that arrive meanwhile are written as one group; while
	 * too many bytes wait, the answer waits too and nothing is dropped. An entry whose server is gone is dropped in silence.
	 * An entry whose id is its `approval_id` is the outcome of the call that this approval let run: from then on, the
	 * approval is attended no more.
	 * @throws resource_exists when an entry of that id is logged.
	 */
	append(entry: McpCallEntry): Promise<void>;
}>;

/** Reading the log, newest first by created_at, then id. */
export type CallStore = Readonly<{
	/** Bodies are cut to their first `body_chars` characters (code points). */
	list(team_id: string, filter: CallFilter, page: PageRequest & Readonly<{body_chars: number}>): Promise<Page<McpCall>>;
	count(team_id: string, filter: CallFilter): Promise<number>;
	get(team_ids: readonly string[], id: string): Promise<McpCall | undefined>;
	/** Deletes the entry and takes it out of the rollups. @returns the server and team it belonged to. */
	delete(
		team_ids: readonly string[],
		id: string,
	): Promise<Readonly<{mcp_server_id: string; team_id: string}> | undefined>;
	/** Over the calls whose hour is in [from, to). Summed up by the store from rollups, not by the caller from calls. */
	sums(
		team_id: string,
		query: Readonly<{from: Instant; to: Instant; server_id?: string | undefined}>,
	): Promise<CallSums>;
}>;

/** Who looks at approvals: the user they belong to, and members of the server's team. */
export type ApprovalViewer = Readonly<{user_id: string; team_ids: readonly string[]}>;

export type NewApproval = Readonly<
	Pick<
		ApprovalRecord,
		| 'id'
		| 'mcp_server_id'
		| 'team_id'
		| 'user_id'
		| 'api_key_id'
		| 'caller_key'
		| 'tool_name'
		| 'request_body'
		| 'arguments_json'
		| 'arguments_digest'
	> & {ttl_seconds: number; attended_seconds: number}
>;

/** What an approval is for. */
export type ApprovedCall = Pick<ApprovalRecord, 'mcp_server_id' | 'caller_key' | 'tool_name' | 'arguments_digest'>;

/**
 * Approvals. Every judgement of `expires_at` is by the store's clock: a pending one past it reads as `expired` everywhere,
 * also before `expireDue` has come by.
 */
export type ApprovalStore = Readonly<{
	/**
	 * Attended for `attended_seconds` from now. Undefined when `max_pending` approvals of the server are pending and
	 * unexpired already, also under parallel calls.
	 */
	open(approval: NewApproval, max_pending: number): Promise<ApprovalRecord | undefined>;
	get(viewer: ApprovalViewer, id: string): Promise<ApprovalRecord | undefined>;
	/** Newest first, at most `limit`. `pending` leaves out those past `expires_at`; `expired` includes them. */
	list(viewer: ApprovalViewer, status: ApprovalStatus, limit: number): Promise<readonly ApprovalRecord[]>;
	/** Compare-and-set from pending and unexpired. Undefined when somebody, or time, was first. */
	settle(team_ids: readonly string[], id: string, decision: Decision): Promise<ApprovalRecord | undefined>;
	/**
	 * Compare-and-set from approved, unexpired at its decision and not consumed: true for exactly one call, ever. With a
	 * continuation, from consumed within that time and with that many runs: true for exactly one request of each number.
	 */
	consume(id: string, continuation?: Continuation): Promise<boolean>;
	/** Turns pending approvals past `expires_at` into expired ones. @returns at most `limit` of them. */
	expireDue(limit: number): Promise<readonly ApprovalRecord[]>;
	/**
	 * The caller went away: `caller_waiting` becomes false, at once or, if it does not come back, after that time. Unless it
	 * was consumed, nobody attends to it any more.
	 */
	detach(id: string, after_seconds?: number): Promise<void>;
	/**
	 * Picks one detached, unexpired approval of exactly this call, pending or approved and not consumed, the granted
	 * ones first, marks it waiting again, attended for `attended_seconds`, and answers it. Of parallel calls each gets
	 * another one, or undefined.
	 *
	 * With an id only that one, whether its caller is gone or expected back; it may then also be past `expires_at`, if it
	 * was approved in time and its caller is still expected.
	 */
	reattach(call: ApprovedCall & {attended_seconds: number}, id?: string): Promise<ApprovalRecord | undefined>;
}>;

/**
 * Which approvals are attended: a process holds their call, or runs it, and keeps saying so. One that dies says so no
 * more. Judged by the store's clock.
 */
export type AttendanceStore = Readonly<{
	/** They are attended for that many seconds from now. Leaves alone those that nobody attends to any more. */
	renew(approval_ids: readonly string[], attended_seconds: number): Promise<void>;
	/** Ids of those whose time of attendance ran out, the longest ago first: whoever attended to them is gone, or cut off. */
	lapsed(limit: number): Promise<readonly string[]>;
	/** Of those ids the ones that are lapsed now, as they are. */
	stillLapsed(approval_ids: readonly string[]): Promise<readonly ApprovalRecord[]>;
	/** The call of a consumed approval was not let run after all: it has no outcome to log. Any other one is left alone. */
	end(approval_id: string): Promise<void>;
	/** Detaches it. Compare-and-set from lapsed and not consumed: false when it is neither, or somebody was first. */
	release(approval_id: string): Promise<boolean>;
}>;

export type Reservation = Readonly<{mcp_server_id: string; month: string; tool_name: string; cents: number}>;

/** Money spent per server, tool and UTC month. */
export type SpendStore = Readonly<{
	/**
	 * Adds the cents, unless the month's sum would exceed `budget_cents` (null: no budget). Parallel calls never exceed it.
	 * @returns the month's sum afterwards, or undefined when refused.
	 */
	reserve(reservation: Reservation, budget_cents: number | null): Promise<number | undefined>;
	/** Takes a reservation back: the call never left. Leaves a tool alone of which none is left. */
	release(reservation: Reservation): Promise<void>;
	/** Costliest first. */
	report(mcp_server_id: string, month: string): Promise<readonly ToolSpend[]>;
}>;
