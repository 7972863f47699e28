import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {json} from 'node:stream/consumers';
import {compose, createLogger, readConfig} from '@signalbox/hapi-server';

type ToolCall = Readonly<{id: number; params: Readonly<{name: string}>}>;
type ToolResult = Readonly<{result: Readonly<{content: readonly Readonly<{text: string}>[]}>}>;

/** An MCP server, as small as one can be: it does whatever it is called for, and keeps in mind what it did. */
export const openShop = async () => {
	const ran: string[] = [];
	const server = createServer(async (request, response) => {
		const {id, params} = (await json(request)) as ToolCall;
		ran.push(params.name);
		const result = {content: [{type: 'text', text: `${params.name} ran`}]};
		response.setHeader('content-type', 'application/json').end(JSON.stringify({jsonrpc: '2.0', id, result}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	return {url: `http://127.0.0.1:${port}/mcp`, ran, close: () => server.close().closeAllConnections()};
};

/** What an agent does. @returns the text that came back, of the tool or of whoever held the call */
export const callTool = async (url: string, name: string, args: object): Promise<string> => {
	const response = await fetch(url, {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
		body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: args}}),
	});
	const body = await response.text();
	const message = body.startsWith('{') ? body : (/^data: (\{.*\})$/m.exec(body)?.[1] ?? body);
	return (JSON.parse(message) as ToolResult).result.content.map(({text}) => text).join('\n');
};

/** What `npm start` in the root does, on a free port and with a database that goes with it. */
export const startSignalbox = async () => {
	const directory = await mkdtemp(join(tmpdir(), 'approve-'));
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
