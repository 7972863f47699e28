import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

const text = 'A result as tools give them. '.repeat(10);

/** Answers every JSON-RPC request at once. */
export const startUpstream = async () => {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const {id} = JSON.parse(Buffer.concat(chunks).toString());
		response.writeHead(200, {'content-type': 'application/json'});
		response.end(JSON.stringify({jsonrpc: '2.0', id, result: {content: [{type: 'text', text}]}}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
};
