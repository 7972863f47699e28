/** http-proxy with kept connections and without a log: the yardstick. An argument gives the origin. Prints its address. */
import {Agent, createServer} from 'node:http';
import httpProxy from 'http-proxy';

const agent = new Agent({keepAlive: true, maxSockets: 256});
const proxy = httpProxy.createProxyServer({target: process.argv[2], agent});
proxy.on('error', (_error, _request, response) => response.writeHead(502).end());

const server = createServer((request, response) => proxy.web(request, response));
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
