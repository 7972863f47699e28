/**
 * The smallest MCP server over HTTP, for mcp-proxy, which speaks to its upstream with a client of its own: it greets, and
 * answers every other request with the same result as the other upstreams do, under the id that it was asked with. An
 * argument gives the size of an answer in bytes. Prints its address.
 */
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {responseBody} from '../message.ts';

const [beforeId = '', afterId = ''] = responseBody(Number(process.argv[2])).split('"id":1,');
const greeting = {
	protocolVersion: '2025-11-25',
	capabilities: {tools: {}},
	serverInfo: {name: 'bench', version: '0.0.0'},
};

const answer = (response: ServerResponse, body: string): void => {
	response.writeHead(200, {'content-type': 'application/json', 'content-length': body.length}).end(body);
};

const serve = (response: ServerResponse, text: string): void => {
	const {id, method} = JSON.parse(text);
	if (id === undefined) response.writeHead(202).end();
	else if (method === 'initialize') answer(response, JSON.stringify({jsonrpc: '2.0', id, result: greeting}));
	else answer(response, `${beforeId}"id":${JSON.stringify(id)},${afterId}`);
};

const server = createServer((request, response) => {
	if (request.method !== 'POST') return response.writeHead(405).end();
	let text = '';
	return request
		.setEncoding('utf8')
		.on('data', (chunk) => {
			text += chunk;
		})
		.on('end', () => serve(response, text));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
