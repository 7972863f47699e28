export type {Authentication, Presented} from './accounts/authentication.ts';
export type {DeviceKey} from './accounts/device-logins.ts';
export type {Answer} from './accounts/idempotency.ts';
export {type ApiKey, type ApiKeyRecord, apiKeySchema, keyScopeSchema} from './accounts/model/api-key.ts';
export type {DeviceLogin} from './accounts/model/device-login.ts';
export {defaultPlans, type Plan} from './accounts/model/plan.ts';
export type {RefreshToken, Rotation} from './accounts/model/session.ts';
export type {Invite, Membership, Team, TeamMember, TeamRole} from './accounts/model/team.ts';
export {teamMemberSchema, teamRoleSchema, teamSchema} from './accounts/model/team.ts';
export {type User, type UserRecord, userSchema} from './accounts/model/user.ts';
export {type Core, createCore} from './create-core.ts';
export type {AgentSession, AgentWork, Registered} from './cron/agent-work.ts';
export type {Agents} from './cron/agents.ts';
export type {ChainExecutions} from './cron/chain-executions.ts';
export type {ChainProgress} from './cron/chain-progress.ts';
export type {ChainTicks} from './cron/chain-ticks.ts';
export type {Chains} from './cron/chains.ts';
export type {Cron} from './cron/create-cron.ts';
export type {Executions} from './cron/executions.ts';
export type {CheckedSchedule, CronJobs, ExplainedSchedule} from './cron/jobs.ts';
export {type Agent, type AgentRecord, type AgentTimes, agentSchema} from './cron/model/agent.ts';
export {type AgentChange, agentChangeSchema} from './cron/model/agent-change.ts';
export type {AgentRegistration, AgentReport, ExecutionSpec} from './cron/model/agent-report.ts';
export {type Chain, type ChainRecord, type ChainStep, chainSchema, chainStepSchema} from './cron/model/chain.ts';
export {
	type ChainEffect,
	type ChainExecution,
	type ChainExecutionRecord,
	chainExecutionSchema,
	type NewChainExecution,
	type StepExecution,
	type StepRun,
	stepExecutionSchema,
} from './cron/model/chain-execution.ts';
export {type ChainSettings, chainSettingsSchema} from './cron/model/chain-settings.ts';
export type {Execution, ExecutionRecord, LeasedExecution, NewExecution, StepLimits} from './cron/model/execution.ts';
export {executionSchema, executionStatusSchema, triggeredBySchema} from './cron/model/execution.ts';
export type {CronJob, CronJobRecord} from './cron/model/job.ts';
export {cronJobSchema, jobRetryConfigSchema, notificationConfigSchema} from './cron/model/job.ts';
export {type JobSettings, jobSettingsSchema} from './cron/model/job-settings.ts';
export type {OverdueExecutions} from './cron/overdue.ts';
export {describeSchedule} from './cron/rules/describe-schedule.ts';
export {nextRun, nextRuns} from './cron/rules/next-run.ts';
export {type ParsedSchedule, parseSchedule} from './cron/rules/parse-schedule.ts';
export {planTick, type TickPlan} from './cron/rules/plan-tick.ts';
export type {ZonedSchedule} from './cron/rules/segment-runs.ts';
export {startsChains, triggeredExecutionId} from './cron/rules/triggered-execution.ts';
export {isTimezone} from './cron/rules/zone-segments.ts';
export type {CronTicks, Ticked} from './cron/ticks.ts';
export {demandScope} from './demand-scope.ts';
export type {VariableRecord} from './environment/model/variable.ts';
export {variableKeySchema, variableSchema, variableScopeSchema} from './environment/model/variable.ts';
export {
	agentsAreFull,
	channelsAreFull,
	DomainError,
	type DomainErrorData,
	type ErrorCode,
	type ErrorKind,
	type ErrorReason,
	endpointIsFull,
	invalidField,
	invalidFields,
	isUnavailable,
	teamsAreFull,
} from './errors.ts';
export {type AuditEntry, auditEntrySchema} from './live/model/audit-entry.ts';
export {channelSettingsSchema, newChannelSchema} from './live/model/channel-settings.ts';
export {type LiveEvent, liveEventTypeSchema, type NumberedLiveEvent} from './live/model/live-event.ts';
export {type NotificationRecord, notificationSchema} from './live/model/notification.ts';
export {type NotificationChannelRecord, notificationChannelSchema} from './live/model/notification-channel.ts';
export {isWantedBy} from './live/rules/wanted-notification.ts';
export type {LiveFrame} from './live/stream.ts';
export type {Approval, ApprovalRecord, ApprovalStatus, Continuation, Decision} from './mcp/model/approval.ts';
export {approvalSchema, approvalStatusSchema} from './mcp/model/approval.ts';
export {type ApprovalConfig, approvalConfigSchema, toolRuleSchema} from './mcp/model/approval-config.ts';
export type {CallFilter, CallStatus, McpCall, McpCallEntry} from './mcp/model/call.ts';
export {callStatusSchema, mcpCallSchema} from './mcp/model/call.ts';
export type {CallSums, DaySum, ToolSpend, ToolSum} from './mcp/model/metrics.ts';
export {callMetricsSchema, costReportSchema} from './mcp/model/metrics.ts';
export type {Admission, Passage, Rounds, ToolCall} from './mcp/model/passage.ts';
export {rateLimitConfigSchema} from './mcp/model/rate-limit-config.ts';
export {logBodiesSchema, type McpServer, type McpServerRecord, mcpServerSchema} from './mcp/model/server.ts';
export type {ServerSettings} from './mcp/model/server-settings.ts';
export type {ResolvedTarget} from './mcp/model/target.ts';
export type {ApprovalPolicy, ToolCallVerdict, VerdictReason} from './mcp/rules/decide-tool-call.ts';
export {compileApprovalPolicy, decideToolCall} from './mcp/rules/decide-tool-call.ts';
export {durationBucketOf} from './mcp/rules/duration-histogram.ts';
export {maskHeaders} from './mcp/rules/mask-headers.ts';
export {type BodyRedaction, compileBodyRedaction} from './mcp/rules/redact-body.ts';
export type {ToolCallGate} from './mcp/tool-call-gate.ts';
export type {
	Accepted,
	AccessClaims,
	AccessTokens,
	Advanced,
	AgentState,
	AgentStore,
	ApiKeyStore,
	ApprovalStore,
	ApprovalViewer,
	ApprovedCall,
	AttendanceStore,
	AuditStore,
	CallLog,
	CallStore,
	ChainExecutionStore,
	ChainFired,
	ChainFiring,
	ChainStore,
	ChainStores,
	ChainTickStore,
	Cipher,
	Clock,
	CronJobStore,
	CronStores,
	CronTickStore,
	DeletedChain,
	DeliveryStore,
	DeviceLoginStore,
	DomainEvent,
	DueChain,
	DueChainExecution,
	DueJob,
	EndpointPipeline,
	EndpointStore,
	EventFilter,
	EventKey,
	EventStore,
	ExecutionEnding,
	ExecutionFilter,
	ExecutionHold,
	ExecutionLeaseRequest,
	ExecutionLeaseStore,
	ExecutionStore,
	Fired,
	Firing,
	FirstAttempts,
	Heartbeat,
	IdempotencyStore,
	IdempotentAnswer,
	Ids,
	Intake,
	InviteStore,
	JobFilter,
	Lease,
	LeaseRequest,
	LeasesAhead,
	LiveAudience,
	LiveEventStore,
	McpServerStore,
	MiddlewareStore,
	NewAccount,
	NewApproval,
	NotificationChannelStore,
	NotificationOutbox,
	NotificationStore,
	OrderedStore,
	OutputChunk,
	OverdueExecution,
	PasswordHasher,
	PlanJob,
	PlanRequest,
	Ports,
	RateLimit,
	RateLimiter,
	RateVerdict,
	ReceivedEvent,
	Reservation,
	RetentionStore,
	RoutingRuleStore,
	Secrets,
	SessionStore,
	Settlement,
	SharedSignals,
	Signals,
	SpendStore,
	Stores,
	SystemPorts,
	TeamStore,
	Unordered,
	UpcomingRun,
	UserStore,
	VariableOwner,
	VariableStore,
	VariableViewer,
	WebhookPlanner,
	WebhookSender,
	WebhookStores,
} from './ports/index.ts';
export {type CoreSettings, defaultSettings, planOf} from './settings.ts';
export {decodeText, lastText} from './values/bytes-text.ts';
export {type Caller, type Credential, callerKeyOf, type KeyScope, keyScopes, mayUse} from './values/caller.ts';
export {emailKeyOf, emailProblem} from './values/email.ts';
export type {ErrorDetail} from './values/error-detail.ts';
export {firstCharacters} from './values/first-characters.ts';
export type {Instant} from './values/instant.ts';
export {hourOf, instantOf, millisecondsBetween, millisecondsOf, monthOf, plusSeconds} from './values/instant.ts';
export type {Page, PageRequest} from './values/page.ts';
export {hops, isConnectionHeader, isStoppedHeader, namedByConnection} from './values/request-headers.ts';
export {keptSince, type Retention} from './values/retention.ts';
export {schemaProblems} from './values/schema-problems.ts';
export type {Sealed} from './values/sealed.ts';
export type {Signatures} from './values/signatures.ts';
export {readStrictJson, type StrictJsonFailure} from './values/strict-json.ts';
export {nameText} from './values/text.ts';
export {type TokenBucket, takeAhead, takeToken, verdictOf} from './values/token-bucket.ts';
export type {Webhooks} from './webhook/create-webhooks.ts';
export type {AttemptEnd, Deliveries} from './webhook/deliveries.ts';
export type {IncomingWebhook, LeasesFor, Reception, WebhookIntake} from './webhook/intake.ts';
export type {Acceptable, DeduplicationClaim} from './webhook/model/acceptable.ts';
export type {Attempt, Delivery, DeliveryStatus, LeasedDelivery, PlannedDelivery} from './webhook/model/delivery.ts';
export type {
	DeliveryAnswer,
	DeliveryErrorCode,
	DeliveryFailure,
	DeliveryRequest,
} from './webhook/model/delivery-exchange.ts';
export {acceptanceSchema, type Endpoint, type EndpointRecord, endpointSchema} from './webhook/model/endpoint.ts';
export {type EndpointSettings, endpointSettingsSchema} from './webhook/model/endpoint-settings.ts';
export type {EventStatus, NewEvent, RestingStatus} from './webhook/model/event.ts';
export {eventStatusSchema, type WebhookEvent, webhookEventSchema} from './webhook/model/event.ts';
export type {HeaderField, ReferencingBytes, ReferencingText} from './webhook/model/message.ts';
export {type Middleware, middlewareSchema, mostMiddlewares} from './webhook/model/middleware.ts';
export type {MiddlewareSettings, NewMiddleware} from './webhook/model/middleware-settings.ts';
export {middlewareSettingsSchema} from './webhook/model/middleware-settings.ts';
export {retryConfigSchema} from './webhook/model/retry-config.ts';
export type {RoutingRule} from './webhook/model/routing-rule.ts';
export {mostRoutingRules, routingModeSchema, routingRuleSchema} from './webhook/model/routing-rule.ts';
export {type NewRoutingRule, type RuleSettings, ruleSettingsSchema} from './webhook/model/rule-settings.ts';
export {type Sample, sampleSchema} from './webhook/model/sample.ts';
export type {CompactTrace, PipelineTrace, RoutingTrace} from './webhook/model/trace.ts';
export {pipelineTraceSchema, routingTraceSchema} from './webhook/model/trace.ts';
export {cutBodies} from './webhook/rules/cut-bodies.ts';
export {type AcceptanceDecision, decideAcceptance} from './webhook/rules/decide-acceptance.ts';
export {eventStatusOf} from './webhook/rules/event-status.ts';
export {type GrantedLease, leasedDelivery} from './webhook/rules/leased-delivery.ts';
export {createUserLimits, type DestinationLeases, mostLeases} from './webhook/rules/most-leases.ts';
export {type StoredDelivery, type StoredEvent, showEvent} from './webhook/rules/show-event.ts';
export {withoutBodies} from './webhook/rules/without-bodies.ts';
