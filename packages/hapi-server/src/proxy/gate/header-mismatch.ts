import type {IncomingHttpHeaders} from 'node:http';
import {protocolCodes, type Refusal} from '../json-rpc-error.ts';
import {isObject, type Message} from '../message.ts';

export const headerMismatch: Refusal = {
	status: 400,
	code: protocolCodes.header_mismatch,
	message: 'The Mcp-* headers differ from the body.',
};

/** Which member of `params` the `Mcp-Name` header repeats (MCP 2026-07-28, streamable HTTP, standard request headers). */
const namedBy = new Map([
	['tools/call', 'name'],
	['prompts/get', 'name'],
	['resources/read', 'uri'],
	['tasks/get', 'taskId'],
	['tasks/update', 'taskId'],
	['tasks/cancel', 'taskId'],
]);

/** `=?base64?…?=` stands for text that does not fit into a header as it is. Undefined when it does not decode. */
const decodeHeader = (value: string): string | undefined => {
	const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
	if (encoded === undefined) return value;
	const bytes = Buffer.from(encoded, 'base64');
	return bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '') ? bytes.toString() : undefined;
};

const disagrees = (message: Message, method: string | undefined, name: string | undefined): boolean => {
	if (message.kind === 'response') return method !== undefined || name !== undefined;
	if (method !== undefined && method !== message.method) return true;
	const member = namedBy.get(message.method);
	return name !== undefined && (member === undefined || decodeHeader(name) !== message.params?.[member]);
};

const single = (value: string | string[] | undefined): string | undefined =>
	Array.isArray(value) ? value.join(', ') : value;

/** True when a request without a body says with `Mcp-Method` or `Mcp-Name` what no body says. */
export const namesCall = (headers: IncomingHttpHeaders): boolean =>
	headers['mcp-method'] !== undefined || headers['mcp-name'] !== undefined;

/** True when `Mcp-Method` or `Mcp-Name` says something else than the body: an upstream may route by either. */
export const headersMismatch = (headers: IncomingHttpHeaders, messages: readonly Message[]): boolean => {
	const method = single(headers['mcp-method']);
	const name = single(headers['mcp-name']);
	if (method === undefined && name === undefined) return false;
	return messages.some((message) => disagrees(message, method, name));
};

type Scalar = string | number | boolean;

/** The strings, numbers and booleans in a value, at any depth. */
const scalarsIn = (value: unknown, found = new Set<Scalar>()): ReadonlySet<Scalar> => {
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') found.add(value);
	else if (isObject(value)) for (const member of Object.values(value)) scalarsIn(member, found);
	return found;
};

const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const isAmong = (scalars: ReadonlySet<Scalar>, text: string | undefined): boolean =>
	text !== undefined &&
	(scalars.has(text) ||
		(decimal.test(text) && scalars.has(Number(text))) ||
		((text === 'true' || text === 'false') && scalars.has(text === 'true')));

/**
 * True when an `Mcp-Param-*` header says what is no value among the arguments: an upstream may take its parameters from
 * either, and people decide by the body. Which argument a header repeats only the tool's schema says, so it may be any.
 */
export const bringsOwnParameter = (headers: IncomingHttpHeaders, args: unknown): boolean => {
	const names = Object.keys(headers).filter((name) => name.startsWith('mcp-param-'));
	if (names.length === 0) return false;
	const scalars = scalarsIn(args);
	return names.some((name) => !isAmong(scalars, decodeHeader(single(headers[name]) ?? '')));
};
