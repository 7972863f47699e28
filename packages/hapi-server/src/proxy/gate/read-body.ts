import type {IncomingMessage} from 'node:http';
import {type Refusal, refusal} from '../json-rpc-error.ts';

export type BodyReading = Readonly<{ok: true; bytes: Buffer}> | Readonly<{ok: false; refusal: Refusal | 'gone'}>;

const unsupported = (message: string): Refusal => refusal(415, message);

/** JSON in UTF-8, in clear: anything else could be read as other bytes than those that were judged. */
const unsupportedMediaType = ({headers}: IncomingMessage): Refusal | undefined => {
	// As nearly every client writes it.
	if (headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined) return undefined;
	const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
	if (type.toLowerCase() !== 'application/json') return unsupported('Send the body as application/json.');
	// Also `charset*=` and `charset*0=` of RFC 2231, which nobody needs and some readers follow.
	const charsets = parameters.filter((parameter) => /^charset/i.test(parameter));
	if (charsets.some((charset) => !/^charset\s*=\s*"?utf-?8"?$/i.test(charset)))
		return unsupported('Send the body as UTF-8.');
	const encoding = headers['content-encoding'] ?? 'identity';
	return encoding.toLowerCase() === 'identity' ? undefined : unsupported('Send the body without content-encoding.');
};

/** Reads on without keeping anything, so that the client can read its answer; past `limit` more bytes it is cut off. */
export const discard = (request: IncomingMessage, limit: number): void => {
	let discarded = 0;
	request.on('data', (chunk: Buffer) => {
		discarded += chunk.length;
		if (discarded > limit) request.destroy();
	});
};

const collect = (request: IncomingMessage, limit: number): Promise<BodyReading> =>
	new Promise((resolve) => {
		if (request.destroyed) return resolve({ok: false, refusal: 'gone'});
		const chunks: Buffer[] = [];
		let size = 0;
		let settled = false;
		// Its listeners stay: to take one away costs more than to call it once more.
		const settle = (reading: BodyReading) => {
			settled = true;
			resolve(reading);
		};
		const take = (chunk: Buffer) => {
			if (settled) return;
			size += chunk.length;
			if (size <= limit) return void chunks.push(chunk);
			settle({ok: false, refusal: refusal(413, `The body is larger than ${limit} bytes.`)});
			discard(request, limit);
		};
		const finish = () => {
			const [first] = chunks;
			settle({ok: true, bytes: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size)});
		};
		const leave = () => settle({ok: false, refusal: 'gone'});
		request.on('data', take).on('end', finish).on('close', leave);
	});

/** The whole body, at most `limit` bytes of it. Never rejects. */
export const readBody = (request: IncomingMessage, limit: number): Promise<BodyReading> => {
	const refused = unsupportedMediaType(request);
	if (refused === undefined) return collect(request, limit);
	discard(request, limit);
	return Promise.resolve({ok: false, refusal: refused});
};

/** True when a GET or a DELETE brings a body: MCP gives it none, and nothing would judge it. */
export const bringsBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
