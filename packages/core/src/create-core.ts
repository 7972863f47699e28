import {type ApiKeys, createApiKeys} from './accounts/api-keys.ts';
import {type Authentication, createAuthentication} from './accounts/authentication.ts';
import {createDeviceLogins, type DeviceLogins} from './accounts/device-logins.ts';
import {createIdempotency, type Idempotency} from './accounts/idempotency.ts';
import {createRegistration, type Registration} from './accounts/registration.ts';
import {createRetention, type Retention} from './accounts/retention.ts';
import {createSessions, type Sessions} from './accounts/sessions.ts';
import {createTeams, type Teams} from './accounts/teams.ts';
import {createUsers, type Users} from './accounts/users.ts';
import {type Cron, createCron} from './cron/create-cron.ts';
import {createKeyRotation, type KeyRotation} from './environment/key-rotation.ts';
import {createResolver, type Resolver} from './environment/resolver.ts';
import {createVariables, type Variables} from './environment/variables.ts';
import {createLive, type Live} from './live/create-live.ts';
import {createNotificationChannels, type NotificationChannels} from './live/notification-channels.ts';
import {createNotificationSending, type NotificationSending} from './live/notification-sending.ts';
import {type AbandonedCalls, createAbandonedCalls} from './mcp/abandoned-calls.ts';
import {type Approvals, createApprovals} from './mcp/approvals.ts';
import {createAttendance} from './mcp/attendance.ts';
import {createMcpCalls, type McpCalls} from './mcp/calls.ts';
import {createMcpServers, type McpServers} from './mcp/servers.ts';
import {createToolCallGate, type ToolCallGate} from './mcp/tool-call-gate.ts';
import type {Ports} from './ports/index.ts';
import {type CoreSettings, defaultSettings} from './settings.ts';
import {createWebhooks, type Webhooks} from './webhook/create-webhooks.ts';

/** Every service of the domain, wired to the ports it was made with. */
export type Core = Readonly<{
	settings: CoreSettings;
	accounts: Readonly<{
		registration: Registration;
		sessions: Sessions;
		users: Users;
		authentication: Authentication;
		apiKeys: ApiKeys;
		deviceLogins: DeviceLogins;
		teams: Teams;
		idempotency: Idempotency;
		retention: Retention;
	}>;
	environment: Readonly<{variables: Variables; resolver: Resolver; keyRotation: KeyRotation}>;
	mcp: Readonly<{
		servers: McpServers;
		calls: McpCalls;
		approvals: Approvals;
		abandonedCalls: AbandonedCalls;
		gate: ToolCallGate;
		/** The log of the ports, which tells whoever looks on. */
		callLog: Ports['callLog'];
	}>;
	webhook: Webhooks;
	cron: Cron;
	live: Live & Readonly<{notificationChannels: NotificationChannels; notificationSending: NotificationSending}>;
}>;

/** Wires the services over the ports. What is left out of `settings` has its default. */
export const createCore = (given: Ports, overrides: Partial<CoreSettings> = {}): Core => {
	const {live, announced} = createLive(given);
	const ports = {...given, ...announced};
	const settings = {...defaultSettings, ...overrides};
	const sessions = createSessions(ports, settings);
	const authentication = createAuthentication(ports);
	const apiKeys = createApiKeys(ports, settings);
	const resolver = createResolver(ports);
	const servers = createMcpServers({...ports, resolve: resolver.resolve}, settings);
	const attendance = createAttendance(ports);
	const webhook = createWebhooks({...ports, ...resolver}, settings);
	const {send: sendNotice} = webhook.notices;
	return {
		settings,
		accounts: {
			registration: createRegistration({...ports, signIn: sessions.signIn}, settings),
			sessions,
			users: createUsers({...ports, plans: settings.plans.map((plan) => plan.name)}),
			authentication,
			apiKeys,
			deviceLogins: createDeviceLogins({
				...ports,
				createKey: apiKeys.create,
				callerOf: (user_id) => authentication.renew({user_id, credential: {kind: 'session'}}),
			}),
			teams: createTeams(ports),
			idempotency: createIdempotency(ports),
			retention: createRetention(ports, settings),
		},
		environment: {variables: createVariables(ports), resolver, keyRotation: createKeyRotation(ports)},
		mcp: {
			servers,
			calls: createMcpCalls(ports),
			approvals: createApprovals(ports),
			abandonedCalls: createAbandonedCalls({...ports, isAttended: attendance.includes}),
			gate: createToolCallGate({...ports, targetOf: servers.target, attend: attendance.begin}, settings),
			callLog: ports.callLog,
		},
		webhook,
		cron: createCron({...ports, ...resolver, sendNotice}, settings),
		live: {
			...live,
			notificationChannels: createNotificationChannels({...ports, sendNotice, eventOf: webhook.events.get}),
			notificationSending: createNotificationSending({...ports, sendNotice}),
		},
	};
};
