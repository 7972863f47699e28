export {ApiError} from './api-error.ts';
export type {
	ApiKey,
	Approval,
	ApprovalConfig,
	AuditEntry,
	CostReport,
	CreatedApiKey,
	CronChain,
	CronChainExecution,
	CronExecution,
	CronJob,
	EnvironmentVariable,
	Invite,
	LiveEvent,
	McpCall,
	McpCallMetrics,
	McpServer,
	Middleware,
	Notification,
	NotificationChannel,
	PipelineTrace,
	RateLimitConfig,
	RoutingRule,
	RoutingTrace,
	SignedIn,
	Team,
	TeamMember,
	TeamWithMembers,
	ToolRule,
	User,
	WebhookEndpoint,
	WebhookEvent,
	WebhookSample,
} from './generated/types.gen.ts';
export type {TokenStore, Tokens} from './kept-tokens.ts';
export {type ErrorCodeOf, isApiError, type OperationError, type OperationId} from './operation-error.ts';
export type {Fetch} from './sender.ts';
export {type ClientOptions, SignalboxClient} from './signalbox-client.ts';
export type {StreamMessage, StreamOptions} from './stream.ts';
