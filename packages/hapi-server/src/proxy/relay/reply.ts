import type {OutgoingHttpHeaders} from 'node:http';
import {jsonRpcError, type Refusal, type RequestId} from '../json-rpc-error.ts';
import {parseJson, writeJson} from '../parse-json.ts';
import {type UpstreamAnswer, UpstreamError} from '../upstream/upstream.ts';
import {createBoundedCopy} from './bounded-copy.ts';
import type {ClientStream} from './client-stream.ts';
import {isResponse} from './judge-answer.ts';
import type {CallRecord} from './record-call.ts';
import {relayDocument} from './relay-document.ts';
import {eventOf, relayEvents} from './relay-events.ts';
import {clientResponseHeaders, isEventStream} from './response-headers.ts';
import {settleDocument} from './settle-document.ts';

/** How a client gets its answer: as a plain HTTP answer, or within a stream of events that was opened while it waited. */
export type Reply = Readonly<{
	refuse(refusal: Refusal, id: RequestId): void;
	/** A JSON-RPC response of our own. */
	respond(body: Buffer): void;
	/** Ends without a response: the client said that it wants none. */
	dismiss(): void;
	/** @throws UpstreamError when the answer breaks off before the client got any of it. */
	relay(answer: UpstreamAnswer, calls: readonly CallRecord[]): void | Promise<void>;
}>;

const json = {'content-type': 'application/json'};

const refusalHeaders = ({retry_after_seconds, allow}: Refusal): OutgoingHttpHeaders => ({
	...json,
	...(retry_after_seconds !== undefined && {'retry-after': String(retry_after_seconds)}),
	...(allow !== undefined && {allow}),
});

class PlainReply implements Reply {
	readonly #client: ClientStream;
	readonly #limit: number;

	constructor(client: ClientStream, limit: number) {
		this.#client = client;
		this.#limit = limit;
	}

	refuse(refusal: Refusal, id: RequestId): void {
		this.#send(refusal.status, refusalHeaders(refusal), jsonRpcError(id, refusal));
	}

	respond(body: Buffer): void {
		this.#send(200, json, body);
	}

	dismiss(): void {
		this.#send(202, {});
	}

	relay(answer: UpstreamAnswer, calls: readonly CallRecord[]): void | Promise<void> {
		const client = this.#client;
		const facts = {calls, client, limit: this.#limit};
		const headers = clientResponseHeaders(answer.status, answer.headers);
		if (!isEventStream(answer.headers)) return relayDocument(answer, headers, facts);
		client.open(answer.status, headers);
		return relayEvents(answer, facts);
	}

	#send(status: number, headers: OutgoingHttpHeaders, body?: Buffer): void {
		// Half an answer cannot be taken back: it can only be seen to be half.
		if (this.#client.isOpen()) {
			this.#client.abort();
			return;
		}
		this.#client.open(status, body === undefined ? headers : {...headers, 'content-length': body.length});
		this.#client.end(body);
	}
}

export const createPlainReply = (client: ClientStream, limit: number): Reply => new PlainReply(client, limit);

/** JSON holds line breaks only between its tokens, where a blank does as well; an event's data must be one line. */
const oneLine = (bytes: Buffer): string => bytes.toString().replace(/[\r\n]+/g, ' ');

/** The one event that stands for a whole answer of the upstream: its response, or what its HTTP answer amounts to. */
const responseEvent = (id: RequestId, status: number, bytes: Buffer): string => {
	const response = parseJson(bytes.toString());
	const isOwn = isResponse(response) && response.id === id;
	const isNobodys = isResponse(response) && response.id === null;
	const event = isOwn ? oneLine(bytes) : isNobodys ? writeJson({...response, id}) : undefined;
	return eventOf(event ?? jsonRpcError(id, {code: 502, message: `The upstream answered HTTP ${status}.`}));
};

/** Sends headers at once; whatever comes is an event of this stream from now on. */
export const openEventReply = (client: ClientStream, limit: number): Reply => {
	client.open(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no'});
	client.flush();
	const relayWhole = async (answer: UpstreamAnswer, calls: readonly CallRecord[]) => {
		const copy = createBoundedCopy(limit);
		for await (const chunk of answer.body) {
			copy.add(chunk);
			if (!copy.isWhole()) throw new UpstreamError('oversized', true);
		}
		await settleDocument(calls, answer.status, copy);
		client.end(responseEvent(calls[0]?.id ?? null, answer.status, copy.bytes()));
	};
	return {
		refuse: (refusal, id) => client.end(eventOf(jsonRpcError(id, refusal))),
		respond: (body) => client.end(eventOf(body)),
		dismiss: () => client.end(),
		relay: (answer, calls) =>
			isEventStream(answer.headers) ? relayEvents(answer, {calls, client, limit}) : relayWhole(answer, calls),
	};
};
