import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {Clock, Instant} from '@signalbox/core';
import {type ClientStream, createClientStream} from './relay/client-stream.ts';
import {createWaiter, type Waiter} from './waiter.ts';

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

export const openExchange = (
	request: IncomingMessage,
	response: ServerResponse,
	{clock, source_ip, headers}: ExchangeFacts,
): Exchange => {
	const waiter = createWaiter();
	let waiting: AbortController | undefined;
	let departure: Departure | undefined;
	let patient = false;
	let closing = false;
	const leave = (reason: Departure) => {
		if (departure !== undefined) return;
		departure = reason;
		waiting?.abort();
		waiter.leave();
	};
	const signal = (): AbortSignal => {
		waiting ??= new AbortController();
		if (departure !== undefined) waiting.abort();
		return waiting.signal;
	};
	request.on('error', ignore);
	response.on('close', () => {
		if (!response.writableFinished) leave('gone');
	});
	return {
		request,
		client: createClientStream(response, headers),
		started_at: clock.now(),
		source_ip,
		signal,
		waiter,
		leave,
		departure: () => departure,
		setPatient: (now) => {
			patient = now;
			if (patient && closing) leave('closing');
		},
		close: () => {
			closing = true;
			if (patient) leave('closing');
		},
	};
};
