import type {OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse} from 'node:http';

/** The answer to one client. Every method may be called at any time: what a client that left misses is dropped. */
export type ClientStream = Readonly<{
	/** True once status and headers are written: from then on they cannot change. */
	isOpen(): boolean;
	/** Status and headers leave with the first bytes, or at `flush`. */
	open(status: number, headers: OutgoingHttpHeaders): void;
	flush(): void;
	/** Resolves when the client can take more, or is gone. */
	write(chunk: Uint8Array | string): Promise<void>;
	end(chunk?: Uint8Array | string): void;
	/** Cuts the connection, so that the client sees an answer that broke off, not one that is complete. */
	abort(): void;
}>;

const drained = (response: ServerResponse): Promise<void> =>
	new Promise((resolve) => {
		const settle = () => {
			response.off('drain', settle).off('close', settle);
			resolve();
		};
		response.on('drain', settle).on('close', settle);
	});

/**
 * Names and values in turn, which Node writes as they are. Headers that are given last replace our own, but what an answer
 * varies by adds up.
 */
const joined = (own: OutgoingHttpHeaders, headers: OutgoingHttpHeaders): OutgoingHttpHeader[] => {
	const all: OutgoingHttpHeader[] = [];
	for (const name of Object.keys(own)) {
		const value = own[name];
		if (value !== undefined && headers[name] === undefined) all.push(name, value);
	}
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		const isShared = name === 'vary' && own.vary !== undefined;
		if (value !== undefined) all.push(name, isShared ? [value, own.vary].flat().join(', ') : value);
	}
	return all;
};

/** Past it, copying costs more than it saves. */
const smallBytes = 16 * 1024;

/**
 * Ends an answer. The bytes of a small one go as text, one character a byte: Node joins such text with the headers before
 * it, where a buffer is a second piece, of 2 us.
 */
const endWith = (response: ServerResponse, chunk: Uint8Array | string | undefined): void => {
	if (Buffer.isBuffer(chunk) && chunk.length <= smallBytes) response.end(chunk.toString('latin1'), 'latin1');
	else response.end(chunk);
};

const ignore = (): void => {};

class AnswerStream implements ClientStream {
	readonly #response: ServerResponse;
	readonly #own: OutgoingHttpHeaders;

	constructor(response: ServerResponse, own: OutgoingHttpHeaders) {
		this.#response = response;
		this.#own = own;
	}

	isOpen(): boolean {
		return this.#response.headersSent;
	}

	open(status: number, headers: OutgoingHttpHeaders): void {
		this.#response.writeHead(status, joined(this.#own, headers));
	}

	flush(): void {
		if (!this.#response.writableEnded) this.#response.flushHeaders();
	}

	async write(chunk: Uint8Array | string): Promise<void> {
		const response = this.#response;
		if (response.destroyed || response.writableEnded) return;
		if (!response.write(chunk) && !response.destroyed) await drained(response);
	}

	end(chunk?: Uint8Array | string): void {
		if (!this.#response.writableEnded) endWith(this.#response, chunk);
	}

	abort(): void {
		this.#response.destroy();
	}
}

/**
 * @param own headers, in small letters, that the answer carries whatever it is. They are written together with the others:
 *   where one header was set by itself Node takes a longer way for all of them, which costs 3 us.
 */
export const createClientStream = (response: ServerResponse, own: OutgoingHttpHeaders): ClientStream => {
	// A write to a client that just left is no error of ours; its departure is told by 'close'.
	response.on('error', ignore);
	return new AnswerStream(response, own);
};
