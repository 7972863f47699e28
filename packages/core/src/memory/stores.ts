import type {Clock, Stores} from '../ports/index.ts';
import {createApiKeyStore} from './accounts/api-key-store.ts';
import {createDeviceLoginStore} from './accounts/device-login-store.ts';
import {createIdempotencyStore} from './accounts/idempotency-store.ts';
import {createInviteStore} from './accounts/invite-store.ts';
import {createRetentionStore} from './accounts/retention-store.ts';
import {createSessionStore} from './accounts/session-store.ts';
import {createTeamStore} from './accounts/team-store.ts';
import {createUserStore} from './accounts/user-store.ts';
import {createAgentStore} from './cron/agent-store.ts';
import {createChainExecutionStore} from './cron/chain-execution-store.ts';
import {createChainStore} from './cron/chain-store.ts';
import {createChainTickStore} from './cron/chain-tick-store.ts';
import {createExecutionLeaseStore} from './cron/execution-lease-store.ts';
import {createExecutionStore} from './cron/execution-store.ts';
import {createCronJobStore} from './cron/job-store.ts';
import {createCronTickStore} from './cron/tick-store.ts';
import {createMemoryDatabase, type MemoryDatabase} from './database.ts';
import {createVariableStore} from './environment/variable-store.ts';
import {createAuditStore} from './live/audit-store.ts';
import {createLiveEventStore} from './live/live-event-store.ts';
import {createNotificationChannelStore} from './live/notification-channel-store.ts';
import {createNotificationOutbox} from './live/notification-outbox.ts';
import {createNotificationStore} from './live/notification-store.ts';
import {createApprovalStore} from './mcp/approval-store.ts';
import {createAttendanceStore} from './mcp/attendance-store.ts';
import {createCallLog} from './mcp/call-log.ts';
import {createCallStore} from './mcp/call-store.ts';
import {createMcpServerStore} from './mcp/mcp-server-store.ts';
import {createSpendStore} from './mcp/spend-store.ts';
import {createDeliveryStore} from './webhook/delivery-store.ts';
import {createEndpointStore} from './webhook/endpoint-store.ts';
import {createEventStore} from './webhook/event-store.ts';
import {createIntake} from './webhook/intake.ts';
import {createOrderedStore} from './webhook/ordered-store.ts';

/** Every store over the same tables. */
export const storesOver = (db: MemoryDatabase): Stores => ({
	users: createUserStore(db),
	sessions: createSessionStore(db),
	apiKeys: createApiKeyStore(db),
	deviceLogins: createDeviceLoginStore(db),
	teams: createTeamStore(db),
	invites: createInviteStore(db),
	idempotency: createIdempotencyStore(db),
	variables: createVariableStore(db),
	mcpServers: createMcpServerStore(db),
	callLog: createCallLog(db),
	calls: createCallStore(db),
	approvals: createApprovalStore(db),
	attendance: createAttendanceStore(db),
	spend: createSpendStore(db),
	audit: createAuditStore(db),
	notifications: createNotificationStore(db),
	notificationChannels: createNotificationChannelStore(db),
	notificationOutbox: createNotificationOutbox(db),
	liveEvents: createLiveEventStore(db),
	retention: createRetentionStore(db),
	endpoints: createEndpointStore(db),
	middlewares: createOrderedStore(db, db.middlewares),
	routingRules: createOrderedStore(db, db.routingRules),
	intake: createIntake(db),
	webhookEvents: createEventStore(db),
	deliveries: createDeliveryStore(db),
	cronJobs: createCronJobStore(db),
	cronTicks: createCronTickStore(db),
	executions: createExecutionStore(db),
	executionLeases: createExecutionLeaseStore(db),
	agents: createAgentStore(db),
	chains: createChainStore(db),
	chainTicks: createChainTickStore(db),
	chainExecutions: createChainExecutionStore(db),
});

/**
 * Every store, empty, in this process's memory: for tests and for trying things out, nothing survives the process.
 * Methods are atomic because none of them waits between its check and its write. `clock` is the store's clock.
 */
export const createMemoryStores = ({clock}: Readonly<{clock: Pick<Clock, 'now'>}>): Stores =>
	storesOver(createMemoryDatabase(clock));
