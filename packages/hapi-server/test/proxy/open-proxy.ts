import type {McpCall, McpServerRecord} from '@signalbox/core';
import {createTestCore} from '@signalbox/core/testing';
import type {ExecutionContext} from 'ava';
import {startProxyAlone} from '../../../../test/support/mcp/proxy-alone.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import type {ProxySettings} from '../../src/proxy/proxy-settings.ts';

export type {Person} from '../../../../test/support/mcp/proxy-alone.ts';

export type ProxyOptions = Readonly<{core?: Parameters<typeof createTestCore>[0]; settings?: Partial<ProxySettings>}>;

/** Upstreams of tests listen on loopback. */
const loopback = ['127.0.0.0/8', '::1/128'];

/** A proxy over memory stores and a manual clock, on a port of its own; it ends with the test. */
export const openProxy = async (t: ExecutionContext, options: ProxyOptions = {}) => {
	const test = createTestCore(options.core);
	const proxy = await startProxyAlone(test, {allowed_private_cidrs: loopback, ...options.settings});
	t.teardown(proxy.end);
	const {owner, origin, held} = proxy;
	return {
		...test,
		...proxy,
		held: () => held.now,
		url: ({slug}: McpServerRecord) => `${origin}/p/${slug}`,
		/** The log of the team, oldest first, once it holds that many rows. */
		calls: async (count: number): Promise<readonly McpCall[]> => {
			const page = await until(async () => {
				const found = await test.core.mcp.calls.list(owner, {}, {limit: 100, offset: 0});
				return found.total >= count && found;
			}, `the call number ${count}`);
			return await Promise.all(page.data.toReversed().map(({id}) => test.core.mcp.calls.get(owner, id)));
		},
		/** The id of the one approval that is pending, once there is one. */
		pendingApproval: async (): Promise<string> => {
			const [approval] = await until(async () => {
				const found = await test.core.mcp.approvals.list(owner, 'pending');
				return found.length > 0 && held.now > 0 && found;
			}, 'a pending approval');
			if (approval === undefined) throw new Error('no approval is pending');
			return approval.id;
		},
	};
};

export type OpenProxy = Awaited<ReturnType<typeof openProxy>>;

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
