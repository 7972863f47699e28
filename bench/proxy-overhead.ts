/**
 * Requests per second of a JSON tools/call over 32 connections, straight to an upstream and through the proxy before the
 * same upstream, in rounds that alternate. Upstream and client share this process; the server has one of its own.
 */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Pool} from 'undici';
import {quantile, startServerProcess} from './server-process.ts';

const connections = 32;
const rounds = 4;
const roundMs = 3_000;

const params = {name: 'get_item', arguments: {id: '7', note: 'x'.repeat(200)}};
const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params});
const result = {content: [{type: 'text', text: 'y'.repeat(500)}]};
const response = JSON.stringify({jsonrpc: '2.0', id: 1, result});
const headers = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};

const startUpstream = async () => {
	const upstream = createServer((request, answer) => {
		request.resume().on('end', () => answer.writeHead(200, {'content-type': 'application/json'}).end(response));
	});
	await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
	return {upstream, url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`};
};

/** Milliseconds that each call of one round took. */
const load = async (address: string): Promise<readonly number[]> => {
	const {origin, pathname: path} = new URL(address);
	const pool = new Pool(origin, {connections});
	const times: number[] = [];
	const end = performance.now() + roundMs;
	const run = async () => {
		while (performance.now() < end) {
			const begun = performance.now();
			const answer = await pool.request({path, method: 'POST', headers, body});
			await answer.body.dump();
			if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
			times.push(performance.now() - begun);
		}
	};
	await Promise.all(Array.from({length: connections}, run));
	await pool.close();
	return times;
};

const register = async (baseUrl: string, target_url: string): Promise<string> => {
	const post = async (path: string, sent: object, more = {}) => {
		const init = {method: 'POST', headers: {'content-type': 'application/json', ...more}, body: JSON.stringify(sent)};
		return await (await fetch(new URL(path, baseUrl), init)).json();
	};
	const account = await post('/v1/auth/register', {email: 'bench@example.com', password: 'a long password'});
	const authorization = `Bearer ${account.access_token}`;
	const {slug} = await post('/v1/mcp/servers', {name: 'bench', target_url}, {authorization});
	return `${baseUrl}/p/${slug}`;
};

const show = (title: string, times: readonly number[]): void => {
	const perSecond = Math.round((times.length * 1000) / (rounds * roundMs));
	const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
	console.log(`${title}: ${perSecond} requests/s, p50 ${p50} ms, p99 ${p99} ms`);
};

const {upstream, url} = await startUpstream();
const server = await startServerProcess();
try {
	const proxied = await register(server.baseUrl, url);
	const times = {direct: [] as number[], proxied: [] as number[]};
	for (let round = 0; round < rounds; round += 1) {
		times.direct.push(...(await load(url)));
		times.proxied.push(...(await load(proxied)));
	}
	show('direct', times.direct);
	show('through the proxy', times.proxied);
} finally {
	await server.stop();
	upstream.closeAllConnections();
	upstream.close();
}
