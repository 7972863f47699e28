import type {McpCallEntry} from '@signalbox/core';

type PackedEntry = Omit<McpCallEntry, 'request_body' | 'response_body'> &
	Readonly<{request_length: number; response_length: number}>;

/** Entries on their way to another thread: all bodies in one buffer, which is moved, not copied. */
export type PackedGroup = Readonly<{entries: readonly PackedEntry[]; bodies: ArrayBuffer}>;

export const packGroup = (entries: readonly McpCallEntry[]): PackedGroup => {
	const parts = entries.flatMap(({request_body, response_body}) => [request_body, response_body]);
	const bodies = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
	let offset = 0;
	for (const part of parts) {
		bodies.set(part, offset);
		offset += part.byteLength;
	}
	return {
		bodies: bodies.buffer,
		entries: entries.map(({request_body, response_body, ...entry}) => ({
			...entry,
			request_length: request_body.byteLength,
			response_length: response_body.byteLength,
		})),
	};
};

export const unpackGroup = ({entries, bodies}: PackedGroup): readonly McpCallEntry[] => {
	let offset = 0;
	const take = (length: number): Uint8Array => {
		// A Buffer: what both drivers bind as a BLOB.
		const part = Buffer.from(bodies, offset, length);
		offset += length;
		return part;
	};
	return entries.map(({request_length, response_length, ...entry}) => ({
		...entry,
		request_body: take(request_length),
		response_body: take(response_length),
	}));
};
