import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';

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

/** Headers that are given last replace those set before, but what an answer varies by adds up. */
const withOwnVary = (response: ServerResponse, headers: OutgoingHttpHeaders): OutgoingHttpHeaders => {
	const own = headers.vary === undefined ? undefined : response.getHeader('vary');
	return own === undefined ? headers : {...headers, vary: [headers.vary, own].flat().join(', ')};
};

export const createClientStream = (response: ServerResponse): ClientStream => {
	// A write to a client that just left is no error of ours; its departure is told by 'close'.
	response.on('error', () => {});
	return {
		isOpen: () => response.headersSent,
		open: (status, headers) => void response.writeHead(status, withOwnVary(response, headers)),
		flush: () => {
			if (!response.writableEnded) response.flushHeaders();
		},
		write: async (chunk) => {
			if (response.destroyed || response.writableEnded) return;
			if (!response.write(chunk) && !response.destroyed) await drained(response);
		},
		end: (chunk) => {
			if (!response.writableEnded) response.end(chunk);
		},
		abort: () => void response.destroy(),
	};
};
