import type {OutgoingHttpHeaders} from 'node:http';
import {type UpstreamAnswer, UpstreamError} from '../upstream/upstream.ts';
import {createBoundedCopy} from './bounded-copy.ts';
import {settleAll} from './record-call.ts';
import type {RelayFacts} from './relay-events.ts';
import {settleDocument, settleWhole} from './settle-document.ts';

const nothing: Buffer = Buffer.alloc(0);

type WholeDocument = Readonly<{answer: UpstreamAnswer; headers: OutgoingHttpHeaders; chunks: readonly Buffer[]}>;

/** A document that is here already leaves in one piece, after the rows of its calls are durable. */
const relayWhole = (
	{answer, headers, chunks}: WholeDocument,
	{calls, client, limit}: RelayFacts,
): void | Promise<void> => {
	const [first = nothing] = chunks;
	const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first;
	const send = () => {
		client.open(answer.status, headers);
		client.end(bytes);
	};
	if (calls.length === 0) return send();
	if (bytes.length <= limit) return settleWhole(calls, answer.status, bytes).then(send);
	const copy = createBoundedCopy(limit);
	copy.add(bytes);
	return settleDocument(calls, answer.status, copy).then(send);
};

/** Passes a document on, one chunk behind, so that its last chunk leaves after the rows of its calls are durable. */
const relayChunks = async (
	answer: UpstreamAnswer,
	headers: OutgoingHttpHeaders,
	{calls, client, limit}: RelayFacts,
): Promise<void> => {
	const copy = createBoundedCopy(limit);
	let held: Buffer | undefined;
	try {
		for await (const chunk of answer.body) {
			copy.add(chunk);
			if (held !== undefined) {
				if (!client.isOpen()) client.open(answer.status, headers);
				await client.write(held);
			}
			held = chunk;
		}
	} catch (error) {
		if (!(error instanceof UpstreamError) || !client.isOpen()) throw error;
		const status = error.failure === 'timeout' ? 'timeout' : 'error';
		await settleAll(calls, {
			status,
			status_code: answer.status,
			error_message: error.message,
			response_body: copy.bytes(),
		});
		return client.abort();
	}
	await settleDocument(calls, answer.status, copy);
	if (!client.isOpen()) client.open(answer.status, headers);
	client.end(held);
};

/**
 * Passes a document on: the end of it leaves after the rows of its calls are durable.
 * @throws UpstreamError when it breaks off before the client got any of it.
 */
export const relayDocument = (
	answer: UpstreamAnswer,
	headers: OutgoingHttpHeaders,
	facts: RelayFacts,
): void | Promise<void> => {
	const chunks = answer.body.takeWhole();
	return chunks === undefined ? relayChunks(answer, headers, facts) : relayWhole({answer, headers, chunks}, facts);
};
