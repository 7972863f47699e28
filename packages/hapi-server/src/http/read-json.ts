import {DomainError, invalidField, readStrictJson} from '@signalbox/core';
import {maxBodyBytes, tooLarge} from './read-body.ts';

const maxDepth = 64;

/** Eight times what any route takes, save a sample of a webhook. What checks them blames each that is wrong. */
const maxMembers = 10_000;

const refuseHeaders = (headers: BodyHeaders): void => {
	const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	if (encoding !== 'identity') throw new DomainError('unsupported_media_type');
	const [type = '', ...parameters] = (headers['content-type'] ?? '')
		.split(';')
		.map((part) => part.trim().toLowerCase());
	if (type !== 'application/json') throw new DomainError('unsupported_media_type');
	const charset = parameters.find((parameter) => parameter.startsWith('charset='));
	if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw new DomainError('unsupported_media_type');
};

export type BodyHeaders = Readonly<{'content-type'?: string | undefined; 'content-encoding'?: string | undefined}>;

/**
 * Reads a request body. An empty one counts as `{}`, so that what is missing is named by field.
 * @throws unsupported_media_type unless it is plain application/json in UTF-8; payload_too_large over 1 MiB;
 * validation_error, naming the path, for what strict JSON refuses (repeated keys, NUL, lone surrogates, depth over 64), and
 * for more than 10,000 keys and items of lists.
 */
export const readJson = (bytes: Uint8Array, headers: BodyHeaders): unknown => {
	if (bytes.length === 0) return {};
	refuseHeaders(headers);
	const json = readStrictJson(bytes, {max_bytes: maxBodyBytes, max_depth: maxDepth, max_members: maxMembers});
	if (json.ok) return json.value;
	if (json.code === 'too_large') throw tooLarge(maxBodyBytes);
	const advice = json.code === 'too_many' ? ': send less at once' : '';
	throw invalidField(json.path || 'body', `${json.message}${advice}`);
};
