import type {Rounds} from '@signalbox/core';
import {isObject, isStateless, type McpRequest} from '../message.ts';
import {parseJson} from '../parse-json.ts';
import {isEventStream} from '../relay/response-headers.ts';
import type {UpstreamAnswer} from '../upstream/upstream.ts';
import {withMember} from './json-member.ts';
import {rewriteEvents} from './rewrite-events.ts';

export type SealAnswer = (answer: UpstreamAnswer) => Promise<UpstreamAnswer>;

type Asked = Readonly<{request: McpRequest; bytes: Buffer; limit: number}>;

/** Sends an approved call with the upstream's own state, and takes care that the client can come back for the next round. */
export const roundsOf = ({request, bytes, limit}: Asked, {brought, seal}: Rounds) => ({
	...(brought && {body: withMember(bytes, ['params', 'requestState'], brought.upstream_state)}),
	...(isStateless(request) && {sealAnswer: createSealAnswer(request, seal, limit)}),
});

/**
 * Puts our state into an answer that asks for input, so that the client's next request is known for the continuation of a
 * call that was approved. Everything else passes as it is.
 */
const createSealAnswer = ({id}: McpRequest, seal: Rounds['seal'], limit: number): SealAnswer => {
	const sealResponse = (text: Buffer): Buffer => {
		const response = text.includes('input_required') ? parseJson(text.toString()) : undefined;
		const result = isObject(response) && response.id === id ? response.result : undefined;
		if (!isObject(result) || result.resultType !== 'input_required') return text;
		const {requestState} = result;
		return withMember(
			text,
			['result', 'requestState'],
			seal(typeof requestState === 'string' ? requestState : undefined),
		);
	};
	return async (answer) =>
		isEventStream(answer.headers)
			? {...answer, body: arriving(rewriteEvents(answer.body, sealResponse, limit))}
			: await rewriteDocument(answer, sealResponse, limit);
};

/** A body of which nothing is known to be here yet. */
const arriving = (chunks: AsyncIterable<Buffer>): UpstreamAnswer['body'] => ({
	[Symbol.asyncIterator]: () => chunks[Symbol.asyncIterator](),
	takeWhole: () => undefined,
});

const resumed = async function* (read: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
	yield* read;
	yield* {[Symbol.asyncIterator]: () => rest};
};

/** Reads the whole of it first, for its length stands before it. What is larger than the limit passes unread. */
const rewriteDocument = async (answer: UpstreamAnswer, rewrite: (text: Buffer) => Buffer, limit: number) => {
	const rest = answer.body[Symbol.asyncIterator]();
	const read: Buffer[] = [];
	let size = 0;
	for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
		read.push(next.value);
		size += next.value.length;
		if (size > limit) return {...answer, body: arriving(resumed(read, rest))};
	}
	const written = rewrite(Buffer.concat(read, size));
	const length = answer.headers['content-length'] !== undefined && {'content-length': String(written.length)};
	return {
		...answer,
		headers: {...answer.headers, ...length},
		body: {...arriving(resumed([written], rest)), takeWhole: () => [written]},
	};
};
