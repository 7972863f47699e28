import {type Api, bearer, createApi, registerPerson} from '../../support/api.ts';
import {type RestartableServer, startRestartableServer} from '../../support/restartable-server.ts';
import type {Slugs} from './interrupted-load.ts';

/** A server process that ends and starts again, with what its clients call. */
export type InterruptedServer = RestartableServer &
	Readonly<{
		slugs: Slugs;
		accessToken: string;
		/** The API as it is now. */
		api(): Api;
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
	const server = await startRestartableServer((origin) => prepare(origin, target_url));
	return {...server, api: () => createApi(server.origin() ?? '', bearer(server.accessToken))};
};
