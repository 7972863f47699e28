import type {IncomingMessage} from 'node:http';
import {type BodyFault, type BodyReader, discard} from '../../bodies/create-body-reader.ts';
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

const tooMany: Refusal = {
	...refusal(429, 'Too much is sent to this server at once: wait, then try again.'),
	retry_after_seconds: 1,
};

const refusalOf = (because: BodyFault, limit: number): Refusal | 'gone' => {
	if (because === 'too_large') return refusal(413, `The body is larger than ${limit} bytes.`);
	return because === 'busy' ? tooMany : 'gone';
};

/** The whole body, which is to be released once it was dealt with. Never rejects. */
export const readBody = async (request: IncomingMessage, body: BodyReader, limit: number): Promise<BodyReading> => {
	const refused = unsupportedMediaType(request);
	const reading = refused === undefined ? await body.read() : undefined;
	if (reading?.ok) return reading;
	discard(request, limit);
	return {ok: false, refusal: refused ?? refusalOf(reading?.because ?? 'gone', limit)};
};

/** True when a GET or a DELETE brings a body: MCP gives it none, and nothing would judge it. */
export const bringsBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
