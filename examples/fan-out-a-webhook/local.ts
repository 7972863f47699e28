import {on, once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {compose, createLogger, readConfig} from '@signalbox/hapi-server';

/** A service on this machine that takes webhooks; `next` resolves with the one that comes next. */
export const openService = async () => {
	const server = createServer().listen(0, '127.0.0.1');
	const arrivals = on(server, 'request');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		next: async () => {
			const {value: [request, response] = []} = await arrivals.next();
			const body = await text(request);
			response.end();
			return {headers: request.headers, body};
		},
		close: () => server.close().closeAllConnections(),
	};
};

/** What `npm start` in the root does, on a free port and with a database that goes with it. */
export const startSignalbox = async () => {
	const directory = await mkdtemp(join(tmpdir(), 'fan-out-'));
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
