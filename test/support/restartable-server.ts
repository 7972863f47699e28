import {makeDataDirectory, removeDataDirectory} from './data-directory.ts';
import {runServer, type ServerRun} from './server-process.ts';

/** Where a server is while it runs, and nothing while it does not. */
export type Whereabouts = Readonly<{origin(): string | undefined}>;

/** A server process that ends and starts again on the same directory. */
export type RestartableServer = Whereabouts &
	Readonly<{
		/** Its data directory, by which tests read its database. */
		directory: string;
		/** Ends the process. @returns its exit code and how long it took to end, in milliseconds. */
		end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Readonly<{code: number | null; took: number}>>;
		start(): Promise<void>;
		/** Ends the process, if it runs, and removes the directory. */
		close(): Promise<void>;
	}>;

type RestartOptions = Readonly<{
	/** Each start listens for agents where the first one did, so that those which run find it again. */
	keepsGrpcPort?: boolean;
	/** That of another one, which shares its database and removes it. Default: one of its own. */
	directory?: string;
	/** Of the configuration. */
	variables?: Readonly<Record<string, string>>;
}>;

/**
 * @param prepare What is there before the first interruption: what it answers is a part of the server.
 */
export const startRestartableServer = async <T>(
	prepare: (origin: string, grpcUrl: string) => Promise<T>,
	options: RestartOptions = {},
): Promise<RestartableServer & T> => {
	const directory = options.directory ?? (await makeDataDirectory('interrupted'));
	let run: ServerRun | undefined = await runServer(directory, options.variables);
	const {origin, grpcUrl} = run;
	const prepared = await prepare(origin, grpcUrl);
	const variables = {...options.variables, ...(options.keepsGrpcPort && {GRPC_PORT: new URL(grpcUrl).port})};
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
		directory,
		origin: () => run?.origin,
		end,
		start: async () => {
			run = await runServer(directory, variables);
		},
		close: async () => {
			if (run !== undefined) await end('SIGKILL');
			if (options.directory === undefined) await removeDataDirectory(directory);
		},
	};
};
