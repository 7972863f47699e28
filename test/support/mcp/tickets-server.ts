import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {z} from 'zod';
import {listen} from './listen.ts';

export type TicketsServer = Readonly<{
	url: string;
	/** How often a tool ran, whatever became of its answer. */
	executions(tool: string): number;
	/** Lets the tools `slow` that run now, and those to come, end. */
	finishSlow(): void;
	close(): Promise<void>;
}>;

type Executions = Map<string, number>;

const text = (said: string) => ({content: [{type: 'text' as const, text: said}]});

const addTools = (server: McpServer, executions: Executions, slow: Promise<void>): void => {
	const count = (tool: string) => void executions.set(tool, (executions.get(tool) ?? 0) + 1);
	const item = {inputSchema: {id: z.string().optional()}};
	for (const tool of ['list_items', 'get_item', 'create_item', 'delete_item']) {
		server.registerTool(tool, item, async ({id}) => {
			count(tool);
			return text(`${tool} ${id ?? 'all'}`);
		});
	}
	server.registerTool('fail', {}, async () => {
		count('fail');
		return {...text('no such ticket'), isError: true};
	});
	server.registerTool('slow', {}, async () => {
		count('slow');
		await slow;
		return text('slept well');
	});
	server.registerTool('progress', {inputSchema: {steps: z.number()}}, async ({steps}, {_meta, sendNotification}) => {
		count('progress');
		for (let step = 1; step <= steps && _meta?.progressToken !== undefined; step += 1) {
			const params = {progressToken: _meta.progressToken, progress: step, total: steps};
			await sendNotification({method: 'notifications/progress', params});
		}
		return text(`${steps} steps`);
	});
};

/** Keeps a transport for each session, as the SDK's own examples do. */
const createSessions = (open: () => McpServer, enableJsonResponse: boolean) => {
	const transports = new Map<string, StreamableHTTPServerTransport>();
	const openSession = async (): Promise<StreamableHTTPServerTransport> => {
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: () => randomUUID(),
			enableJsonResponse,
			onsessioninitialized: (id) => void transports.set(id, transport),
			onsessionclosed: (id) => void transports.delete(id),
		});
		await open().connect(transport);
		return transport;
	};
	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const id = request.headers['mcp-session-id'];
		const transport = typeof id === 'string' ? transports.get(id) : await openSession();
		if (transport !== undefined) return await transport.handleRequest(request, response);
		response.writeHead(404, {'content-type': 'application/json'});
		response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
	};
};

/** A small MCP server with tools of every category, which counts what it runs. Answers as JSON, or as events. */
export const startTicketsServer = async ({json = false}: Readonly<{json?: boolean}> = {}): Promise<TicketsServer> => {
	const executions: Executions = new Map();
	const slow = Promise.withResolvers<void>();
	const handle = createSessions(() => {
		const server = new McpServer({name: 'tickets', version: '1.0.0'});
		addTools(server, executions, slow.promise);
		return server;
	}, json);
	const {origin, close} = await listen((request, response) => void handle(request, response));
	return {
		url: `${origin}/mcp`,
		executions: (tool) => executions.get(tool) ?? 0,
		finishSlow: slow.resolve,
		close: async () => {
			slow.resolve();
			await close();
		},
	};
};
