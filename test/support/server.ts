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
import {databaseVariables, makeDataDirectory, removeDataDirectory} from './data-directory.ts';
import {watchAnswers} from './openapi/watch-answers.ts';

export type TestServerOptions = Readonly<{
	/** Variables of the configuration; HOST is loopback and PORT any free one. */
	env?: Readonly<Record<string, string>>;
	/** Default: so high that no test meets them. */
	limits?: EdgeLimits;
	/** Default: so long that no busy machine meets them. */
	timeouts?: EdgeTimeouts;
	/** Default: argon2id at its cheapest. */
	passwords?: PasswordHasher;
	/** How often due work is looked for. Milliseconds, default 100: many servers of tests look at once. */
	sweepEvery?: number;
	/** What agents are told when they register. Default: as in production. */
	agentTimes?: AgentTimes;
	/** How far the clocks of the server and of its database are ahead at first. Milliseconds, default 0. */
	ahead?: number;
	/** How many times as fast as the machine's its clocks run, from that moment on. Default: as fast. */
	speed?: Readonly<{times: number; since: number}>;
	/** How far the clock of the server alone is ahead besides. Milliseconds, default 0. */
	skew?: number;
}>;

/** A whole server in this process, over a database and a directory of its own. */
export type TestServer = Readonly<{
	baseUrl: string;
	proxyUrl: string;
	/** Empty when the roles leave gRPC out. */
	grpcUrl: string;
	port: number;
	/** Where its files are, and what its database is known by: servers on one directory share the database. */
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
	const directory = await makeDataDirectory('test');
	const config = readConfig({
		HOST: '127.0.0.1',
		PORT: '0',
		GRPC_PORT: '0',
		DATA_DIR: directory,
		LOG_LEVEL: 'trace',
		...(await databaseVariables(options.env?.DATA_DIR ?? directory)),
		...options.env,
	});
	const logs: string[] = [];
	let offset = options.ahead ?? 0;
	const {times, since} = options.speed ?? {times: 1, since: 0};
	const composition = await compose(config, {
		log: createLogger(config.logLevel, {write: (line) => void logs.push(line)}),
		clockOffset: () => offset + (Date.now() - since) * (times - 1),
		clockSkew: options.skew ?? 0,
		sweepEvery: options.sweepEvery ?? 100,
		passwords: options.passwords ?? createPasswordHasher({memoryKiB: 8, passes: 1, queue: 1000}),
		limits: options.limits ?? noEdgeLimits,
		timeouts: options.timeouts ?? patientEdge,
		...(options.agentTimes && {agentTimes: options.agentTimes}),
	});
	const notices: string[] = [];
	const {addresses, grpc_url = '', port} = await composition.start((notice) => notices.push(notice));
	watchAnswers(addresses.base_url);
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
			await removeDataDirectory(directory);
		},
	};
};
