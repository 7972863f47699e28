import type {Signatures} from '../values/signatures.ts';
import type {ApiKeyStore, IdempotencyStore, InviteStore, SessionStore, TeamStore, UserStore} from './accounts.ts';
import type {ChainStores} from './chains.ts';
import type {CronStores} from './cron.ts';
import type {DeviceLoginStore} from './device-logins.ts';
import type {VariableStore} from './environment.ts';
import type {
	AuditStore,
	LiveEventStore,
	NotificationChannelStore,
	NotificationOutbox,
	NotificationStore,
} from './live.ts';
import type {ApprovalStore, AttendanceStore, CallLog, CallStore, McpServerStore, SpendStore} from './mcp.ts';
import type {RetentionStore} from './retention.ts';
import type {AccessTokens, Cipher, Clock, Ids, PasswordHasher, RateLimiter, Secrets, Signals} from './system.ts';
import type {WebhookStores} from './webhook.ts';
import type {WebhookPlanner} from './webhook-planner.ts';

/** What the domain asks of the world besides storage. */
export type SystemPorts = Readonly<{
	clock: Clock;
	ids: Ids;
	secrets: Secrets;
	signatures: Signatures;
	passwords: PasswordHasher;
	accessTokens: AccessTokens;
	cipher: Cipher;
	signals: Signals;
	rateLimiter: RateLimiter;
	/** Without one, each webhook is planned where it comes in. */
	webhookPlanner?: WebhookPlanner;
}>;

/**
 * What the domain asks of storage. Every method is atomic by itself; no transaction crosses a port. A new row whose team,
 * user or server is gone by then rejects with `resource_not_found`, unless its method says otherwise.
 */
export type Stores = Readonly<{
	users: UserStore;
	sessions: SessionStore;
	apiKeys: ApiKeyStore;
	deviceLogins: DeviceLoginStore;
	teams: TeamStore;
	invites: InviteStore;
	idempotency: IdempotencyStore;
	variables: VariableStore;
	mcpServers: McpServerStore;
	callLog: CallLog;
	calls: CallStore;
	approvals: ApprovalStore;
	attendance: AttendanceStore;
	spend: SpendStore;
	audit: AuditStore;
	notifications: NotificationStore;
	notificationChannels: NotificationChannelStore;
	notificationOutbox: NotificationOutbox;
	liveEvents: LiveEventStore;
	retention: RetentionStore;
}> &
	WebhookStores &
	CronStores &
	ChainStores;

export type Ports = SystemPorts & Stores;

export type {
	ApiKeyStore,
	IdempotencyStore,
	IdempotentAnswer,
	InviteStore,
	NewAccount,
	SessionStore,
	TeamStore,
	UserStore,
} from './accounts.ts';
export type {
	Advanced,
	ChainExecutionStore,
	ChainFired,
	ChainFiring,
	ChainStore,
	ChainStores,
	ChainTickStore,
	DeletedChain,
	DueChain,
	DueChainExecution,
} from './chains.ts';
export type {
	AgentState,
	AgentStore,
	CronJobStore,
	CronStores,
	CronTickStore,
	DueJob,
	ExecutionEnding,
	ExecutionFilter,
	ExecutionHold,
	ExecutionLeaseRequest,
	ExecutionLeaseStore,
	ExecutionStore,
	Fired,
	Firing,
	Heartbeat,
	JobFilter,
	OutputChunk,
	OverdueExecution,
	UpcomingRun,
} from './cron.ts';
export type {DeviceLoginStore} from './device-logins.ts';
export type {VariableOwner, VariableStore, VariableViewer} from './environment.ts';
export type {
	AuditStore,
	LiveAudience,
	LiveEventStore,
	NotificationChannelStore,
	NotificationOutbox,
	NotificationStore,
} from './live.ts';
export type {
	ApprovalStore,
	ApprovalViewer,
	ApprovedCall,
	AttendanceStore,
	CallLog,
	CallStore,
	McpServerStore,
	NewApproval,
	Reservation,
	SpendStore,
} from './mcp.ts';
export type {RetentionStore} from './retention.ts';
export type {
	AccessClaims,
	AccessTokens,
	Cipher,
	Clock,
	DomainEvent,
	Ids,
	PasswordHasher,
	RateLimit,
	RateLimiter,
	RateVerdict,
	Secrets,
	SharedSignals,
	Signals,
} from './system.ts';
export type {
	Accepted,
	DeliveryStore,
	EndpointPipeline,
	EndpointStore,
	EventFilter,
	EventKey,
	EventStore,
	FirstAttempts,
	Intake,
	Lease,
	LeaseRequest,
	LeasesAhead,
	MiddlewareStore,
	OrderedStore,
	ReceivedEvent,
	RoutingRuleStore,
	Settlement,
	Unordered,
	WebhookStores,
} from './webhook.ts';
export type {PlanJob, PlanRequest, WebhookPlanner} from './webhook-planner.ts';
export type {WebhookSender} from './webhook-sender.ts';
