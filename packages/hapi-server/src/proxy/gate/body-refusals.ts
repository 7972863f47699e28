import type {IncomingMessage} from 'node:http';
import type {BodyFault} from '../../bodies/create-body-reader.ts';
import {type Refusal, refusal} from '../json-rpc-error.ts';

const unsupported = (message: string): Refusal => refusal(415, message);

/** JSON in UTF-8, in clear: anything else could be read as other bytes than those that were judged. */
export const unsupportedMediaType = ({headers}: IncomingMessage): Refusal | undefined => {
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

/** What to answer where there is no whole body; undefined when nobody waits for it. */
export const bodyRefusal = (because: BodyFault, limit: number): Refusal | undefined => {
	if (because === 'too_large') return refusal(413, `The body is larger than ${limit} bytes.`);
	return because === 'busy' ? tooMany : undefined;
};

/** True when a GET or a DELETE brings a body: MCP gives it none, and nothing would judge it. */
export const bringsBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
