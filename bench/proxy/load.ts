import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {startTelling} from './processes.ts';

const wrk = '/usr/bin/wrk';
const script = fileURLToPath(new URL('./call.lua', import.meta.url));
const pacer = fileURLToPath(new URL('./node-load.ts', import.meta.url));

/** What is sent again and again. */
export type Message = Readonly<{url: string; headers: Readonly<Record<string, string>>; body: string}>;

/** Connections at once; requests a second, sent whether or not earlier ones were answered, or as fast as they can. */
export type Pace = Readonly<{connections: number; rate?: number}>;

/** What came of one load. `failures` are answers that say so and connections that broke. */
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
const figuresOf = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<LoadResult> => {
	const {told, ended} = await startTelling([command, args, {env}], (line) => (isJson(line) ? line : undefined));
	await ended;
	return JSON.parse(told);
};

const environmentOf = ({headers, body}: Message) => ({
	...process.env,
	BENCH_BODY: body,
	BENCH_HEADERS: Object.entries(headers)
		.map(([name, value]) => `${name}:${value}`)
		.join('\n'),
});

const runWrk = async (message: Message, connections: number, seconds: number): Promise<LoadResult> => {
	const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
	return figuresOf(wrk, [...size, '-s', script, message.url], environmentOf(message));
};

const runNode = async (message: Message, {connections, rate = 0}: Pace, seconds: number): Promise<LoadResult> => {
	const args = [pacer, message.url, connections, seconds, rate].map(String);
	return figuresOf(process.execPath, args, environmentOf(message));
};

/** Loads an address for that many whole seconds, from a process of its own. */
export const load = async (message: Message, pace: Pace, seconds: number): Promise<LoadResult> =>
	pace.rate === undefined && closedLoopTool === 'wrk'
		? runWrk(message, pace.connections, seconds)
		: runNode(message, pace, seconds);
