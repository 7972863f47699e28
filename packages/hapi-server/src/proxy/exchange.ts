import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {Clock, Instant} from '@signalbox/core';
import {type ClientStream, createClientStream} from './relay/client-stream.ts';
import {LeavingWaiter, type Waiter} from './waiter.ts';

/** Why nobody waits for an answer any more: the connection closed, the client said so, or this process stops. */
export type Departure = 'gone' | 'cancelled' | 'closing';

/** One HTTP request of a client, from its arrival to the last byte of its answer. */
export type Exchange = Readonly<{
	request: IncomingMessage;
	client: ClientStream;
	started_at: Instant;
	source_ip: string;
	/** Aborts when nobody waits for the answer any more. Made when it is asked for: few calls wait for anybody. */
	signal(): AbortSignal;
	/** For the one who fetches its answer. */
	waiter: Waiter;
	leave(reason: Departure): void;
	/** Undefined while somebody waits. */
	departure(): Departure | undefined;
	/** While patient, it waits for a person or for events, without end: stopping cuts it at once. */
	setPatient(patient: boolean): void;
	/** The process stops: cuts it as soon as it is patient. */
	close(): void;
}>;

export type ExchangeFacts = Readonly<{
	clock: Clock;
	source_ip: string;
	/** Those that its answer carries, whatever it is. */
	headers: OutgoingHttpHeaders;
}>;

const ignore = (): void => {};

class HttpExchange implements Exchange {
	readonly request: IncomingMessage;
	readonly client: ClientStream;
	readonly started_at: Instant;
	readonly source_ip: string;
	readonly waiter = new LeavingWaiter();
	#waiting: AbortController | undefined;
	#departure: Departure | undefined;
	#patient = false;
	#closing = false;

	constructor(request: IncomingMessage, response: ServerResponse, {clock, source_ip, headers}: ExchangeFacts) {
		this.request = request;
		this.client = createClientStream(response, headers);
		this.started_at = clock.now();
		this.source_ip = source_ip;
	}

	signal(): AbortSignal {
		this.#waiting ??= new AbortController();
		if (this.#departure !== undefined) this.#waiting.abort();
		return this.#waiting.signal;
	}

	leave(reason: Departure): void {
		if (this.#departure !== undefined) return;
		this.#departure = reason;
		this.#waiting?.abort();
		this.waiter.leave();
	}

	departure(): Departure | undefined {
		return this.#departure;
	}

	setPatient(patient: boolean): void {
		this.#patient = patient;
		if (patient && this.#closing) this.leave('closing');
	}

	close(): void {
		this.#closing = true;
		if (this.#patient) this.leave('closing');
	}
}

export const openExchange = (request: IncomingMessage, response: ServerResponse, facts: ExchangeFacts): Exchange => {
	const exchange = new HttpExchange(request, response, facts);
	request.on('error', ignore);
	response.on('close', () => {
		if (!response.writableFinished) exchange.leave('gone');
	});
	return exchange;
};
