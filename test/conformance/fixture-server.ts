import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {text as readText} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import {Server} from '@modelcontextprotocol/sdk/server/index.js';
import {type EventStore, StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type {RequestHandlerExtra} from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
	CallToolRequestSchema,
	CompleteRequestSchema,
	CreateMessageResultSchema,
	ElicitResultSchema,
	GetPromptRequestSchema,
	type JSONRPCMessage,
	ListPromptsRequestSchema,
	ListResourcesRequestSchema,
	ListResourceTemplatesRequestSchema,
	ListToolsRequestSchema,
	McpError,
	ReadResourceRequestSchema,
	type ServerNotification,
	type ServerRequest,
	SetLevelRequestSchema,
	SubscribeRequestSchema,
	UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type {Body} from '../support/api.ts';
import {listen} from '../support/mcp/listen.ts';
import {fixedAnswers, forms, prompts, resources, text, toolOf} from './fixture-content.ts';
import {isStateless, serveStateless} from './stateless-fixture.ts';

type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Tool = (args: Readonly<Record<string, unknown>>, call: Call) => Promise<object>;

const invalidParams = -32602;
const stepMs = 50;

const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
	Object.hasOwn(table, name) ? table[name] : undefined;

const said = (words: string) => ({content: [text(words)]});

const log: Tool = async (_args, {sendNotification}) => {
	for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
		await sendNotification({method: 'notifications/message', params: {level: 'info', data}});
		await pause(stepMs);
	}
	return said('Tool with logging executed successfully');
};

const progress: Tool = async (_args, {_meta, sendNotification}) => {
	const progressToken = _meta?.progressToken ?? 0;
	for (const done of [0, 50, 100]) {
		await sendNotification({method: 'notifications/progress', params: {progressToken, progress: done, total: 100}});
		await pause(stepMs);
	}
	return said(String(progressToken));
};

const sample: Tool = async ({prompt}, {sendRequest}) => {
	const messages = [{role: 'user' as const, content: text(String(prompt))}];
	const params = {messages, maxTokens: 100};
	const {content} = await sendRequest({method: 'sampling/createMessage', params}, CreateMessageResultSchema);
	return said(`LLM response: ${content.type === 'text' ? content.text : 'none'}`);
};

const ask =
	(requestedSchema: (typeof forms)[keyof typeof forms]): Tool =>
	async ({message = 'Please fill in.'}, {sendRequest}) => {
		const params = {message: String(message), requestedSchema};
		const {action, content} = await sendRequest({method: 'elicitation/create', params}, ElicitResultSchema);
		return said(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
	};

/** Ends its stream while it runs: the client fetches the answer with Last-Event-ID. */
const reconnect: Tool = async (_args, {closeSSEStream}) => {
	closeSSEStream?.();
	await pause(2 * stepMs);
	return said('Reconnection test completed successfully.');
};

const tools: Readonly<Record<string, Tool>> = {
	...Object.fromEntries(Object.entries(fixedAnswers).map(([name, content]) => [name, async () => ({content})])),
	...Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, ask(form)])),
	test_tool_with_logging: log,
	test_tool_with_progress: progress,
	test_sampling: sample,
	test_reconnection: reconnect,
	test_error_handling: async () => ({...said('This tool intentionally returns an error for testing'), isError: true}),
};

const serveTools = (server: Server): void => {
	server.setRequestHandler(ListToolsRequestSchema, async () => ({tools: Object.keys(tools).map(toolOf)}));
	server.setRequestHandler(CallToolRequestSchema, async ({params}, call) => {
		const tool = ownEntry(tools, params.name);
		if (tool === undefined) throw new McpError(invalidParams, `There is no tool ${params.name}`);
		return await tool(params.arguments ?? {}, call);
	});
};

const serveResources = (server: Server): void => {
	server.setRequestHandler(ListResourcesRequestSchema, async () => ({resources: resources.listed}));
	server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
		resourceTemplates: resources.templates,
	}));
	server.setRequestHandler(ReadResourceRequestSchema, async ({params}) => {
		const found = resources.read(params.uri);
		if (found === undefined) throw new McpError(invalidParams, `There is no resource ${params.uri}`, {uri: params.uri});
		return {contents: [found]};
	});
	server.setRequestHandler(SubscribeRequestSchema, async () => ({}));
	server.setRequestHandler(UnsubscribeRequestSchema, async () => ({}));
};

const servePrompts = (server: Server): void => {
	server.setRequestHandler(ListPromptsRequestSchema, async () => ({
		prompts: Object.entries(prompts).map(([name, prompt]) => ({
			name,
			description: `Conformance fixture: ${name}`,
			arguments: prompt.arguments.map((argument) => ({name: argument, required: true})),
		})),
	}));
	server.setRequestHandler(GetPromptRequestSchema, async ({params}) => {
		const prompt = ownEntry<(typeof prompts)[keyof typeof prompts]>(prompts, params.name);
		if (prompt === undefined) throw new McpError(invalidParams, `There is no prompt ${params.name}`);
		return {messages: prompt.messages(params.arguments ?? {})};
	});
};

const createFixture = (): Server => {
	const server = new Server(
		{name: 'conformance-fixture', version: '1.0.0'},
		{capabilities: {tools: {}, resources: {subscribe: true}, prompts: {}, logging: {}, completions: {}}},
	);
	serveTools(server);
	serveResources(server);
	servePrompts(server);
	server.setRequestHandler(SetLevelRequestSchema, async () => ({}));
	server.setRequestHandler(CompleteRequestSchema, async () => ({completion: {values: [], total: 0, hasMore: false}}));
	return server;
};

/** Keeps every event of a session, so that a client can take up a stream where it lost it. */
const createEvents = (): EventStore => {
	const events: {streamId: string; message: JSONRPCMessage}[] = [];
	return {
		storeEvent: async (streamId, message) => String(events.push({streamId, message}) - 1),
		replayEventsAfter: async (lastEventId, {send}) => {
			const streamId = events[Number(lastEventId)]?.streamId ?? '';
			for (const [index, event] of events.entries()) {
				// A priming event carries no message: there is nothing to send again.
				if (index > Number(lastEventId) && event.streamId === streamId && 'jsonrpc' in event.message)
					await send(String(index), event.message);
			}
			return streamId;
		},
	};
};

const refuse = (response: ServerResponse, status: number, message: string): void => {
	response.writeHead(status, {'content-type': 'application/json'});
	response.end(JSON.stringify({jsonrpc: '2.0', id: null, error: {code: -32000, message}}));
};

const isLoopback = (host: string | undefined): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? '');

const isForeign = ({headers}: IncomingMessage): boolean =>
	!isLoopback(headers.host) ||
	(headers.origin !== undefined && !isLoopback(headers.origin.replace(/^https?:\/\//, '')));

/**
 * The scenario about polling in 0.1.16 negotiates 2025-11-25, where streams begin with an event that primes them, and then
 * names 2025-03-26, where none do. What was negotiated counts here, or there would be nothing to poll.
 */
const keepNegotiatedVersion = ({rawHeaders}: IncomingMessage): void => {
	const name = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'mcp-protocol-version');
	if (rawHeaders[name + 1] === '2025-03-26') rawHeaders[name + 1] = '2025-11-25';
};

const readMessage = async (request: IncomingMessage): Promise<Body> => JSON.parse(await readText(request));

const createSessions = () => {
	const transports = new Map<string, StreamableHTTPServerTransport>();
	const open = async (): Promise<StreamableHTTPServerTransport> => {
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			eventStore: createEvents(),
			retryInterval: 500,
			onsessioninitialized: (id) => void transports.set(id, transport),
			onsessionclosed: (id) => void transports.delete(id),
		});
		await createFixture().connect(transport);
		return transport;
	};
	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		if (isForeign(request)) return refuse(response, 403, 'This Host or Origin is not one that may call here');
		const message = request.method === 'POST' ? await readMessage(request) : undefined;
		if (isStateless(request.headers, message)) return serveStateless(request.headers, message, response);
		const id = request.headers['mcp-session-id'];
		const transport = typeof id === 'string' ? transports.get(id) : await open();
		if (transport === undefined) return refuse(response, 404, 'Session not found');
		keepNegotiatedVersion(request);
		await transport.handleRequest(request, response, message);
	};
};

/** A server of both eras on one URL. Of the session era it has everything that the suites ask for; of the stateless era all but streams and tasks. */
export const startFixtureServer = async () => {
	const handle = createSessions();
	const {origin, close} = await listen((request, response) => {
		handle(request, response).catch((error: Error) => refuse(response, 400, error.message));
	});
	return {url: `${origin}/mcp`, close};
};
