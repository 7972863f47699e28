import {type Caller, type KeyScope, type McpServerRecord, plusSeconds} from '@signalbox/core';
import {addCaller, buildServer, type TestCore} from '@signalbox/core/testing';
import {createProxyHandler, defaultProxySettings, type ProxySettings} from '@signalbox/hapi-server';
import {listen} from './listen.ts';

export type Person = Readonly<{caller: Caller; key: string; key_id: string; token: string}>;

const addPerson = async ({ports, core}: TestCore, scopes: readonly KeyScope[]): Promise<Person> => {
	const caller = await addCaller(ports);
	const {key, id: key_id} = await core.accounts.apiKeys.create(caller, {name: 'agent', scopes});
	const issued_at = ports.clock.now();
	const claims = {user_id: caller.user_id, issued_at, expires_at: plusSeconds(issued_at, 900)};
	return {caller, key, key_id, token: await ports.accessTokens.sign(claims)};
};

const createHandler = ({core, ports}: TestCore, settings: Partial<ProxySettings>) => {
	const lines: string[] = [];
	const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
	const held = {now: 0, ever: 0};
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
		log: {warn: log, error: log},
		metrics: {
			observeCall: () => {},
			countHeld: (change) => {
				held.now += change;
				held.ever += Math.max(0, change);
			},
		},
	});
	return {proxy, lines, held: held as Readonly<typeof held>};
};

/**
 * The proxy over the stores of a test, on a port of its own, without the API in front of them: servers are added past it,
 * which would refuse some of their addresses.
 */
export const startProxyAlone = async (test: TestCore, settings: Partial<ProxySettings>) => {
	const {ports} = test;
	const owner = await addCaller(ports);
	const {proxy, lines, held} = createHandler(test, settings);
	const {close, ...listening} = await listen(proxy.handle);
	return {
		...listening,
		/** Somebody whose team has the servers. */
		owner,
		/** What the proxy told operators. */
		lines,
		/** How many calls wait now, and how many ever did. */
		held,
		/** Ends the proxy while its listener stays open. */
		closeProxy: proxy.close,
		/** Ends both, whoever waits. */
		end: async () => {
			await proxy.close();
			await close();
		},
		addServer: async (fields: Partial<McpServerRecord>): Promise<McpServerRecord> => {
			const server = buildServer({user_id: owner.user_id, team_id: owner.team_id, ...fields});
			await ports.mcpServers.create(server, null);
			return server;
		},
		/** Somebody of no team of ours, with an API key of those scopes and an access token. */
		addStranger: (scopes: readonly KeyScope[]) => addPerson(test, scopes),
		/** Somebody else of the owner's team. */
		addMember: async (scopes: readonly KeyScope[]): Promise<Person> => {
			const person = await addPerson(test, scopes);
			const {user_id} = person.caller;
			await ports.teams.addMember(
				{team_id: owner.team_id, user_id, role: 'member', created_at: ports.clock.now()},
				1000,
			);
			return person;
		},
	};
};
