import type {CallLog, Stores} from '@signalbox/core';
import {createApiKeyStore} from './accounts/api-keys.store.ts';
import {createDeviceLoginStore} from './accounts/device-logins.store.ts';
import {createIdempotencyStore} from './accounts/idempotency.store.ts';
import {createInviteStore} from './accounts/invites.store.ts';
import {createRetentionStore} from './accounts/retention.store.ts';
import {createSessionStore} from './accounts/sessions.store.ts';
import {createTeamStore} from './accounts/teams.store.ts';
import {createUserStore} from './accounts/users.store.ts';
import type {Connection} from './connection.ts';
import {createAgentStore} from './cron/agents.store.ts';
import {createChainExecutionStore} from './cron/chain-executions.store.ts';
import {createChainTickStore} from './cron/chain-ticks.store.ts';
import {createChainStore} from './cron/chains.store.ts';
import {createExecutionStore} from './cron/executions.store.ts';
import {createCronJobStore} from './cron/jobs.store.ts';
import {createExecutionLeaseStore} from './cron/leases.store.ts';
import {createCronTickStore, type TickWriter} from './cron/ticks.store.ts';
import {createVariableStore} from './environment/variables.store.ts';
import {createAuditStore} from './live/audit.store.ts';
import {createLiveEventStore} from './live/live-events.store.ts';
import {createNotificationChannelStore} from './live/notification-channels.store.ts';
import {createNotificationOutbox} from './live/notification-outbox.store.ts';
import {createNotificationStore} from './live/notifications.store.ts';
import {createApprovalStore} from './mcp/approvals.store.ts';
import {createAttendanceStore} from './mcp/attendance.store.ts';
import {createCallStore} from './mcp/calls.store.ts';
import {createMcpServerStore} from './mcp/servers.store.ts';
import {createSpendStore} from './mcp/spend.store.ts';
import type {Presence} from './presence.ts';
import {createDeliveryStore} from './webhook/deliveries.store.ts';
import {createEndpointStore} from './webhook/endpoints.store.ts';
import {createEventStore} from './webhook/events.store.ts';
import type {GroupedWriter} from './webhook/grouped-writer.ts';
import {createIntake} from './webhook/intake.store.ts';
import {createOrderedStore} from './webhook/ordered.store.ts';
import {middlewares, routingRules} from './webhook/ordered.table.ts';

/** What writes thousands of rows a second, in a way of its own. */
export type FastWriters = Readonly<{callLog: CallLog; webhooks: GroupedWriter; fire: TickWriter}>;

/** Every store of the domain, over one database. */
export const createStores = (
	connection: Connection,
	{callLog, webhooks, fire}: FastWriters,
	presence: Presence,
): Stores => ({
	users: createUserStore(connection),
	sessions: createSessionStore(connection),
	apiKeys: createApiKeyStore(connection),
	deviceLogins: createDeviceLoginStore(connection),
	teams: createTeamStore(connection),
	invites: createInviteStore(connection),
	idempotency: createIdempotencyStore(connection),
	variables: createVariableStore(connection),
	mcpServers: createMcpServerStore(connection),
	callLog,
	calls: createCallStore(connection),
	approvals: createApprovalStore(connection),
	attendance: createAttendanceStore(connection),
	spend: createSpendStore(connection),
	audit: createAuditStore(connection),
	notifications: createNotificationStore(connection),
	notificationChannels: createNotificationChannelStore(connection),
	notificationOutbox: createNotificationOutbox(connection),
	liveEvents: createLiveEventStore(connection),
	retention: createRetentionStore(connection),
	endpoints: createEndpointStore(connection),
	middlewares: createOrderedStore(connection, middlewares),
	routingRules: createOrderedStore(connection, routingRules),
	intake: createIntake(connection, webhooks),
	webhookEvents: createEventStore(connection),
	deliveries: createDeliveryStore(connection, webhooks, presence),
	cronJobs: createCronJobStore(connection),
	cronTicks: createCronTickStore(connection, fire),
	executions: createExecutionStore(connection),
	executionLeases: createExecutionLeaseStore(connection),
	agents: createAgentStore(connection),
	chains: createChainStore(connection),
	chainTicks: createChainTickStore(connection),
	chainExecutions: createChainExecutionStore(connection),
});
