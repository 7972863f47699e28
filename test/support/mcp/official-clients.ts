import {Client as ClientV2, StreamableHTTPClientTransport as TransportV2} from '@modelcontextprotocol/client';
import {Client as ClientV1} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport as TransportV1} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

type ToolResult = Readonly<{
	content: readonly Readonly<{type: string; text?: string}>[];
	isError?: boolean;
	_meta?: Readonly<Record<string, unknown>>;
}>;

type CallOptions = Readonly<{
	onprogress?: (progress: {progress: number; message?: string}) => void;
	signal?: AbortSignal;
	/** Milliseconds until the client gives up; default 20,000. */
	timeout?: number;
	/** Default: false, as in the SDKs. */
	resetTimeoutOnProgress?: boolean;
}>;

/** What tests do with an official client, whichever it is. */
export type OfficialClient = Readonly<{
	name: string;
	toolNames(): Promise<readonly string[]>;
	callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
	ping(): Promise<unknown>;
	/** Ends the session at the server, then the connection. */
	close(): Promise<void>;
}>;

type Connect = (url: string, headers?: Record<string, string>) => Promise<OfficialClient>;

const identity = {name: 'signalbox-tests', version: '1.0.0'};

const connectV1: Connect = async (url, headers = {}) => {
	const client = new ClientV1(identity);
	const transport = new TransportV1(new URL(url), {requestInit: {headers}});
	await client.connect(transport);
	return {
		name: '@modelcontextprotocol/sdk',
		toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
		callTool: async (name, args = {}, options = {}) =>
			(await client.callTool({name, arguments: args}, undefined, {timeout: 20_000, ...options})) as ToolResult,
		ping: () => client.ping(),
		close: async () => {
			await transport.terminateSession();
			await client.close();
		},
	};
};

const connectV2: Connect = async (url, headers = {}) => {
	const client = new ClientV2(identity);
	const transport = new TransportV2(new URL(url), {requestInit: {headers}});
	await client.connect(transport);
	return {
		name: '@modelcontextprotocol/client',
		toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
		callTool: async (name, args = {}, options = {}) =>
			(await client.callTool({name, arguments: args}, {timeout: 20_000, ...options})) as ToolResult,
		ping: () => client.ping(),
		close: async () => {
			await transport.terminateSession();
			await client.close();
		},
	};
};

/** The clients of both generations of the SDK. */
export const officialClients: readonly Readonly<{name: string; connect: Connect}>[] = [
	{name: 'sdk v1', connect: connectV1},
	{name: 'client v2', connect: connectV2},
];

/**
 * The client that speaks revision 2026-07-28, with its own loop over the rounds of a call.
 * @param fillIn what a person answers to a form.
 */
export const connectStateless = async (url: string, fillIn: () => Record<string, string> = () => ({})) => {
	const client = new ClientV2(identity, {
		capabilities: {elicitation: {form: {}}},
		versionNegotiation: {mode: {pin: '2026-07-28'}},
	});
	client.setRequestHandler('elicitation/create', async () => ({action: 'accept', content: fillIn()}));
	await client.connect(new TransportV2(new URL(url)));
	return {
		/** @param timeout of each round, in milliseconds. */
		callTool: async (name: string, args: Record<string, unknown> = {}, timeout = 20_000) =>
			(await client.callTool({name, arguments: args}, {timeout})) as ToolResult,
		close: () => client.close(),
	};
};
