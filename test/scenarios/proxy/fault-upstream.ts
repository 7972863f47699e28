import type {Socket} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import {listenRaw} from '../../support/mcp/listen-raw.ts';

/** What an upstream puts on the wire in answer to one request, and what becomes of the connection. */
export type FaultyAnswer = Readonly<{
	/** Lines up to the blank one. In them `<length>` is the length of the body. Left out: the body is all there is. */
	head?: readonly string[];
	/** Text of which each character is one byte. `<id>` is the id of the request, as JSON. */
	body?: string;
	/** How often the body is sent. `endless`: until the connection is gone. */
	times?: number | 'endless';
	/** What follows the last of the bodies. */
	last?: string;
	/** The answer comes byte by byte, this many milliseconds apart. */
	byte_every_ms?: number;
	end: 'keep' | 'hold' | 'close' | 'reset';
}>;

export type FaultUpstream = Readonly<{
	port: number;
	url: string;
	/** Connections that are open now. */
	open(): number;
	/** Connections that ever were. */
	opened(): number;
	/** How many bytes of answers left, or at least went into the socket. */
	sent(): number;
	close(): Promise<void>;
}>;

type Request = Readonly<{id: unknown; tool: string}>;

const blockBytes = 64 * 1024;

/** Reads one request after the other off a connection. */
const createRequestReader = (onRequest: (request: Request) => void) => {
	let buffered = Buffer.alloc(0);
	return (chunk: Buffer): void => {
		buffered = Buffer.concat([buffered, chunk]);
		for (;;) {
			const head = buffered.indexOf('\r\n\r\n') + 4;
			if (head < 4) return;
			const length = Number(/^content-length: *(\d+)/im.exec(buffered.toString('latin1', 0, head))?.[1] ?? 0);
			if (buffered.length < head + length) return;
			const {id, params} = JSON.parse(buffered.toString('utf8', head, head + length) || '{}');
			buffered = buffered.subarray(head + length);
			onRequest({id, tool: params?.name ?? ''});
		}
	};
};

const write = (socket: Socket, bytes: Buffer): Promise<void> | undefined => {
	if (socket.destroyed || socket.write(bytes)) return undefined;
	return new Promise((resolve) => {
		const settle = () => {
			socket.off('drain', settle).off('close', settle);
			resolve();
		};
		socket.on('drain', settle).on('close', settle);
	});
};

const headOf = ({head, body = '', times = 1}: FaultyAnswer): string => {
	const length = times === 'endless' ? 0 : body.length * times;
	return head === undefined ? '' : `${head.join('\r\n').replace('<length>', String(length))}\r\n\r\n`;
};

/** Whole blocks where the body is repeated, so that a gigabyte costs no more memory than a block. */
function* blocksOf(answer: FaultyAnswer): Generator<Buffer> {
	const {body = '', times = 1, last = ''} = answer;
	const one = Buffer.from(body, 'latin1');
	if (times === 1) return yield Buffer.concat([Buffer.from(headOf(answer), 'latin1'), one]);
	yield Buffer.from(headOf(answer), 'latin1');
	const perBlock = Math.max(1, Math.floor(blockBytes / one.length));
	const block = Buffer.alloc(perBlock * one.length, one);
	let left = times === 'endless' ? Number.POSITIVE_INFINITY : times;
	for (; left >= perBlock; left -= perBlock) yield block;
	yield Buffer.concat([block.subarray(0, left * one.length), Buffer.from(last)]);
}

const die = (socket: Socket, end: FaultyAnswer['end']): void => {
	if (end === 'close') socket.end();
	if (end === 'reset') socket.resetAndDestroy();
};

const sendSlowly = async (socket: Socket, bytes: Buffer, byte_every_ms: number) => {
	for (let at = 0; at < bytes.length && !socket.destroyed; at += 1) {
		socket.write(bytes.subarray(at, at + 1));
		await pause(byte_every_ms);
	}
};

/** A server down to the byte: what it answers to a tool's name, it answers over a plain socket. */
export const startFaultUpstream = async (answerOf: (tool: string) => FaultyAnswer): Promise<FaultUpstream> => {
	let opened = 0;
	let sent = 0;
	const answer = async (socket: Socket, {id, tool}: Request) => {
		const scripted = answerOf(tool);
		const body = scripted.body?.replaceAll('<id>', JSON.stringify(id));
		for (const block of blocksOf({...scripted, ...(body !== undefined && {body})})) {
			if (socket.destroyed) return;
			if (scripted.byte_every_ms === undefined) await write(socket, block);
			else await sendSlowly(socket, block, scripted.byte_every_ms);
			sent += block.length;
		}
		// A reset takes back what the other side has not read yet.
		if (scripted.end === 'reset') await pause(5);
		die(socket, scripted.end);
	};
	const {port, sockets, close} = await listenRaw((socket) => {
		opened += 1;
		socket.on(
			'data',
			createRequestReader((request) => void answer(socket, request)),
		);
	});
	return {
		port,
		url: `http://127.0.0.1:${port}/mcp`,
		open: () => sockets.size,
		opened: () => opened,
		sent: () => sent,
		close,
	};
};
