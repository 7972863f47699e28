import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {AgentTimes, PasswordHasher} from '@signalbox/core';
import {createPasswordHasher} from '@signalbox/core/node';
import {
	type Composition,
	type Config,
	compose,
	createLogger,
	defaultEdgeTimeouts,
	type EdgeLimits,
	type EdgeTimeouts,
	readConfig,
} from '@signalbox/hapi-server';

export type TestServerOptions = Readonly<{
	/** Variables of the configuration; HOST is loopback and PORT any free one. */
	env?: Readonly<Record<string, string>>;
	/** Default: so high that no test meets them. */
	limits?: EdgeLimits;
	/** Default: so long that no busy machine meets them. */
	timeouts?: EdgeTimeouts;
	/** Default: argon2id at its cheapest. */
	passwords?: PasswordHasher;
	/** How often due work is looked for. Milliseconds, default 20. */
	sweepEvery?: number;
	/** What agents are told when they register. Default: as in production. */
	agentTimes?: AgentTimes;
	/** How far the clocks of the server and of its database are ahead at first. Milliseconds, default 0. */
	ahead?: number;
	/** How many times as fast as the machine's its clocks run, from that moment on. Default: as fast. */
	speed?: Readonly<{times: number; since: number}>;
}>;

/** A whole server in this process, over SQLite in a directory of its own. */
export type TestServer = Readonly<{
	baseUrl: string;
	proxyUrl: string;
	/** Empty when the roles leave gRPC out. */
	grpcUrl: string;
	port: number;
	/** Where the database and the keys are. */
	dataDir: string;
	config: Config;
	composition: Composition;
	/** Every log line so far. */
	logs(): readonly string[];
	/** What start would have printed about the first account. */
	notices: readonly string[];
	/** Moves the clocks of the server and of its database, also back. Nothing sleeps. */
	advance(milliseconds: number): void;
	/** Ends the server and removes its directory. */
	close(): Promise<void>;
}>;

const plenty = {per_minute: 1_000_000, burst: 0};
const noEdgeLimits: EdgeLimits = {
	anonymous: plenty,
	address: {login: plenty, register: plenty, refresh: plenty},
	account: {login: plenty, register: plenty, refresh: plenty},
};

const patientEdge: EdgeTimeouts = {...defaultEdgeTimeouts, headers: 600_000, request: 600_000};

export const startTestServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-test-'));
	const config = readConfig({
		HOST: '127.0.0.1',
		PORT: '0',
		GRPC_PORT: '0',
		DATA_DIR: directory,
		LOG_LEVEL: 'trace',
		...options.env,
	});
	const logs: string[] = [];
	let offset = options.ahead ?? 0;
	const {times, since} = options.speed ?? {times: 1, since: 0};
	const composition = await compose(config, {
		log: createLogger(config.logLevel, {write: (line) => void logs.push(line)}),
		clockOffset: () => offset + (Date.now() - since) * (times - 1),
		sweepEvery: options.sweepEvery ?? 20,
		passwords: options.passwords ?? createPasswordHasher({memoryKiB: 8, passes: 1, queue: 1000}),
		limits: options.limits ?? noEdgeLimits,
		timeouts: options.timeouts ?? patientEdge,
		...(options.agentTimes && {agentTimes: options.agentTimes}),
	});
	const {addresses, grpc_url = '', port, notices} = await composition.start();
	return {
		baseUrl: addresses.base_url,
		proxyUrl: addresses.proxy_url,
		grpcUrl: grpc_url,
		port,
		dataDir: directory,
		config,
		composition,
		logs: () => logs,
		notices,
		advance: (milliseconds) => {
			offset += milliseconds;
		},
		close: async () => {
			await composition.stop();
			await rm(directory, {recursive: true, force: true});
		},
	};
};
