import {readFile} from 'node:fs/promises';
import {bytesOf} from './bytes-of.ts';

/**
 * A message down to its bytes: the lines of its head (of an interim answer's before it, if there is one), an empty one,
 * and the body in pieces that are written one by one; where the head says chunked, each is a chunk. Or the name of one
 * that many share. `\xHH` is that byte and `{x*9}` nine times that character; in heads `{path}` and `{host}` stand for
 * where the message goes, `{length}` for the length of its body, `{origin}` for ours, `{key}` for an API key.
 */
type MessageText = string | readonly (string | Meanwhile)[];

/** Happens over a connection of its own before the next piece is written. */
type Meanwhile = Readonly<{meanwhile: WireExchange}>;

/** An answer of the proxy's own, in place of the upstream's. */
export type OwnAnswer = Readonly<{
	/** Which of the differences by design it is. */
	because: string;
	status: number;
	/** Of the JSON-RPC error that is its body, or, as text, of an error of the API. */
	code?: number | string;
	id?: string | number;
	fields?: Readonly<Record<string, string>>;
}>;

export type WireExchange = Readonly<{
	request: MessageText;
	/** What the upstream answers; none where it is never asked. */
	answer?: MessageText;
	/** Every piece of the answer leaves only when the client has all that came before it. */
	paced?: boolean;
	/** Every piece of the answer is one byte. */
	by_byte?: boolean;
	/** Follow the chunks of the answer. */
	trailers?: readonly string[];
	/** The upstream answers when it has the head, before the body. */
	at_head?: boolean;
	/** The upstream closes after the answer; `cut`: before the end that its framing promises. */
	ends?: 'close' | 'cut';
	own?: OwnAnswer;
}>;

export type WireCase = Readonly<{
	group: string;
	name: string;
	/** Settings of the server at the proxy. */
	server?: Readonly<{forward_headers?: readonly string[]; upstream_headers?: Readonly<Record<string, string>>}>;
	/** Follows the slug. */
	suffix?: string;
	/** Over one connection, one after the other; or all requests at once. */
	exchanges: readonly WireExchange[];
	pipelined?: boolean;
}>;

type WireFile = Readonly<{messages: Readonly<Record<string, MessageText>>; cases: readonly WireCase[]}>;

const file: WireFile = JSON.parse(await readFile(new URL('wire.json', import.meta.url), 'utf8'));

export const wireCases = file.cases;

/** Where a request goes, and what the words in braces stand for. */
export type Address = Readonly<{port: number; words: Readonly<Record<string, string>>}>;

type Piece = Buffer | Meanwhile;

/** What is written to a socket. */
export type RawMessage = Readonly<{
	head: Buffer;
	pieces: readonly Piece[];
	/** As it goes over the wire. */
	frame(piece: Buffer): Buffer;
	/** After the last piece; empty unless chunked. */
	end: Buffer;
	/** True when only the end of the connection ends it. */
	endless: boolean;
}>;

const linesOf = (text: MessageText): readonly (string | Meanwhile)[] => {
	const lines = typeof text === 'string' ? file.messages[text] : text;
	if (lines === undefined || typeof lines === 'string') throw new Error(`there is no message ${String(text)}`);
	return lines;
};

/** How many of the lines are head: up to the empty line after the head that is none of an interim answer. */
const headLength = (lines: readonly unknown[]): number => {
	const empty = lines.indexOf('') + 1 || lines.length;
	return String(lines[0]).startsWith('HTTP/1.1 1') ? empty + headLength(lines.slice(empty)) : empty;
};

const chunkOf = (bytes: Buffer): Buffer =>
	Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const piecesOf = (steps: readonly (string | Meanwhile)[], byByte: boolean): readonly Piece[] =>
	steps.flatMap((step): readonly Piece[] => {
		if (typeof step !== 'string') return [step];
		const bytes = bytesOf(step);
		return byByte ? [...bytes].map((byte) => Buffer.of(byte)) : [bytes];
	});

export const isMeanwhile = (piece: Piece): piece is Meanwhile => 'meanwhile' in piece;

type Writing = Pick<WireExchange, 'by_byte' | 'trailers'>;

/** @param address where a request goes; in an answer no word stands for it. */
export const rawMessage = (text: MessageText, {words}: Address, writing: Writing = {}): RawMessage => {
	const lines = linesOf(text);
	const count = headLength(lines);
	const pieces = piecesOf(lines.slice(count), writing.by_byte === true);
	const trailers = (writing.trailers ?? []).map((line) => `${line}\r\n`).join('');
	const length = pieces.reduce((sum, piece) => sum + (isMeanwhile(piece) ? 0 : piece.length), 0);
	const filled: Readonly<Record<string, string>> = {...words, length: String(length)};
	const head = `${lines.slice(0, count).join('\r\n')}\r\n`.replaceAll(/\{(\w+)\}/g, (_, word) => filled[word] ?? '');
	const chunked = /^transfer-encoding: chunked$/im.test(head);
	return {
		head: bytesOf(head),
		pieces,
		frame: chunked ? chunkOf : (piece) => piece,
		end: Buffer.from(chunked ? `0\r\n${trailers}\r\n` : ''),
		endless: !chunked && !/^(?:content-length:|HTTP\/1\.1 [23]04 )/im.test(head),
	};
};
