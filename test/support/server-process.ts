import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {createApi, registerPerson} from './api.ts';
import {bareEnvironment} from './bare-environment.ts';
import {databaseVariables, makeDataDirectory, removeDataDirectory} from './data-directory.ts';
import {watchAnswers} from './openapi/watch-answers.ts';

const program = fileURLToPath(new URL('../../packages/hapi-server/src/main.ts', import.meta.url));

/** The server as operators run it, in a process of its own, so that its memory is its own. */
export type ServerProcess = Readonly<{
	origin: string;
	/** The address at the proxy of a new server for that upstream. */
	addServer(target_url: string): Promise<string>;
	/** The rows of a tool's calls, newest first. */
	callsOf(tool_name: string): Promise<readonly Readonly<{status: string; error_message: string}>[]>;
	/** Resident memory now, in MiB. */
	memory(): Promise<number>;
	/** Ends it and removes its directory. */
	stop(): Promise<void>;
}>;

type Ready = Readonly<{base_url: string; grpc: string}>;

const readyLine = async (lines: AsyncIterable<string>): Promise<Ready> => {
	for await (const line of lines) if (line.startsWith('{"ready":true')) return JSON.parse(line);
	throw new Error('the server ended before it was ready');
};

const memoryIn = (metrics: string): number =>
	Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024;

/** One run of the server on a directory that outlives it. */
export type ServerRun = Readonly<{
	origin: string;
	grpcUrl: string;
	/** Sends the signal. Resolves once the process is gone. @returns its exit code, null when a signal ended it. */
	end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}>;

type Variables = Readonly<Record<string, string>>;

/** Where its log goes: to ours, to an open file, or to nobody who reads it. */
type LogOutput = 'inherit' | 'pipe' | number;

const spawnServer = (directory: string, variables: Variables, log: LogOutput) =>
	spawn(process.execPath, ['--conditions=@signalbox/source', program, 'start'], {
		// Where no .env file is.
		cwd: directory,
		env: {
			...{...bareEnvironment(), HOST: '127.0.0.1', PORT: '0', GRPC_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error'},
			...variables,
		},
		stdio: ['ignore', 'pipe', log],
	}) as ChildProcessByStdio<null, Readable, null>;

/** @param variables Of the configuration, beside ports, directory and log level. */
export const runServer = async (
	directory: string,
	variables: Variables = {},
	log: LogOutput = 'inherit',
): Promise<ServerRun> => {
	const child = spawnServer(directory, {...(await databaseVariables(directory)), ...variables}, log);
	const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
	const {base_url: origin, grpc: grpcUrl} = await readyLine(createInterface({input: child.stdout}));
	watchAnswers(origin);
	return {
		origin,
		grpcUrl,
		end: async (signal) => {
			child.kill(signal);
			const [code] = await exited;
			return code;
		},
	};
};

export const startServerProcess = async (): Promise<ServerProcess> => {
	const directory = await makeDataDirectory('process');
	const {origin, end} = await runServer(directory);
	const anonymous = createApi(origin);
	const {api} = await registerPerson(anonymous);
	return {
		origin,
		addServer: async (target_url) => {
			const made = await api.post('/v1/mcp/servers', {name: 'Upstream', target_url});
			if (made.status !== 201) throw new Error(made.text);
			return `${origin}/p/${made.body.slug}`;
		},
		callsOf: async (tool_name) =>
			(await api.get(`/v1/mcp/calls?tool_name=${encodeURIComponent(tool_name)}&limit=100`)).body.data,
		memory: async () => memoryIn((await anonymous.get('/metrics')).text),
		stop: async () => {
			await end('SIGTERM');
			await removeDataDirectory(directory);
		},
	};
};
