import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {requestBody, requestHeaders} from './message.ts';
import {startTelling} from './processes.ts';
import type {Scenario} from './scenarios.ts';

const run = promisify(execFile);
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

const runWrk = async (url: string, connections: number, seconds: number): Promise<LoadResult> => {
	const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}:${value}`);
	const {stdout} = await run(wrk, ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url], {
		env: {BENCH_BODY: requestBody, BENCH_HEADERS: headers.join('\n')},
		timeout: (seconds + 30) * 1000,
	});
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
};

const runNode = async (url: string, {connections, rate = 0}: Scenario, seconds: number): Promise<LoadResult> => {
	const args = [pacer, url, connections, seconds, rate].map(String);
	const {told, stop} = await startTelling([process.execPath, args], (line) => JSON.parse(line));
	await stop();
	return told;
};

/** Loads an address for that many whole seconds, from a process of its own. */
export const load = async (url: string, scenario: Scenario, seconds: number): Promise<LoadResult> =>
	scenario.rate === undefined && closedLoopTool === 'wrk'
		? runWrk(url, scenario.connections, seconds)
		: runNode(url, scenario, seconds);
