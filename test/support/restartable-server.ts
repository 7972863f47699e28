import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {runServer, type ServerRun} from './server-process.ts';

/** Where a server is while it runs, and nothing while it does not. */
export type Whereabouts = Readonly<{origin(): string | undefined}>;

/** A server process that ends and starts again on the same directory. */
export type RestartableServer = Whereabouts &
	Readonly<{
		database: string;
		/** Ends the process. @returns its exit code and how long it took to end, in milliseconds. */
		end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Readonly<{code: number | null; took: number}>>;
		start(): Promise<void>;
		/** Ends the process, if it runs, and removes the directory. */
		close(): Promise<void>;
	}>;

/**
 * @param prepare What is there before the first interruption: what it answers is a part of the server.
 * @param keepsGrpcPort Each start listens for agents where the first one did, so that those which run find it again.
 */
export const startRestartableServer = async <T>(
	prepare: (origin: string, grpcUrl: string) => Promise<T>,
	{keepsGrpcPort = false}: Readonly<{keepsGrpcPort?: boolean}> = {},
): Promise<RestartableServer & T> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-interrupted-'));
	let run: ServerRun | undefined = await runServer(directory);
	const {origin, grpcUrl} = run;
	const prepared = await prepare(origin, grpcUrl);
	const variables: Record<string, string> = keepsGrpcPort ? {GRPC_PORT: new URL(grpcUrl).port} : {};
	const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
		const ending = run;
		// Those who are told nothing find out: what is on its way stays on its way.
		if (signal === 'SIGKILL') run = undefined;
		const began = performance.now();
		const code = (await ending?.end(signal)) ?? null;
		run = undefined;
		return {code, took: performance.now() - began};
	};
	return {
		...prepared,
		database: join(directory, 'signalbox.db'),
		origin: () => run?.origin,
		end,
		start: async () => {
			run = await runServer(directory, variables);
		},
		close: async () => {
			if (run !== undefined) await end('SIGKILL');
			await rm(directory, {recursive: true, force: true});
		},
	};
};
