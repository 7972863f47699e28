import {connect} from 'node:net';
import {type Caller, type KeyScope, type McpCall, type McpServerRecord, plusSeconds} from '@signalbox/core';
import {addCaller, buildServer, createTestCore, type TestCore} from '@signalbox/core/testing';
import type {ExecutionContext} from 'ava';
import {listen} from '../../../../test/support/mcp/listen.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {createProxyHandler} from '../../src/proxy/create-proxy-handler.ts';
import {defaultProxySettings, type ProxySettings} from '../../src/proxy/proxy-settings.ts';

export type OpenProxy = TestCore &
	Readonly<{
		origin: string;
		port: number;
		/** Somebody of the team that owns the servers. */
		owner: Caller;
		addServer(fields: Partial<McpServerRecord> & Pick<McpServerRecord, 'target_url'>): Promise<McpServerRecord>;
		url(server: McpServerRecord): string;
		/** Another member of the team, with an API key of those scopes and an access token. */
		addMember(scopes: readonly KeyScope[]): Promise<Person>;
		/** Somebody of no team of ours. */
		addStranger(scopes: readonly KeyScope[]): Promise<Person>;
		/** The log of the team, oldest first, once it holds that many rows. */
		calls(count: number): Promise<readonly McpCall[]>;
		/** The id of the one approval that is pending, once there is one. */
		pendingApproval(): Promise<string>;
		/** What the proxy told operators. */
		lines: readonly string[];
		held(): number;
		/** Ends the proxy while its listener stays open. */
		closeProxy(): Promise<void>;
	}>;

export type Person = Readonly<{caller: Caller; key: string; token: string}>;

export type ProxyOptions = Readonly<{core?: Parameters<typeof createTestCore>[0]; settings?: Partial<ProxySettings>}>;

/** Upstreams of tests listen on loopback. */
const loopback = ['127.0.0.0/8', '::1/128'];

const createHandler = ({core, ports}: TestCore, settings: Partial<ProxySettings>) => {
	const lines: string[] = [];
	const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
	let held = 0;
	const proxy = createProxyHandler({
		core,
		ports,
		settings: {
			...defaultProxySettings,
			proxy_url: 'http://proxy.example.com',
			base_url: 'http://signalbox.example.com',
			local: true,
			allowed_private_cidrs: loopback,
			...settings,
		},
		log: {warn: log, error: log},
		metrics: {
			observeCall: () => {},
			countHeld: (change) => {
				held += change;
			},
		},
	});
	return {proxy, lines, held: () => held};
};

const addPerson = async ({ports, core}: TestCore, scopes: readonly KeyScope[]): Promise<Person> => {
	const caller = await addCaller(ports);
	const {key} = await core.accounts.apiKeys.create(caller, {name: 'agent', scopes});
	const issued_at = ports.clock.now();
	const claims = {user_id: caller.user_id, issued_at, expires_at: plusSeconds(issued_at, 900)};
	return {caller, key, token: await ports.accessTokens.sign(claims)};
};

/** A proxy over memory stores and a manual clock, on a port of its own; it ends with the test. */
export const openProxy = async (t: ExecutionContext, options: ProxyOptions = {}): Promise<OpenProxy> => {
	const test = createTestCore(options.core);
	const {proxy, lines, held} = createHandler(test, options.settings ?? {});
	const listening = await listen(proxy.handle);
	const owner = await addCaller(test.ports);
	t.teardown(async () => {
		await proxy.close();
		await listening.close();
	});
	const calls = async (count: number) => {
		const page = await until(async () => {
			const found = await test.core.mcp.calls.list(owner, {}, {limit: 100, offset: 0});
			return found.total >= count && found;
		}, `the call number ${count}`);
		return await Promise.all(page.data.toReversed().map(({id}) => test.core.mcp.calls.get(owner, id)));
	};
	return {
		...test,
		...listening,
		owner,
		lines,
		held,
		calls,
		closeProxy: proxy.close,
		addServer: async (fields) => {
			const server = buildServer({user_id: owner.user_id, team_id: owner.team_id, ...fields});
			await test.ports.mcpServers.create(server, null);
			return server;
		},
		url: ({slug}) => `${listening.origin}/p/${slug}`,
		addStranger: (scopes) => addPerson(test, scopes),
		addMember: async (scopes) => {
			const person = await addPerson(test, scopes);
			const {user_id} = person.caller;
			await test.ports.teams.addMember({team_id: owner.team_id, user_id, role: 'member', created_at: test.clock.now()});
			return person;
		},
		pendingApproval: async () => {
			const [approval] = await until(async () => {
				const found = await test.core.mcp.approvals.list(owner, 'pending');
				return found.length > 0 && held() > 0 && found;
			}, 'a pending approval');
			if (approval === undefined) throw new Error('no approval is pending');
			return approval.id;
		},
	};
};

/** Everything under approval. */
export const requireAll: McpServerRecord['approval_config'] = {
	enabled: true,
	default_action: 'require',
	trust_level: 'strict',
	ttl_seconds: 300,
	rules: [],
};

export const acceptBoth = {accept: 'application/json, text/event-stream'};

export const rpc = (method: string, params?: unknown, id: unknown = 1) => ({jsonrpc: '2.0', id, method, params});

export const callOf = (name: string, args: unknown = {}, id: unknown = 1) =>
	rpc('tools/call', {name, arguments: args}, id);

/** POSTs a message as MCP clients do. Text and bytes go as they are. */
export const post = async (
	url: string,
	body: unknown,
	init: Readonly<{headers?: Record<string, string>; signal?: AbortSignal}> = {},
): Promise<Response> =>
	await fetch(url, {
		method: 'POST',
		redirect: 'manual',
		...init,
		headers: {'content-type': 'application/json', ...acceptBoth, ...init.headers},
		body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
	});

/** Sends bytes over a connection of its own, and answers all that comes back until the other side closes. */
export const sendRaw = async (port: number, bytes: string): Promise<string> => {
	const socket = connect(port, '127.0.0.1');
	const chunks: Buffer[] = [];
	socket.on('error', () => {});
	socket.on('data', (chunk) => chunks.push(chunk));
	socket.write(bytes);
	await new Promise((closed) => socket.on('close', closed));
	return Buffer.concat(chunks).toString();
};
