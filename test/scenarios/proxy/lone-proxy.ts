import type {McpServerRecord} from '@signalbox/core';
import {addCaller, buildServer, createTestCore} from '@signalbox/core/testing';
import {createProxyHandler, defaultProxySettings, type ProxySettings} from '@signalbox/hapi-server';
import type {ExecutionContext} from 'ava';
import {listen} from '../../support/mcp/listen.ts';

/** The proxy alone, over memory stores. Servers are added past the API, which would refuse some of the addresses. */
export const openLoneProxy = async (t: ExecutionContext, settings: Partial<ProxySettings>) => {
	const {core, ports} = createTestCore();
	const {user_id, team_id} = await addCaller(ports);
	let held = 0;
	const proxy = createProxyHandler({
		core,
		ports,
		settings: {
			...defaultProxySettings,
			proxy_url: 'http://proxy.example.com',
			base_url: 'http://signalbox.example.com',
			local: true,
			...settings,
		},
		log: {warn: () => {}, error: () => {}},
		metrics: {
			observeCall: () => {},
			countHeld: (change) => {
				held += Math.max(0, change);
			},
		},
	});
	const {close, ...listening} = await listen(proxy.handle);
	const end = async () => {
		await proxy.close();
		await close();
	};
	t.teardown(end);
	return {
		...listening,
		/** How many calls were ever held. */
		held: () => held,
		/** The path of a new server. */
		addServer: async (fields: Partial<McpServerRecord>): Promise<string> => {
			const server = buildServer({user_id, team_id, ...fields});
			await ports.mcpServers.create(server, null);
			return `/p/${server.slug}`;
		},
	};
};

export type LoneProxy = Awaited<ReturnType<typeof openLoneProxy>>;
