import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {requestBody, requestHeaders} from './message.ts';
import {startTelling} from './processes.ts';
import type {Scenario} from './scenarios.ts';

const wrk = '/usr/bin/wrk';
const script = fileURLToPath(new URL('./call.lua', import.meta.url));
const pacer = fileURLToPath(new URL('./node-load.ts', import.meta.url));

/** What came of one load. `failures` are answers other than 200 and connections that broke. */
export type LoadResult = Readonly<{
	requests: number;
	seconds: number;
	/** Of all answers, headers included. */
	bytes: number;
	p50_ms: number;
	p99_ms: number;
	failures: number;
}>;

export const closedLoopTool = existsSync(wrk) ? 'wrk' : 'undici';

const isJson = (line: string): boolean => line.startsWith('{');

/** Runs a load generator until it has printed its figures. */
const figuresOf = async (command: string, args: readonly string[], env = process.env): Promise<LoadResult> => {
	const {told, ended} = await startTelling([command, args, {env}], (line) => (isJson(line) ? line : undefined));
	await ended;
	return JSON.parse(told);
};

const runWrk = async (url: string, connections: number, seconds: number): Promise<LoadResult> => {
	const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}:${value}`);
	const env = {BENCH_BODY: requestBody, BENCH_HEADERS: headers.join('\n')};
	return figuresOf(wrk, ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url], env);
};

const runNode = async (url: string, {connections, rate = 0}: Scenario, seconds: number): Promise<LoadResult> => {
	return figuresOf(process.execPath, [pacer, url, connections, seconds, rate].map(String));
};

/** Loads an address for that many whole seconds, from a process of its own. */
export const load = async (url: string, scenario: Scenario, seconds: number): Promise<LoadResult> =>
	scenario.rate === undefined && closedLoopTool === 'wrk'
		? runWrk(url, scenario.connections, seconds)
		: runNode(url, scenario, seconds);
