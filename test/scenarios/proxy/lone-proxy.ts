import type {McpServerRecord} from '@signalbox/core';
import {createTestCore} from '@signalbox/core/testing';
import type {ProxySettings} from '@signalbox/hapi-server';
import type {ExecutionContext} from 'ava';
import {type Person, startProxyAlone} from '../../support/mcp/proxy-alone.ts';

type Overrides = Parameters<typeof createTestCore>[0];

/** Somebody with an API key and an access token, as the headers that carry them. */
const withHeaders = ({key, token, ...person}: Person) => ({
	...person,
	byKey: [['X-API-Key', key]] as const,
	byToken: [['Authorization', `Bearer ${token}`]] as const,
});

export type LonePerson = ReturnType<typeof withHeaders>;

/** The proxy alone, over memory stores, as those see it who write its requests byte by byte. It ends with the test. */
export const openLoneProxy = async (
	t: ExecutionContext,
	settings: Partial<ProxySettings>,
	overrides: Overrides = {},
) => {
	const test = createTestCore(overrides);
	const proxy = await startProxyAlone(test, settings);
	t.teardown(proxy.end);
	return {
		...test,
		...proxy,
		/** How many calls were ever held. */
		held: () => proxy.held.ever,
		/** The path of a new server. */
		addServer: async (fields: Partial<McpServerRecord>): Promise<string> =>
			`/p/${(await proxy.addServer(fields)).slug}`,
		addStranger: async () => withHeaders(await proxy.addStranger(['proxy'])),
		addMember: async (): Promise<LonePerson> => withHeaders(await proxy.addMember(['proxy'])),
	};
};

export type LoneProxy = Awaited<ReturnType<typeof openLoneProxy>>;
