import {createServer as createHttpServer, type RequestListener} from 'node:http';
import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {gzipSync} from 'node:zlib';
import type {DeliveryAnswer, DeliveryFailure, DeliveryRequest} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {isFreed} from '../../../../test/support/collect-garbage.ts';
import {listen} from '../../../../test/support/mcp/listen.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {createWebhookSender, defaultSenderTimeouts, type SenderSettings} from '../../src/delivery/webhook-sender.ts';
import {createAddressGuard} from '../../src/outbound/address-guard.ts';
import type {FindAddresses} from '../../src/outbound/find-addresses.ts';

const never = new AbortController().signal;
const kept = 64 * 1024;

const openSender = (t: ExecutionContext, settings: Partial<SenderSettings> = {}) => {
	const sender = createWebhookSender({guard: createAddressGuard(['127.0.0.0/8', '::1']), ...settings});
	t.teardown(() => sender.close());
	return sender;
};

const requestTo = (url: string, fields: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
	method: 'POST',
	url: new URL(url),
	headers: [['Content-Type', 'application/json']],
	body: new TextEncoder().encode('{"a":1}'),
	...fields,
});

const openServer = async (t: ExecutionContext, listener: RequestListener) => {
	const server = await listen(listener);
	t.teardown(() => server.close());
	return server;
};

/** A server that speaks bytes, and the sockets that it has. */
const openTcp = async (t: ExecutionContext, onConnection: (socket: Socket) => void) => {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
		onConnection(socket);
		// Who does not read never learns that the other side went away.
		socket.resume();
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	t.teardown(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((closed) => server.close(closed));
	});
	const {port} = server.address() as AddressInfo;
	return {origin: `http://127.0.0.1:${port}`, port, sockets};
};

const answers = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text));

const failureOf = (ended: DeliveryAnswer | DeliveryFailure) => ('error_code' in ended ? ended.error_code : 'none');

test('what is sent arrives as it is: method, path, repeated headers in order, and every byte', async (t) => {
	const received: Readonly<{method: string; url: string; rawHeaders: string[]; body: Buffer}>[] = [];
	const server = await openServer(t, async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const {method = '', url = '', rawHeaders} = request;
		received.push({method, url, rawHeaders, body: Buffer.concat(chunks)});
		response.writeHead(201, {'x-a': ['1', '2']}).end('made');
	});
	const body = Uint8Array.from({length: 256}, (_, byte) => byte);
	const headers = [
		['X-Twice', 'ä'],
		['x-other', ''],
		['X-Twice', 'b'],
	] as const;
	const sender = openSender(t);
	const answer = await sender.send(requestTo(`${server.origin}/a%20b?c=d&c=e`, {method: 'PUT', headers, body}), never);
	if ('error_code' in answer) return t.fail(answer.error_code);
	t.is(answer.status_code, 201);
	t.is(answer.headers['x-a'], '1, 2');
	t.is(Buffer.from(answer.body).toString(), 'made');
	const [first] = received;
	t.like(first, {method: 'PUT', url: '/a%20b?c=d&c=e'});
	t.deepEqual(first?.body, Buffer.from(body));
	const pairs = (first?.rawHeaders ?? []).flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1]]] : []));
	t.deepEqual(
		pairs.filter(([name]) => /^x-/i.test(name ?? '')),
		headers.map(([name, value]) => [name, value]),
	);
	t.is(pairs.find(([name]) => name === 'content-length')?.[1], '256');
});

for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST'])
	test(`a ${method} without a body is delivered`, async (t) => {
		const server = await openServer(t, (request, response) =>
			response.writeHead(200, {'x-method': request.method}).end(),
		);
		const answer = await openSender(t).send(requestTo(server.origin, {method, body: new Uint8Array()}), never);
		t.like(answer, {status_code: 200, headers: {'x-method': method}});
	});

test('[WHK-063] a redirect is answered as what it is, and nobody goes where it leads', async (t) => {
	let visits = 0;
	const target = await openServer(t, (_request, response) => {
		visits += 1;
		response.end();
	});
	const redirects = [301, 302, 303, 307, 308];
	const server = await openServer(t, ({url}, response) =>
		response.writeHead(Number(url?.slice(1)), {location: `${target.origin}/metadata`}).end(),
	);
	const sender = openSender(t);
	for (const status of redirects)
		t.like(await sender.send(requestTo(`${server.origin}/${status}`), never), {status_code: status});
	t.is(visits, 0);
});

test('[WHK-054] of an endless answer the first 64 KiB are kept, then its connection is dropped', async (t) => {
	let isCut = false;
	const server = await openServer(t, (_request, response) => {
		response.writeHead(200).on('close', () => {
			isCut = true;
		});
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x')));
		};
		response.on('drain', more);
		more();
	});
	const answer = await openSender(t).send(requestTo(server.origin), never);
	t.like(answer, {status_code: 200});
	if (!('error_code' in answer)) t.deepEqual(Buffer.from(answer.body), Buffer.alloc(kept, 'x'));
	await until(() => isCut, 'the cut');
});

test('an answer of exactly what is kept is whole, and its connection is kept too', async (t) => {
	const connections = new Set<Socket>();
	const server = await openServer(t, (request, response) => {
		connections.add(request.socket);
		response.end(Buffer.alloc(kept, 'y'));
	});
	const sender = openSender(t);
	for (let count = 0; count < 10; count += 1) {
		const answer = await sender.send(requestTo(server.origin), never);
		t.is('body' in answer && answer.body.length, kept);
	}
	t.true(connections.size <= 2);
});

test('a gzip bomb stays the few bytes it is', async (t) => {
	const bomb = gzipSync(Buffer.alloc(30_000_000));
	const server = await openServer(t, (_request, response) =>
		response.writeHead(200, {'content-encoding': 'gzip'}).end(bomb),
	);
	const answer = await openSender(t).send(requestTo(server.origin), never);
	t.deepEqual('body' in answer && Buffer.from(answer.body), bomb.subarray(0, kept));
});

for (const [what, code, onConnection] of [
	['says nothing', 'timeout', () => {}],
	['drips', 'timeout', answers('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx')],
	['sends headers without end', 'timeout', answers('HTTP/1.1 200 OK\r\nx-a: 1\r\n')],
	['sends one interim answer after the other', 'bad_answer', answers('HTTP/1.1 103 Early\r\n\r\n'.repeat(30))],
	[
		'resets mid-body',
		'reset',
		(socket: Socket) => {
			socket.once('data', () => {
				socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', () => socket.resetAndDestroy());
			});
		},
	],
	[
		'ends mid-body',
		'reset',
		(socket: Socket) => {
			socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'));
		},
	],
	['resets before any answer', 'reset', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
	['speaks no HTTP', 'bad_answer', answers('220 mail.example ESMTP\r\n')],
	['sends headers of 100 KB', 'bad_answer', answers(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`)],
	['upgrades unasked', 'reset', answers('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')],
] as const) {
	test(`[WHK-073] a destination that ${what} is a failure: ${code}`, async (t) => {
		const {origin, sockets} = await openTcp(t, onConnection);
		const sender = openSender(t, {timeout_ms: code === 'timeout' ? 300 : 60_000});
		t.is(failureOf(await sender.send(requestTo(origin), never)), code);
		await until(() => sockets.size === 0, 'the end of the connection');
	});
}

test('what came before an answer broke off is kept with the failure', async (t) => {
	const {origin} = await openTcp(t, answers('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'));
	const ended = await openSender(t, {timeout_ms: 3000}).send(requestTo(origin), never);
	t.like(ended, {error_code: 'timeout', answer: {status_code: 200}});
	t.is('error_code' in ended && Buffer.from(ended.answer?.body ?? []).toString(), 'abc');
});

test('[WHK-072 WHK-073] unless told otherwise, 5 seconds to connect and 30 in all', (t) => {
	t.deepEqual(defaultSenderTimeouts, {connect_timeout_ms: 5000, timeout_ms: 30_000});
});

test('[WHK-072] a connection that is not there in time is a failure', async (t) => {
	// It accepts, and never shakes hands.
	const {port, sockets} = await openTcp(t, () => {});
	const sender = openSender(t, {connect_timeout_ms: 100, timeout_ms: 60_000});
	t.is(failureOf(await sender.send(requestTo(`https://127.0.0.1:${port}`), never)), 'timeout');
	await until(() => sockets.size === 0, 'the end of the connection');
});

test('nobody there is unreachable, plain HTTP behind https is no TLS', async (t) => {
	const gone = await listen(() => {});
	await gone.close();
	const sender = openSender(t);
	t.is(failureOf(await sender.send(requestTo(gone.origin), never)), 'unreachable');
	const plain = await openServer(t, (_request, response) => response.end());
	t.is(failureOf(await sender.send(requestTo(`https://127.0.0.1:${plain.port}`), never)), 'tls');
});

const resolvesTo =
	(address: string): FindAddresses =>
	(_hostname, _options, callback) =>
		callback(null, [{address, family: address.includes(':') ? 6 : 4}]);

for (const [id, what, addresses] of [
	['WHK-077', 'private', ['10.0.0.1', '172.16.3.4', '192.168.1.1', 'fd00::1']],
	['WHK-078', 'loopback', ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']],
	['WHK-079', 'link-local', ['169.254.1.1', 'fe80::1']],
	['WHK-080', 'metadata', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16']],
] as const) {
	test(`[${id}] a name that resolves to a ${what} address is not connected to, nor is the address itself`, async (t) => {
		const guard = createAddressGuard([]);
		for (const address of addresses) {
			const sender = openSender(t, {guard, find_addresses: resolvesTo(address), connect_timeout_ms: 100});
			for (const host of ['hooks.example', address.includes(':') ? `[${address}]` : address])
				t.is(failureOf(await sender.send(requestTo(`http://${host}/`), never)), 'blocked', `${host} at ${address}`);
		}
	});
}

test('a name that changes its address between two connections is judged at each', async (t) => {
	let visits = 0;
	const {port} = await openServer(t, (_request, response) => {
		visits += 1;
		response.writeHead(200, {connection: 'close'}).end();
	});
	let address = '127.0.0.1';
	const sender = openSender(t, {
		guard: createAddressGuard(['127.0.0.1']),
		find_addresses: (_hostname, _options, callback) => callback(null, [{address, family: 4}]),
	});
	t.like(await sender.send(requestTo(`http://hooks.example:${port}/`), never), {status_code: 200});
	address = '127.0.0.2';
	t.is(failureOf(await sender.send(requestTo(`http://hooks.example:${port}/`), never)), 'blocked');
	t.is(visits, 1);
});

test('an attempt that is given up rejects with the reason and cuts its connection', async (t) => {
	const {origin, sockets} = await openTcp(t, () => {});
	const end = new AbortController();
	const sent = openSender(t).send(requestTo(origin), end.signal);
	await until(() => sockets.size === 1, 'the connection');
	end.abort(new Error('the process stops'));
	await t.throwsAsync(sent, {message: 'the process stops'});
	await until(() => sockets.size === 0, 'the end of the connection');
	await t.throwsAsync(openSender(t).send(requestTo(origin), end.signal), {message: 'the process stops'});
});

test('[WHK-074 WHK-075] ten at once go to one destination, and those that hang hold up no other', async (t) => {
	let most = 0;
	const held: Socket[] = [];
	const {origin} = await openTcp(t, (socket) => {
		held.push(socket);
		most = Math.max(most, held.length);
	});
	const end = new AbortController();
	const sender = openSender(t);
	const hanging = Array.from({length: 30}, () => sender.send(requestTo(origin), end.signal).catch(() => 'given up'));
	await until(() => held.length === 10, 'ten connections');
	const quick = createHttpServer((_request, response) => void response.end());
	await new Promise<void>((listening) => quick.listen(0, '127.0.0.1', listening));
	t.teardown(() => quick.close());
	const url = `http://127.0.0.1:${(quick.address() as AddressInfo).port}/`;
	const answers = await Promise.all(Array.from({length: 50}, () => sender.send(requestTo(url), never)));
	t.true(answers.every((answer) => 'status_code' in answer && answer.status_code === 200));
	t.is(most, 10);
	end.abort();
	t.deepEqual(new Set(await Promise.all(hanging)), new Set(['given up']));
});

test('what hears of the end of the process leads to no request and no answer once the exchange is over', async (t) => {
	const server = await openServer(t, (_request, response) => response.end('thanks'));
	const sender = openSender(t);
	const {signal} = new AbortController();
	const listeners: unknown[] = [];
	const listenTo = signal.addEventListener.bind(signal);
	signal.addEventListener = (type: string, listener: Parameters<typeof listenTo>[1]) => {
		listeners.push(listener);
		listenTo(type, listener);
	};
	const send = async () => {
		const request = requestTo(server.origin);
		const answer = await sender.send(request, signal);
		return [new WeakRef(request), new WeakRef(answer)];
	};
	const left = await send();
	t.deepEqual(await Promise.all(left.map(isFreed)), [true, true]);
	t.is(listeners.length, 1);
});
