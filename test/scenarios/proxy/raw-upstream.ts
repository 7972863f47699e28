import type {Socket} from 'node:net';
import {setImmediate as turn} from 'node:timers/promises';
import {listenRaw} from '../../support/mcp/listen-raw.ts';
import {until} from '../../support/mcp/until.ts';
import {createByteReader, fieldOf, type HttpMessage, readBody, readHead} from './http-messages.ts';
import {type Address, isMeanwhile, type RawMessage, rawMessage, type WireExchange} from './wire-cases.ts';

/** An exchange whose request the upstream waits for. */
export type Due = Readonly<{
	exchange: WireExchange;
	/** How much of the answer the client has: -1 nothing, 0 the head, then bytes of the body. */
	arrived(): number;
	meanwhile(exchange: WireExchange): Promise<void>;
	/** The request is read and the answer is written, or could not be. */
	finish(error?: unknown): void;
}>;

const nowhere: Address = {port: 0, words: {}};

const writePieces = async (socket: Socket, {pieces, frame}: RawMessage, due: Due): Promise<void> => {
	let sent = 0;
	for (const piece of pieces) {
		const before = sent;
		if (due.exchange.paced) await until(() => due.arrived() >= before, `the arrival of what precedes byte ${before}`);
		else await turn();
		if (isMeanwhile(piece)) await due.meanwhile(piece.meanwhile);
		else {
			socket.write(frame(piece));
			sent += piece.length;
		}
	}
};

const writeAnswer = async (socket: Socket, due: Due): Promise<void> => {
	const {exchange} = due;
	const message = rawMessage(exchange.answer ?? [''], nowhere, exchange);
	socket.write(message.head);
	try {
		await writePieces(socket, message, due);
	} catch (error) {
		due.finish(error);
		return void socket.destroy();
	}
	if (exchange.ends !== 'cut') socket.write(message.end);
	if (exchange.ends !== undefined || message.endless) socket.end();
};

/** Answers by its script, down to the byte: the next request gets the answer of the exchange that is due next. */
export const startRawUpstream = async () => {
	const due: Due[] = [];
	const received: HttpMessage[] = [];
	const serve = async (socket: Socket) => {
		const reader = createByteReader(socket);
		for (;;) {
			const head = await readHead(reader);
			if (head === undefined) return socket.end();
			const next = due.shift();
			const early = next?.exchange.at_head === true;
			if (next && early) await writeAnswer(socket, next);
			else if (fieldOf(head, 'expect') !== '') socket.write('HTTP/1.1 100 Continue\r\n\r\n');
			received.push(await readBody(reader, head, {extent: 'announced'}));
			if (next === undefined) return socket.destroy();
			if (!early) await writeAnswer(socket, next);
			next.finish();
		}
	};
	const {port, close} = await listenRaw((socket) => void serve(socket));
	return {
		port,
		url: `http://127.0.0.1:${port}/mcp`,
		expect: (next: Due) => void due.push(next),
		/** Every request since it was asked last. */
		received: (): readonly HttpMessage[] => received.splice(0),
		close,
	};
};

export type RawUpstream = Awaited<ReturnType<typeof startRawUpstream>>;
