import {type Api, bearer, createApi, registerPerson} from '../../support/api.ts';
import {changeRow, databaseVariables, makeDataDirectory, removeDataDirectory} from '../../support/data-directory.ts';
import {runServer, type ServerRun} from '../../support/server-process.ts';

/** Somebody who asks both servers. */
export type Racer = Readonly<{
	id: string;
	email: string;
	refresh_token: string;
	/** The server whose turn it is, asked by the racer. */
	at(turn: number): Api;
}>;

/** Two server processes on one database, by turns: the even ones are the first one's, the odd ones the other's. */
export type RacingServers = Readonly<{
	/** By which the database is read. */
	directory: string;
	originAt(turn: number): string;
	/** Somebody new, who comes from an address of their own. @param plan Default: one without limits. */
	addRacer(plan?: string): Promise<Racer>;
	/** Ends a process. Resolves once it is gone. */
	end(turn: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
	/** Starts one in the place of one that ended. */
	start(turn: number): Promise<void>;
	close(): Promise<void>;
}>;

/** As operators run them, beside that many people ask from one machine. */
const variablesOf = async (directory: string): Promise<Readonly<Record<string, string>>> => {
	const {DATABASE_URL} = await databaseVariables(directory);
	return {
		SIGNALBOX_TRUSTED_PROXIES: '127.0.0.1/32',
		// With as many connections as there are by default.
		...(DATABASE_URL !== undefined && {DATABASE_URL: DATABASE_URL.replace(/\?.*/, '')}),
	};
};

export const startRacingServers = async (): Promise<RacingServers> => {
	const directory = await makeDataDirectory('races');
	const variables = await variablesOf(directory);
	const runs: ServerRun[] = [];
	const start = async (turn: number) => {
		runs[turn % 2] = await runServer(directory, variables);
	};
	const end = async (turn: number, signal: 'SIGTERM' | 'SIGKILL') => {
		await runs[turn % 2]?.end(signal);
	};
	await start(0);
	await start(1);
	const originAt = (turn: number) => runs[turn % 2]?.origin ?? '';
	let racers = 0;
	return {
		directory,
		originAt,
		addRacer: async (plan) => {
			racers += 1;
			const common = {'x-forwarded-for': `198.51.100.${racers}`};
			const {api: _, ...person} = await registerPerson(createApi(originAt(0), common), 'racer');
			if (plan !== undefined) await changeRow(directory, `UPDATE users SET plan = '${plan}' WHERE id = ?`, person.id);
			const headers = {...common, ...bearer(person.access_token)};
			return {...person, at: (turn) => createApi(originAt(turn), headers)};
		},
		end,
		start,
		close: async () => {
			await Promise.all([end(0, 'SIGKILL'), end(1, 'SIGKILL')]);
			await removeDataDirectory(directory);
		},
	};
};
