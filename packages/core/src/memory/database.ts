import type {ApiKeyRecord} from '../accounts/model/api-key.ts';
import type {DeviceLogin} from '../accounts/model/device-login.ts';
import type {RefreshToken} from '../accounts/model/session.ts';
import type {Invite, Membership, Team} from '../accounts/model/team.ts';
import type {UserRecord} from '../accounts/model/user.ts';
import type {VariableRecord} from '../environment/model/variable.ts';
import type {AuditEntry} from '../live/model/audit-entry.ts';
import type {NumberedLiveEvent} from '../live/model/live-event.ts';
import type {NotificationRecord} from '../live/model/notification.ts';
import type {NotificationChannelRecord} from '../live/model/notification-channel.ts';
import type {ApprovalRecord} from '../mcp/model/approval.ts';
import type {McpCall} from '../mcp/model/call.ts';
import type {McpServerRecord} from '../mcp/model/server.ts';
import type {Clock, IdempotentAnswer} from '../ports/index.ts';
import type {Instant} from '../values/instant.ts';
import {type CronTables, createCronTables} from './cron/tables.ts';
import {createWebhookTables, type WebhookTables} from './webhook/tables.ts';

export type RefreshTokenRow = RefreshToken & Readonly<{revoked: boolean}>;
export type DeviceLoginRow = DeviceLogin & Readonly<{user_id: string | null; code_digest: string | null}>;
export type InviteRow = Invite & Readonly<{used: boolean}>;
export type CallRow = McpCall & Readonly<{team_id: string}>;
export type SpendRow = Readonly<{
	mcp_server_id: string;
	month: string;
	tool_name: string;
	cents: number;
	call_count: number;
}>;
export type IdempotencyRow = Readonly<{
	request_digest: string;
	expires_at: Instant;
	answer: IdempotentAnswer | undefined;
}>;

export type LiveEventRow = NumberedLiveEvent & Readonly<{recorded_at: Instant}>;
/** `since`: the number from which on nothing is missing. */
export type LiveListenerRow = Readonly<{since: number | undefined; until: Instant}>;

type Tables = Readonly<{
	/** The store's clock: it alone judges expiry. */
	now(): Instant;
	users: Map<string, UserRecord>;
	/** By digest. */
	refreshTokens: Map<string, RefreshTokenRow>;
	apiKeys: Map<string, ApiKeyRecord>;
	deviceLogins: Map<string, DeviceLoginRow>;
	teams: Map<string, Team>;
	/** By `compositeKey(team_id, user_id)`. */
	memberships: Map<string, Membership>;
	/** By digest. */
	invites: Map<string, InviteRow>;
	/** By `compositeKey(user_id, key)`. */
	idempotency: Map<string, IdempotencyRow>;
	variables: Map<string, VariableRecord>;
	mcpServers: Map<string, McpServerRecord>;
	calls: Map<string, CallRow>;
	/** What retention deleted, without bodies: rollups outlive their calls. */
	forgottenCalls: Map<string, CallRow>;
	approvals: Map<string, ApprovalRecord>;
	/** Until when an approval is attended, by its id. */
	attendance: Map<string, Instant>;
	/** By server, month and tool. */
	spend: Map<string, SpendRow>;
	audit: Map<string, AuditEntry>;
	notifications: Map<string, NotificationRecord>;
	notificationChannels: Map<string, NotificationChannelRecord>;
	/** Ids of notifications that are to be sent. */
	notificationOutbox: Set<string>;
	/** By number, in order. */
	liveEvents: Map<string, LiveEventRow>;
	liveListeners: Map<string, LiveListenerRow>;
	liveProgress: {newest: number; forgotten: number};
}>;

/**
 * Plain tables that the stores share, so that a deletion reaches all of them. Rows are never changed in place and never
 * handed out: a change sets another row, a read answers a copy.
 */
export type MemoryDatabase = Tables & WebhookTables & CronTables;

export const createMemoryDatabase = (clock: Pick<Clock, 'now'>): MemoryDatabase => ({
	...createWebhookTables(),
	...createCronTables(),
	now: () => clock.now(),
	users: new Map(),
	refreshTokens: new Map(),
	apiKeys: new Map(),
	deviceLogins: new Map(),
	teams: new Map(),
	memberships: new Map(),
	invites: new Map(),
	idempotency: new Map(),
	variables: new Map(),
	mcpServers: new Map(),
	calls: new Map(),
	forgottenCalls: new Map(),
	approvals: new Map(),
	attendance: new Map(),
	spend: new Map(),
	audit: new Map(),
	notifications: new Map(),
	notificationChannels: new Map(),
	notificationOutbox: new Set(),
	liveEvents: new Map(),
	liveListeners: new Map(),
	liveProgress: {newest: 0, forgotten: 0},
});

/** A key of several parts that no other parts can spell. */
export const compositeKey = (...parts: readonly string[]): string => JSON.stringify(parts);
