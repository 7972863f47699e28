import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Body} from './api.ts';

export type ReceivedCall = Readonly<{headers: IncomingMessage['headers']; message: Body}>;

/** What the upstream says to a message: a JSON-RPC result or error, or a bare HTTP status. */
export type Script = (message: Body) => Body;

const defaultScript: Script = (message) => ({
	result: message.method === 'tools/call' ? {content: [{type: 'text', text: `ran ${message.params.name}`}]} : {},
});

const readBody = async (request: IncomingMessage): Promise<string> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
};

const answer = (response: ServerResponse, message: Body, said: Body): void => {
	if (typeof said.http === 'number') {
		response.writeHead(said.http, {'content-type': 'text/plain'}).end(said.text ?? '');
		return;
	}
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify({jsonrpc: '2.0', id: message.id, ...said}));
};

/** The smallest upstream there is: it answers JSON-RPC over HTTP by a script, and remembers what reached it. */
export const startJsonRpcUpstream = async (script: Script = defaultScript) => {
	const received: ReceivedCall[] = [];
	const server = createServer(async (request, response) => {
		const message = JSON.parse(await readBody(request));
		received.push({headers: request.headers, message});
		const said = await script(message);
		if (said !== undefined) answer(response, message, said);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		received,
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
};

let nextId = 1;

/** A JSON-RPC request with an id of its own. */
export const jsonRpc = (method: string, params: object = {}) => {
	nextId += 1;
	return {jsonrpc: '2.0', id: nextId, method, params};
};

export const toolCall = (name: string, args: object = {}) => jsonRpc('tools/call', {name, arguments: args});
