/**
 * mcp-proxy before an HTTP upstream, put together from its library as its command line does for stdio, with its tap writing a
 * line an event. Arguments: address of the upstream, port, file of the tap.
 */
import {createWriteStream} from 'node:fs';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {Server} from '@modelcontextprotocol/server';
import {proxyServer, startHTTPServer, tapTransport} from 'mcp-proxy';

const [upstream, port, file] = process.argv.slice(2);
const lines = createWriteStream(file);
const client = new Client({name: 'mcp-proxy', version: '1.0.0'}, {capabilities: {}});
const transport = tapTransport(new StreamableHTTPClientTransport(new URL(upstream)), (event) => {
	lines.write(`${JSON.stringify(event)}\n`);
});
await client.connect(transport);

const serverCapabilities = client.getServerCapabilities();
const createServer = async () => {
	const server = new Server(client.getServerVersion(), {capabilities: serverCapabilities});
	await proxyServer({client, server, serverCapabilities});
	return server;
};
await startHTTPServer({createServer, host: '127.0.0.1', port: Number(port), sseEndpoint: null, stateless: true});
