import type {OutgoingHttpHeaders} from 'node:http';
import {isResponse, judgeHttp, judgeResponse, success} from './judge-answer.ts';
import {type CallOutcome, type CallRecord, settleAll} from './record-call.ts';
import type {RelayFacts} from './relay-events.ts';
import {type UpstreamAnswer, UpstreamError} from './upstream.ts';

/** A copy of what passed, for the log: at most `limit` bytes of it. */
export type BoundedCopy = Readonly<{add(chunk: Buffer): void; bytes(): Buffer; isWhole(): boolean}>;

export const createBoundedCopy = (limit: number): BoundedCopy => {
	const chunks: Buffer[] = [];
	let size = 0;
	let whole = true;
	return {
		add: (chunk) => {
			const kept = chunk.length > limit - size ? chunk.subarray(0, limit - size) : chunk;
			if (kept.length < chunk.length) whole = false;
			if (kept.length > 0) chunks.push(kept);
			size += kept.length;
		},
		bytes: () => {
			const [first] = chunks;
			return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
		},
		isWhole: () => whole,
	};
};

/** Undefined for what is no JSON. */
export const parseJson = (bytes: Buffer): unknown => {
	try {
		return JSON.parse(bytes.toString());
	} catch {
		return undefined;
	}
};

/** Settles each call by the response that the document holds for it, or by the HTTP status where it holds none. */
export const settleDocument = async (
	calls: readonly CallRecord[],
	status_code: number,
	copy: BoundedCopy,
): Promise<void> => {
	if (calls.length === 0) return;
	const bytes = copy.bytes();
	if (!copy.isWhole() && status_code < 300) {
		// Too large to read: that it came whole is all that is known.
		return await settleAll(calls, {...success, status_code, response_body: bytes});
	}
	const value = parseJson(bytes);
	const responses = Array.isArray(value) ? value : [value];
	const outcomeFor = ({id}: CallRecord): CallOutcome => {
		const response = responses.find(
			(one) => isResponse(one) && (one.id === id || (one.id === null && calls.length === 1)),
		);
		if (!isResponse(response)) return {...judgeHttp(status_code), status_code, response_body: bytes};
		const verdict = judgeResponse(response);
		const judged = verdict.status === 'success' && status_code >= 300 ? judgeHttp(status_code) : verdict;
		return {
			...judged,
			status_code,
			response_body: Array.isArray(value) ? Buffer.from(JSON.stringify(response)) : bytes,
		};
	};
	await Promise.all(calls.map((call) => call.settle(outcomeFor(call))));
};

/**
 * Passes a document on, one chunk behind, so that its last chunk leaves after the rows of its calls are durable.
 * @throws UpstreamError when it breaks off before the client got any of it.
 */
export const relayDocument = async (
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
