import {type McpServerRecord, plusSeconds} from '@signalbox/core';
import {addCaller, buildServer, createTestCore, type TestCore} from '@signalbox/core/testing';
import {createProxyHandler, defaultProxySettings, type ProxySettings} from '@signalbox/hapi-server';
import type {ExecutionContext} from 'ava';
import {listen} from '../../support/mcp/listen.ts';

type Overrides = Parameters<typeof createTestCore>[0];

/** Somebody with an API key and an access token, as the headers that carry them. */
const addPerson = async ({core, ports}: TestCore) => {
	const caller = await addCaller(ports);
	const {key, id: key_id} = await core.accounts.apiKeys.create(caller, {name: 'agent', scopes: ['proxy']});
	const issued_at = ports.clock.now();
	const claims = {user_id: caller.user_id, issued_at, expires_at: plusSeconds(issued_at, 900)};
	const token = await ports.accessTokens.sign(claims);
	return {
		caller,
		key_id,
		byKey: [['X-API-Key', key]] as const,
		byToken: [['Authorization', `Bearer ${token}`]] as const,
	};
};

export type LonePerson = Awaited<ReturnType<typeof addPerson>>;

const createHandler = ({core, ports}: TestCore, settings: Partial<ProxySettings>) => {
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
	return {proxy, held: () => held};
};

/** The proxy alone, over memory stores. Servers are added past the API, which would refuse some of the addresses. */
export const openLoneProxy = async (
	t: ExecutionContext,
	settings: Partial<ProxySettings>,
	overrides: Overrides = {},
) => {
	const test = createTestCore(overrides);
	const {ports} = test;
	const owner = await addCaller(ports);
	const {user_id, team_id} = owner;
	const {proxy, held} = createHandler(test, settings);
	const {close, ...listening} = await listen(proxy.handle);
	const end = async () => {
		await proxy.close();
		await close();
	};
	t.teardown(end);
	return {
		...listening,
		...test,
		/** Whose team has the servers. */
		owner,
		/** How many calls were ever held. */
		held,
		/** Waits for nobody and listens no more. */
		end,
		/** The path of a new server. */
		addServer: async (fields: Partial<McpServerRecord>): Promise<string> => {
			const server = buildServer({user_id, team_id, ...fields});
			await ports.mcpServers.create(server, null);
			return `/p/${server.slug}`;
		},
		addStranger: () => addPerson(test),
		/** Somebody else of the owner's team. */
		addMember: async (): Promise<LonePerson> => {
			const person = await addPerson(test);
			const membership = {
				team_id,
				user_id: person.caller.user_id,
				role: 'member',
				created_at: ports.clock.now(),
			} as const;
			await ports.teams.addMember(membership);
			return person;
		},
	};
};

export type LoneProxy = Awaited<ReturnType<typeof openLoneProxy>>;
