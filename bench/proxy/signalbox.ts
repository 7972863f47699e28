import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {EngineName} from '../engine.ts';
import {openRecords} from '../records.ts';
import {openAudit} from './call-log-audit.ts';
import type {Contestant} from './contestant.ts';
import {requestBody, responseBody} from './message.ts';
import {makeDirectory, removeDirectory, startTelling} from './processes.ts';
import type {Upstream} from './upstream.ts';

export type Driver = 'sqlite3' | 'node';
export type SignalboxOptions = Readonly<{
	/** Where the server keeps its database: a disk. */
	directory: string;
	/** Default: the one that the server takes by itself. */
	driver: Driver | undefined;
	/** Default: SQLite. */
	engine?: EngineName;
	/** Where a CPU profile of each server goes. Default: none is made. */
	profile: string | undefined;
}>;

const root = fileURLToPath(new URL('../..', import.meta.url));
const preload = new URL('./peers/without-module.js', import.meta.url);
const otherLibrary: Readonly<Record<Driver, string>> = {sqlite3: 'node:sqlite', node: 'sqlite3'};

/** Builds what is stale: what is measured is what a user starts. */
export const buildServer = (): void => {
	execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.ts')], {stdio: 'inherit'});
};

/** @returns what was made. @throws Error when nothing was. */
export const post = async (url: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
	const init = {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body: JSON.stringify(body)};
	const response = await fetch(url, init);
	const text = await response.text();
	if (response.status !== 201) throw new Error(`POST ${url} answered ${response.status}: ${text}`);
	return JSON.parse(text);
};

/** Approvals on, with patterns to try before the one that allows the call; limits on, and out of reach. */
const settings = {
	approval_config: {
		enabled: true,
		default_action: 'require',
		trust_level: 'strict',
		rules: [
			{pattern: 'delete_*', action: 'require'},
			{pattern: '{create,update}_*', action: 'require'},
			{pattern: '*_admin', action: 'require'},
			{pattern: 'send_[a-m]*', action: 'require'},
			{pattern: 'get_*', action: 'allow'},
		],
	},
	rate_limit_config: {requests_per_minute: 1_000_000, burst: 1_000_000},
};

const register = async (base: string, target_url: string): Promise<string> => {
	const account = {email: 'bench@example.com', password: 'a long password'};
	const {access_token} = await post(`${base}/v1/auth/register`, account);
	const authorization = `Bearer ${access_token}`;
	const server = await post(`${base}/v1/mcp/servers`, {name: 'bench', target_url, ...settings}, {authorization});
	return `${base}/p/${server.slug}`;
};

/** How Node is started for the server. */
export const flagsOf = ({driver, profile}: Pick<SignalboxOptions, 'driver' | 'profile'>): readonly string[] => [
	// As in `npm start`.
	'--max-semi-space-size=16',
	...(driver ? ['--import', `${preload.href}?${encodeURIComponent(otherLibrary[driver])}`] : []),
	...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
];

/**
 * The server as it is built. Tells the line by which it says that it is ready.
 * @param variables Of its environment, besides where its data is.
 */
export const startServer = async (
	flags: readonly string[],
	dataDir: string,
	variables: Readonly<Record<string, string>> = {},
) => {
	const bin = join(root, 'packages/hapi-server/bin/signalbox-server.js');
	const own = {PATH: process.env.PATH, PORT: '0', GRPC_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn'};
	const env = {...own, ...variables};
	return await startTelling([process.execPath, [...flags, bin, 'start'], {cwd: dataDir, env}], (line) =>
		line.startsWith('{"ready":true') ? (JSON.parse(line) as {base_url: string; hook_url: string}) : undefined,
	);
};

/** Which library a running server has loaded: the native one is a file that is mapped into it. */
export const libraryOf = (pid: number): string =>
	readFileSync(`/proc/${pid}/maps`, 'utf8').includes('node_sqlite3.node') ? 'sqlite3' : 'node:sqlite';

/** The reference server as `npm start` runs it, over a fresh database. */
export const startSignalbox = async (
	upstream: Upstream,
	{engine = 'sqlite', ...options}: SignalboxOptions,
): Promise<Contestant> => {
	const dataDir = makeDirectory(options.directory);
	const records = await openRecords(engine, dataDir);
	const server = await startServer(flagsOf(options), dataDir, records.variables);
	const url = await register(server.told.base_url, upstream.url);
	const check = openAudit(records, {
		request: requestBody,
		response: responseBody(upstream.answerBytes),
	});
	return {
		name: engine === 'sqlite' ? 'ours' : 'ours on MariaDB',
		url,
		pid: server.pid,
		version: engine === 'sqlite' ? libraryOf(server.pid) : engine,
		audit: check,
		stop: async () => {
			await server.stop('SIGTERM');
			await records.close();
			removeDirectory(dataDir);
			if (server.child.exitCode !== 0) throw new Error(`the server ended with ${server.child.exitCode}`);
		},
	};
};
