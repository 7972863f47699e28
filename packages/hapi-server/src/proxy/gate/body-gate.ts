import type {IncomingHttpHeaders} from 'node:http';
import {type McpServerRecord, readStrictJson, type StrictJsonFailure} from '@signalbox/core';
import {protocolCodes, type Refusal, type RequestId} from '../json-rpc-error.ts';
import {isKnownMethod} from '../mcp-methods.ts';
import {idOf, isObject, isStateless, type McpRequest, type Message, readMessage, toolNameOf} from '../message.ts';
import {bringsOwnParameter, headerMismatch, headersMismatch} from './header-mismatch.ts';

/** The parts of a server's configuration that decide what its gate lets through. */
export type GateRules = Pick<
	McpServerRecord,
	'approval_config' | 'rate_limit_config' | 'allowed_methods' | 'default_cost_cents'
>;

export type JudgedBody =
	| Readonly<{
			ok: true;
			messages: readonly Message[];
			/** The bytes of `params.arguments`; empty when the message has none. */
			arguments_bytes: Uint8Array;
	  }>
	/** Nothing of it may be forwarded. `messages` are those that could be read. */
	| Readonly<{ok: false; refusal: Refusal; id: RequestId; messages: readonly Message[]}>;

/** A batch multiplies one request; past this it is an attack or a mistake. */
const maxBatch = 100;

/** Rules are matched against the name, and people read it. Ten times what MCP recommends. */
const longestToolName = 1280;

/** With approvals on a person sees the last of two equal keys, and an upstream may read the first: no object has them. */
const strictnessOf = ({approval_config}: GateRules) =>
	({
		unique_keys: approval_config.enabled ? 'everywhere' : 'envelope',
		refuse_look_alikes: true,
		any_character: true,
	}) as const;

const invalid = (message: string): Refusal => ({status: 400, code: protocolCodes.invalid_request, message});

const unreadable = ({code, message, path}: StrictJsonFailure): Refusal => {
	const text = `The body ${path === '' ? '' : `at ${path} `}cannot be taken: ${message}.`;
	return code === 'syntax' || code === 'not_utf8'
		? {status: 400, code: protocolCodes.parse_error, message: text}
		: invalid(text);
};

/** True when a tool call must not slip through uncounted: something decides, limits or bills it. */
const guardsToolCalls = ({approval_config, rate_limit_config, default_cost_cents}: GateRules): boolean =>
	approval_config.enabled ||
	rate_limit_config.requests_per_minute !== undefined ||
	rate_limit_config.cost !== undefined ||
	default_cost_cents > 0;

const isToolCall = (message: Message): boolean => message.kind !== 'response' && message.method === 'tools/call';

const toolCallProblem = (message: Message, batch: boolean): string | undefined => {
	if (!isToolCall(message)) return undefined;
	if (batch) return 'A batch may not hold a tools/call here: send it alone.';
	if (message.kind !== 'request') return 'A tools/call needs an id here.';
	const name = toolNameOf(message);
	if (name === undefined || !name.isWellFormed()) return 'A tools/call needs a params.name that is text.';
	if (name.length > longestToolName) return `A params.name has at most ${longestToolName} characters here.`;
	const given = message.params?.arguments;
	return given === undefined || isObject(given) ? undefined : 'The params.arguments of a tools/call must be an object.';
};

const bringsParameterUnseen = (message: Message, headers: IncomingHttpHeaders): boolean =>
	message.kind !== 'response' &&
	message.method === 'tools/call' &&
	bringsOwnParameter(headers, message.params?.arguments);

const unknownMethod = (message: Message, rules: GateRules): Refusal | undefined => {
	if (message.kind === 'response' || isKnownMethod(message.method)) return undefined;
	if (!rules.approval_config.enabled || rules.allowed_methods.includes(message.method)) return undefined;
	const status = message.kind === 'notification' ? 400 : isStateless(message) ? 404 : 200;
	return {status, code: protocolCodes.method_not_found, message: 'This method does not pass while approvals are on.'};
};

type Reading = Readonly<{messages: readonly Message[]; batch: boolean; headers: IncomingHttpHeaders; rules: GateRules}>;

const problemOf = ({messages, batch, headers, rules}: Reading): Refusal | undefined => {
	if (headersMismatch(headers, messages)) return headerMismatch;
	if (rules.approval_config.enabled && messages.some((message) => bringsParameterUnseen(message, headers)))
		return headerMismatch;
	for (const message of messages) {
		const problem = guardsToolCalls(rules) ? toolCallProblem(message, batch) : undefined;
		const refusal = problem === undefined ? unknownMethod(message, rules) : invalid(problem);
		if (refusal !== undefined) return refusal;
	}
	return undefined;
};

const readAll = (value: unknown): readonly (Message | undefined)[] =>
	Array.isArray(value) ? value.slice(0, maxBatch + 1).map(readMessage) : [readMessage(value)];

const isRequest = (message: Message): message is McpRequest => message.kind === 'request';

/** The requests among messages: what is answered, logged and counted. */
export const requestsOf = (messages: readonly Message[]): readonly McpRequest[] => messages.filter(isRequest);

/**
 * Judges the body of a POST, once, strictly: what passes means one thing to every reader. The bytes that were judged are
 * the bytes to send. Decisions read the body; headers are only compared with it.
 */
export const judgeBody = (bytes: Buffer, headers: IncomingHttpHeaders, rules: GateRules): JudgedBody => {
	const json = readStrictJson(bytes, strictnessOf(rules));
	if (!json.ok) return {ok: false, refusal: unreadable(json), id: null, messages: []};
	const {value, arguments_range: range} = json;
	const batch = Array.isArray(value);
	const read = readAll(value);
	const messages = read.filter((message) => message !== undefined);
	const id = idOf(value);
	if (messages.length < read.length || messages.length === 0)
		return {ok: false, refusal: invalid('The body is no JSON-RPC 2.0 message as MCP knows it.'), id, messages: []};
	if (messages.length > maxBatch)
		return {ok: false, refusal: invalid(`A batch holds at most ${maxBatch} messages.`), id, messages: []};
	const refusal = problemOf({messages, batch, headers, rules});
	if (refusal !== undefined) return {ok: false, refusal, id, messages};
	return {ok: true, messages, arguments_bytes: range ? bytes.subarray(range.start, range.end) : new Uint8Array()};
};
