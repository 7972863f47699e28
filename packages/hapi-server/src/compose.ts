import {openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import {type AgentTimes, type Clock, type Core, createCore, type PasswordHasher, type Ports} from '@signalbox/core';
import {
	createAccessTokens,
	createCipher,
	createClock,
	createIds,
	createPasswordHasher,
	createSecrets,
	createSignatures,
	createWebhookPlanner,
	type NodeWebhookPlanner,
} from '@signalbox/core/node';
import type {Logger} from 'pino';
import {type Config, ConfigError} from './config.ts';
import {createServer, type RunningServer} from './create-server.ts';
import {placeOf} from './database-place.ts';
import {createWebhookSender} from './delivery/webhook-sender.ts';
import {makeFirstAccount} from './first-account.ts';
import {type RunningGrpc, startGrpc} from './grpc/start-grpc.ts';
import {defaultEdgeTimeouts, type EdgeTimeouts} from './http/edge.ts';
import {defaultEdgeLimits, type EdgeLimits} from './http/rate-limit.ts';
import {type KeyRings, missingKeyNotice, newTokenKeyNotice, openKeyRings} from './key-rings.ts';
import {createMetrics, type Metrics} from './metrics.ts';
import {rootOf} from './outage-filter.ts';
import {createAddressGuard} from './outbound/address-guard.ts';
import {createSharedPorts, type SharedPorts} from './shared-ports.ts';
import {cronTasks} from './work/cron-tasks.ts';
import {type DeliverLoop, startDeliverLoop} from './work/deliver-loop.ts';
import {drained} from './work/drained.ts';
import {type Sweep, type SweepTask, startSweep} from './work/sweep.ts';

/** What is not configuration: where logs go, and what tests set. */
export type ComposeOverrides = Readonly<{
	log: Logger;
	/** Refuse a database that is not there, instead of making one. Default: false. */
	existing?: boolean;
	/** Whether it is to be started, and tokens to hold beyond that. Default: true. */
	serves?: boolean;
	/** Milliseconds that the clock of this process and that of the database are ahead. Default 0. */
	clockOffset?: () => number;
	/** Milliseconds that the clock of this process is ahead besides: the database's judges. Default 0. */
	clockSkew?: number;
	/** How often due work is looked for, and 60 times that what may wait for a minute. Milliseconds, default 1000. */
	sweepEvery?: number;
	passwords?: PasswordHasher;
	limits?: EdgeLimits;
	timeouts?: EdgeTimeouts;
	agentTimes?: AgentTimes;
}>;

/** The server's parts, put together. */
export type Composition = Readonly<{
	core: Core;
	ports: Ports;
	database: SqlDatabase;
	/**
	 * Migrates, makes the first account, listens, and begins the due work. @returns where.
	 * @param tell Hears at once what is said only once: what follows may fail.
	 */
	start(tell?: (notice: string) => void): Promise<RunningServer & Readonly<{grpc_url: string | undefined}>>;
	/** Ends in order: no new requests, answers on their way, due work, the store. */
	stop(): Promise<void>;
}>;

const none = (): number => 0;

type Opened = Readonly<{
	database: SqlDatabase;
	rings: KeyRings;
	clock: Clock;
	shared: SharedPorts;
	webhookPlanner: NodeWebhookPlanner;
}>;

const createPorts = (config: Config, opened: Opened, given: ComposeOverrides): Ports => {
	const {database, rings, clock, shared, webhookPlanner} = opened;
	return {
		...database.stores,
		...shared,
		clock,
		webhookPlanner,
		ids: createIds(),
		secrets: createSecrets({keys: rings.jwt}),
		signatures: createSignatures(),
		passwords: given.passwords ?? createPasswordHasher(),
		accessTokens: createAccessTokens({
			keys: rings.jwt,
			issuer: config.baseUrl ?? `http://${config.host}:${config.port}`,
		}),
		cipher: createCipher({keys: rings.master}),
	};
};

type Parts = Readonly<{core: Core; ports: Ports; database: SqlDatabase; metrics: Metrics}>;

/** Where people decide, as they see it. */
type Decidable = Parts & Readonly<{base_url: string}>;

const dueWork = ({core, ports, database, base_url}: Decidable, sweepEvery: number): readonly SweepTask[] => {
	const minutely = 60 * sweepEvery;
	const sendNotifications = (limit: number) => core.live.notificationSending.send(limit, base_url);
	return [
		{name: 'approvals', every_ms: sweepEvery, run: core.mcp.approvals.expireDue},
		{name: 'abandoned_calls', every_ms: sweepEvery, run: core.mcp.abandonedCalls.recover},
		...cronTasks(core, sweepEvery),
		{name: 'channel_notifications', every_ms: sweepEvery, run: (signal) => drained(sendNotifications, signal)},
		{name: 'sessions', every_ms: minutely, run: ports.sessions.purge},
		{name: 'device_logins', every_ms: minutely, run: ports.deviceLogins.purge},
		{name: 'idempotent_answers', every_ms: minutely, run: () => ports.idempotency.purge()},
		{name: 'old_live_events', every_ms: minutely, run: core.live.purge},
		{name: 'old_signals', every_ms: minutely, run: database.sharing.signalLog.purge},
		{name: 'full_rate_buckets', every_ms: minutely, run: database.sharing.rateLimiter.purge},
		{name: 'old_calls', every_ms: minutely, run: core.accounts.retention.purgeCalls},
		{name: 'old_approvals', every_ms: minutely, run: core.accounts.retention.purgeApprovals},
		{name: 'old_notifications', every_ms: minutely, run: core.accounts.retention.purgeNotifications},
		{name: 'old_rollups', every_ms: minutely, run: core.accounts.retention.purgeRollups},
		{name: 'old_events', every_ms: minutely, run: core.accounts.retention.purgeEvents},
		{name: 'old_claims', every_ms: minutely, run: core.accounts.retention.purgeClaims},
		{name: 'old_executions', every_ms: minutely, run: core.accounts.retention.purgeExecutions},
		{name: 'old_chain_executions', every_ms: minutely, run: core.accounts.retention.purgeChainExecutions},
	];
};

/** Does what is due, if that is this process's to do. */
const startSweeping = ({roles}: Config, parts: Decidable, {log, sweepEvery = 1000}: ComposeOverrides): Sweep => {
	const {clock, signals} = parts.ports;
	const {countSwept} = parts.metrics;
	return startSweep(roles.includes('worker') ? dueWork(parts, sweepEvery) : [], {clock, signals, log, countSwept});
};

/** `close` once nothing is accepted any more. */
type Delivering = DeliverLoop & Readonly<{close(): Promise<void>}>;

/** Delivers webhooks, if that is this process's to do. */
const startDelivering = async (
	config: Config,
	{core, ports, metrics}: Parts,
	given: ComposeOverrides,
): Promise<Delivering | undefined> => {
	if (!config.roles.includes('worker')) return undefined;
	const count = await ports.deliveries.recover();
	if (count > 0) given.log.info({count}, 'deliveries that a dead process held are due again');
	const sender = createWebhookSender({guard: createAddressGuard(config.allowedPrivateCidrs)});
	const {deliveries} = core.webhook;
	const {clock, ids} = ports;
	const needs = {deliveries, store: ports.deliveries, send: sender.send, clock, ids};
	const loop = startDeliverLoop(
		{...needs, log: given.log, metrics: metrics.deliver},
		{look_every: given.sweepEvery ?? 1000},
	);
	const unsubscribe = ports.signals.subscribe(({type}) => {
		if (type === 'webhook.delivery.due') loop.wake();
	});
	return {
		...loop,
		stop: async () => {
			unsubscribe();
			await loop.stop();
		},
		close: async () => {
			// Of webhooks that were accepted after it had stopped, leases are given back still.
			await loop.stop();
			await sender.close();
		},
	};
};

const listen = async (
	config: Config,
	parts: Parts & Readonly<{deliver: DeliverLoop | undefined}>,
	given: ComposeOverrides,
): Promise<RunningServer> =>
	createServer({
		...parts,
		settings: {
			...config,
			limits: given.limits ?? defaultEdgeLimits,
			timeouts: given.timeouts ?? defaultEdgeTimeouts,
		},
		health: {ping: parts.database.ping, pending: parts.database.pending},
		log: given.log,
	});

/** Serves agents and the command line, if that is this process's to do. */
const serveAgents = async (
	{roles, grpc}: Config,
	parts: Parts & Readonly<{base_url: string}>,
	{log, limits = defaultEdgeLimits}: ComposeOverrides,
): Promise<RunningGrpc | undefined> => (roles.includes('grpc') ? startGrpc(grpc, {...parts, log, limits}) : undefined);

/** What a server that keeps databases, or SQLite, says when it does not let us in is for whoever set the address. */
const openingFault = ({databaseUrl, sharedDatabase}: Config, error: Error): Error => {
	const {message} = rootOf(error);
	// What the file system refuses names the file itself.
	if (!sharedDatabase && !message.startsWith('SQLITE_')) return error;
	return new ConfigError(`DATABASE_URL: the database ${placeOf(databaseUrl)} could not be opened: ${message}`);
};

const openStore = async (config: Config, given: ComposeOverrides): Promise<SqlDatabase> =>
	openDatabase({
		url: config.databaseUrl,
		clockOffset: given.clockOffset ?? none,
		existing: given.existing ?? false,
	}).catch((error: Error) => {
		throw openingFault(config, error);
	});

/** Opens the store and puts the server together, without starting it. */
export const compose = async (config: Config, given: ComposeOverrides): Promise<Composition> => {
	const database = await openStore(config, given);
	const rings = await openKeyRings(config, given.serves);
	const {clockOffset = none, clockSkew = 0} = given;
	const clock = createClock({offset: () => clockOffset() + clockSkew});
	const shared = await createSharedPorts(config, database.sharing, {clock, log: given.log});
	const webhookPlanner = createWebhookPlanner();
	const ports = createPorts(config, {database, rings, clock, shared, webhookPlanner}, given);
	const core = createCore(ports, {
		default_plan: config.defaultPlan,
		registration: config.registration,
		...(given.agentTimes && {agent_times: given.agentTimes}),
	});
	const metrics = createMetrics();
	let server: RunningServer | undefined;
	let sweep: Sweep | undefined;
	let deliver: Delivering | undefined;
	let grpc: RunningGrpc | undefined;
	return {
		core,
		ports,
		database,
		start: async (tell = () => {}) => {
			await database.migrate();
			await shared.signals.start();
			core.live.start();
			for (const notice of await missingKeyNotice(core)) {
				tell(notice);
				given.log.error(notice);
			}
			for (const notice of await newTokenKeyNotice(ports.users, rings)) given.log.warn(notice);
			for (const notice of await makeFirstAccount(core, ports.secrets, config)) tell(notice);
			const parts = {core, ports, database, metrics};
			deliver = await startDelivering(config, parts, given);
			server = await listen(config, {...parts, deliver}, given);
			grpc = await serveAgents(config, {...parts, base_url: server.addresses.base_url}, given);
			sweep = startSweeping(config, {...parts, base_url: server.addresses.base_url}, given);
			return {...server, grpc_url: grpc?.url};
		},
		stop: async () => {
			// All at once: each has some seconds for what it has begun, and together they have no more.
			await Promise.all([server?.stop(), grpc?.stop(), deliver?.stop(), sweep?.stop()]);
			await deliver?.close();
			await webhookPlanner.close();
			await core.live.stop();
			await shared.signals.close();
			await database.close();
		},
	};
};
