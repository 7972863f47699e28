import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Api, bearer, createApi, registerPerson} from '../../support/api.ts';
import {runServer, type ServerRun} from '../../support/server-process.ts';
import type {Slugs, Whereabouts} from './interrupted-load.ts';

/** A server process that ends and starts again on the same directory. */
export type InterruptedServer = Whereabouts &
	Readonly<{
		slugs: Slugs;
		accessToken: string;
		database: string;
		/** The API as it is now. */
		api(): Api;
		/** Ends the process. @returns its exit code and how long it took to end, in milliseconds. */
		end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Readonly<{code: number | null; took: number}>>;
		start(): Promise<void>;
		/** Ends the process, if it runs, and removes the directory. */
		close(): Promise<void>;
	}>;

/** The person who decides, and their servers, before one upstream. */
const prepare = async (origin: string, target_url: string) => {
	const {api, access_token} = await registerPerson(createApi(origin));
	const add = async (approval_config: object): Promise<string> =>
		(await api.post('/v1/mcp/servers', {name: 'numbers', target_url, approval_config})).body.slug;
	const held = await add({enabled: true, trust_level: 'strict', ttl_seconds: 3600});
	return {slugs: {open: await add({enabled: false}), held}, accessToken: access_token};
};

export const startInterruptedServer = async (target_url: string): Promise<InterruptedServer> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-interrupted-'));
	let run: ServerRun | undefined = await runServer(directory);
	const prepared = await prepare(run.origin, target_url);
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
		api: () => createApi(run?.origin ?? '', bearer(prepared.accessToken)),
		end,
		start: async () => {
			run = await runServer(directory);
		},
		close: async () => {
			if (run !== undefined) await end('SIGKILL');
			await rm(directory, {recursive: true, force: true});
		},
	};
};
