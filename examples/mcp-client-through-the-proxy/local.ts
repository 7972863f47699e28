import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {compose, createLogger, readConfig} from '@signalbox/hapi-server';
import {z} from 'zod';

const said = (text: string) => ({content: [{type: 'text' as const, text}]});

/** A server of the official SDK with two tools, of which one cannot be taken back. */
const createOrders = (cancelled: string[]): McpServer => {
	const server = new McpServer({name: 'orders', version: '1.0.0'});
	const inputSchema = {id: z.string()};
	server.registerTool('get_order', {description: 'Shows an order', inputSchema}, async ({id}) =>
		said(`order ${id}: ${cancelled.includes(id) ? 'cancelled' : 'open'}`),
	);
	server.registerTool('cancel_order', {description: 'Cancels an order', inputSchema}, async ({id}) => {
		cancelled.push(id);
		return said(`order ${id}: cancelled`);
	});
	return server;
};

/** It keeps no sessions: each request gets a server of its own. */
export const openOrders = async () => {
	const cancelled: string[] = [];
	const http = createServer(async (request, response) => {
		const transport = new StreamableHTTPServerTransport({sessionIdGenerator: undefined, enableJsonResponse: true});
		await createOrders(cancelled).connect(transport);
		await transport.handleRequest(request, response);
	}).listen(0, '127.0.0.1');
	await once(http, 'listening');
	const {port} = http.address() as AddressInfo;
	return {url: `http://127.0.0.1:${port}/mcp`, cancelled, close: () => http.close().closeAllConnections()};
};

/** What `npm start` in the root does, on a free port and with a database that goes with it. */
export const startSignalbox = async () => {
	const directory = await mkdtemp(join(tmpdir(), 'mcp-client-'));
	const config = readConfig({PORT: '0', GRPC_PORT: '0', DATA_DIR: directory});
	const server = await compose(config, {
		log: createLogger('error', {write: (line) => void process.stderr.write(line)}),
	});
	const {addresses} = await server.start();
	return {
		url: addresses.base_url,
		stop: async () => {
			await server.stop();
			await rm(directory, {recursive: true});
		},
	};
};
