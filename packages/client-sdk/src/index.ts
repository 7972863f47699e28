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
	ErrorBody,
	Invite,
	McpCall,
	McpCallMetrics,
	McpServer,
	Middleware,
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
export {type Page, paginate} from './paginate.ts';
export type {Fetch} from './sender.ts';
export type {TokenStore, Tokens} from './session.ts';
export {type ClientOptions, SignalboxClient} from './signalbox-client.ts';
