/**
 * How much later events arrive through the proxy than straight from the upstream, and how much later through a process
 * that only passes bytes on: on a busy machine that alone takes long. Streams of the three ways alternate, each with its
 * events at a pace. Upstream and client share this process and its clock.
 */
import {once} from 'node:events';
import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {quantile} from './quantile.ts';
import {runBench} from './run-bench.ts';
import {startRelayProcess, startServerProcess} from './server-process.ts';

const streams = 300;
const warmUp = 30;
const eventsPerStream = 6;
const pace_ms = 4;
/** What the project promises of the first event. */
const limit_ms = 20;

const eventOf = (message: object): string =>
	`event: message\ndata: ${JSON.stringify({jsonrpc: '2.0', ...message})}\n\n`;
const notification = eventOf({method: 'notifications/message', params: {level: 'info', data: 'x'.repeat(200)}});
const response = eventOf({id: 1, result: {content: [{type: 'text', text: 'y'.repeat(500)}]}});
const params = {name: 'get_item', arguments: {id: '7'}};
const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params});

/** When each event of the stream that runs was written. */
let written: number[] = [];

const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
	await once(incoming.resume(), 'end');
	outgoing.writeHead(200, {'content-type': 'text/event-stream'});
	for (let count = 1; count <= eventsPerStream; count += 1) {
		written.push(performance.now());
		// The last one of a call is its response, which the proxy holds back until it is in the log.
		outgoing.write(count === eventsPerStream && incoming.method === 'POST' ? response : notification);
		await pause(pace_ms);
	}
	outgoing.end();
};

/** How long after it was asked for, or written, each event of a stream came; the first from the request on. */
type Delays = readonly number[];

const agent = new Agent({keepAlive: true, maxSockets: 1});

const listen = async (url: string, method: 'POST' | 'GET'): Promise<Delays> => {
	written = [];
	const headers = {accept: 'application/json, text/event-stream', 'content-type': 'application/json'};
	const asked = performance.now();
	const outgoing = request(url, {method, agent, headers}).end(method === 'POST' ? body : undefined);
	const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
	const arrived: number[] = [];
	incoming.setEncoding('utf8').on('data', (text: string) => {
		for (const _end of text.matchAll(/\n\n/g)) arrived.push(performance.now());
	});
	await once(incoming, 'end');
	if (incoming.statusCode !== 200 || arrived.length !== eventsPerStream)
		throw new Error(`${url} answered ${incoming.statusCode} with ${arrived.length} events`);
	return arrived.map((at, index) => at - (index === 0 ? asked : (written[index] ?? asked)));
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

type Added = Readonly<{by_proxy: readonly Delays[]; by_relay: readonly Delays[]}>;
type Ways = Readonly<Record<'direct' | 'proxied' | 'relayed', string>>;

const minus = (delays: Delays, others: Delays): Delays => delays.map((delay, index) => delay - (others[index] ?? 0));

/** How much later each event came, stream by stream, than in a stream straight from the upstream just before. */
const measure = async ({direct, proxied, relayed}: Ways, method: 'POST' | 'GET'): Promise<Added> => {
	const by_proxy: Delays[] = [];
	const by_relay: Delays[] = [];
	for (let count = 0; count < warmUp + streams; count += 1) {
		const straight = await listen(direct, method);
		const through = await listen(proxied, method);
		const passed = await listen(relayed, method);
		if (count < warmUp) continue;
		by_proxy.push(minus(through, straight));
		by_relay.push(minus(passed, straight));
	}
	return {by_proxy, by_relay};
};

/** Prints a line and answers the p99. */
const show = (title: string, delays: Delays): number => {
	const [p50 = Number.NaN, p99 = Number.NaN, most = Number.NaN] = [0.5, 0.99, 1].map((share) =>
		quantile(delays, share),
	);
	console.log(`  ${title}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, most ${most.toFixed(2)} ms later`);
	return p99;
};

const firstOf = ([delay = Number.NaN]: Delays): number => delay;
const lastOf = (delays: Delays): number => delays.at(-1) ?? Number.NaN;

const report = ({by_proxy, by_relay}: Added, method: 'POST' | 'GET'): void => {
	console.log(`${streams} streams of ${method}, ${eventsPerStream} events each, ${pace_ms} ms apart`);
	const first = show('first event', by_proxy.map(firstOf));
	const noise = show('first event, bytes only passed on', by_relay.map(firstOf));
	show(
		'later events',
		by_proxy.flatMap((delays) => delays.slice(1, -1)),
	);
	show(method === 'POST' ? 'the response, once it is in the log' : 'last event', by_proxy.map(lastOf));
	const verdict = first <= limit_ms ? 'met' : noise > limit_ms ? 'not to be seen on a machine this busy' : 'MISSED';
	console.log(`  goal: first event at most ${limit_ms} ms later at p99: ${verdict}`);
	if (verdict === 'MISSED') process.exitCode = 1;
};

const addressOf = (port: number): string => `http://127.0.0.1:${port}/mcp`;

const run = async (): Promise<void> => {
	const upstream = createServer((incoming, outgoing) => void answer(incoming, outgoing));
	upstream.listen(0, '127.0.0.1');
	await once(upstream, 'listening');
	const {port} = upstream.address() as AddressInfo;
	const server = await startServerProcess();
	const relay = await startRelayProcess(port);
	try {
		const proxied = await register(server.baseUrl, addressOf(port));
		const ways = {direct: addressOf(port), relayed: addressOf(relay.port), proxied};
		for (const method of ['POST', 'GET'] as const) report(await measure(ways, method), method);
	} finally {
		await server.stop();
		await relay.stop();
		agent.destroy();
		upstream.closeAllConnections();
		upstream.close();
	}
};

await runBench({
	usage: 'npm run bench:sse, which takes no options',
	readOptions: (args) => parseArgs({args: [...args]}).values,
	run,
});
