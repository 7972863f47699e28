import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {connect, type Socket} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import {type Listening, listen} from '../../support/mcp/listen.ts';
import {until} from '../../support/mcp/until.ts';

/** An upstream whose streams are silent, but for `/fast`, which sends as fast as it may. */
export type StreamingUpstream = Listening &
	Readonly<{
		/** Streams that are open now. */
		streams(): number;
		/** Bytes of the fast stream that the other side took, or that went as far as the socket. */
		sent(): number;
	}>;

const block = Buffer.from(': nothing new\n\n'.repeat(4096));

const sendWithoutEnd = async (response: ServerResponse, onSent: (bytes: number) => void) => {
	while (!response.destroyed) {
		onSent(block.length);
		if (response.write(block)) await pause(0);
		else await Promise.race([once(response, 'drain'), once(response, 'close')]);
	}
};

export const startStreamingUpstream = async (): Promise<StreamingUpstream> => {
	let streams = 0;
	let sent = 0;
	const listening = await listen((request, response) => {
		streams += 1;
		response.on('close', () => {
			streams -= 1;
		});
		response.writeHead(200, {'content-type': 'text/event-stream'}).write(': welcome\n\n');
		if (request.url === '/fast')
			void sendWithoutEnd(response, (bytes) => {
				sent += bytes;
			});
	});
	return {...listening, streams: () => streams, sent: () => sent};
};

/** A client of a GET stream, down to the socket: nothing else keeps or drops its bytes. */
const openStream = (address: string): Socket => {
	const {hostname, port, pathname, host} = new URL(address);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => {});
	socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`);
	return socket;
};

/** Clients whose streams are open: their first event is there. */
export const openIdleClients = async (address: string, count: number): Promise<readonly Socket[]> => {
	let welcomed = 0;
	const sockets = Array.from({length: count}, () => {
		const socket = openStream(address);
		let text = '';
		socket.on('data', (chunk) => {
			const before = text.includes(': welcome');
			text += chunk.toString('latin1');
			if (!before && text.includes(': welcome')) welcomed += 1;
		});
		return socket;
	});
	await until(() => welcomed === count, `the welcome of ${count} clients`);
	return sockets;
};

/** A client that takes a kilobyte at a time. */
export const openSlowClient = (address: string, every_ms: number): Readonly<{leave(): void}> => {
	const socket = openStream(address);
	socket.pause();
	// Node reads ahead up to its buffer, and no further while nobody takes from it.
	socket.on('readable', () => {});
	const timer = setInterval(() => socket.read(1024), every_ms);
	return {
		leave: () => {
			clearInterval(timer);
			socket.destroy();
		},
	};
};

/** Milliseconds from when every client hangs up until the upstream has seen all of them leave. */
export const leaveTogether = async (clients: readonly Socket[], upstream: StreamingUpstream, left: number) => {
	const start = performance.now();
	for (const client of clients) client.destroy();
	await until(() => upstream.streams() <= left, 'the end of every stream at the upstream');
	return performance.now() - start;
};
