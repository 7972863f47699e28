import type {McpServer} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {client} from '../session/client.ts';

/** The servers of the team, and what they are called; a short form of the id for those that are gone. */
export const useServers = (): Readonly<{servers: readonly McpServer[]; nameOf: (id: string) => string}> => {
	const {data = []} = useResource('mcp/servers', async () => (await client.mcp.servers.list()).data);
	return {servers: data, nameOf: (id) => data.find((server) => server.id === id)?.name ?? `…${id.slice(-6)}`};
};
