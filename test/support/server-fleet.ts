import {type RestartableServer, startRestartableServer, type Whereabouts} from './restartable-server.ts';

/** Server processes on one database. It is where one of those is that run: another one each time it is asked. */
export type ServerFleet = Whereabouts &
	Readonly<{
		/** Their data directory, by which tests read the database. */
		directory: string;
		servers: readonly RestartableServer[];
		/** Ends all in order. @returns their exit codes, null of those that did not run. */
		end(): Promise<readonly (number | null)[]>;
		/** Ends those that run, and removes the directory. */
		close(): Promise<void>;
	}>;

/** @param prepare What is there before the first interruption: what it answers is a part of the fleet. */
export const startServerFleet = async <T>(
	count: number,
	prepare: (origin: string) => Promise<T>,
): Promise<ServerFleet & T> => {
	// What a server says about a database that is away is no news here.
	const variables = {LOG_LEVEL: 'fatal'};
	const first = await startRestartableServer(prepare, {variables});
	const {directory} = first;
	const startAnother = async () => startRestartableServer(async () => undefined, {directory, variables});
	const servers: readonly RestartableServer[] = [
		first,
		...(await Promise.all(Array.from({length: count - 1}, startAnother))),
	];
	let turn = 0;
	return {
		...first,
		servers,
		origin: () => {
			const origins = servers.map(({origin}) => origin()).filter((origin) => origin !== undefined);
			turn += 1;
			return origins[turn % origins.length];
		},
		end: async () => (await Promise.all(servers.map(async ({end}) => end('SIGTERM')))).map(({code}) => code),
		close: async () => {
			for (const {close} of servers.toReversed()) await close();
		},
	};
};
