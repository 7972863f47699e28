/** A raw node:http server with one answer for everything. An argument gives its size in bytes. Prints its address. */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {responseBody} from '../message.ts';

const body = Buffer.from(responseBody(Number(process.argv[2])));
const headers = {'content-type': 'application/json', 'content-length': body.length};

const server = createServer((request, response) => {
	request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
