import type {DeliveryAnswer, DeliveryFailure, DeliveryRequest, WebhookSender} from '@signalbox/core';
import {Agent} from 'undici';
import type {AddressGuard} from '../outbound/address-guard.ts';
import {createFindAddresses, type FindAddresses} from '../outbound/find-addresses.ts';
import {createGuardedConnector} from '../outbound/ssrf-guard.ts';
import {type AnswerReader, createAnswerReader} from './read-answer.ts';

/** How long an attempt may take to connect, and in all, reading the answer included. Milliseconds. */
export const defaultSenderTimeouts = {connect_timeout_ms: 5000, timeout_ms: 30_000} as const;

export type SenderSettings = Readonly<{
	/** Which addresses may be connected to. */
	guard: AddressGuard;
	connect_timeout_ms?: number;
	timeout_ms?: number;
	/** How names become addresses. Default: without holding up anything else, see `createFindAddresses`. */
	find_addresses?: FindAddresses;
}>;

/** A sender that can be ended. */
export type RunningSender = WebhookSender & Readonly<{close(): Promise<void>}>;

/** Of one destination; as many as may be in flight to it. */
const connectionsPerOrigin = 10;
/** Longest that a connection is kept for the next request, whatever the destination promises. Milliseconds. */
const longestKept = 60_000;

/** As undici takes them. Compressed answers would be kept as bytes that nobody can read. */
const rawHeaders = ({headers}: DeliveryRequest): string[] => [...headers.flat(), 'accept-encoding', 'identity'];

const bufferOf = (bytes: Uint8Array): Buffer | null =>
	bytes.length === 0 ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const dispatchOptions = (request: DeliveryRequest) => ({
	origin: request.url.origin,
	path: request.url.pathname + request.url.search,
	method: request.method,
	headers: rawHeaders(request),
	body: bufferOf(request.body),
	// The timeout of the whole attempt stands for both.
	headersTimeout: 0,
	bodyTimeout: 0,
});

type Outcome = DeliveryAnswer | DeliveryFailure;

/**
 * An exchange that is about to begin. Listeners of one signal are a list, of which those
 * that were taken out keep their neighbours: what is left of an exchange in one must not lead to its request or its answer,
 * or all of them stay in memory until all garbage is collected.
 */
const openExchange = (signal: AbortSignal, timeout_ms: number) => {
	const {promise: ended, resolve, reject} = Promise.withResolvers<Outcome>();
	const reader = createAnswerReader((outcome) => close()?.resolve(outcome));
	let open: Readonly<{reader: AnswerReader; resolve: typeof resolve; reject: typeof reject}> | undefined;
	const close = () => {
		const closed = open;
		open = undefined;
		clearTimeout(timer);
		signal.removeEventListener('abort', abandon);
		return closed;
	};
	const abandon = () => {
		const closed = close();
		closed?.reject(signal.reason);
		closed?.reader.cut();
	};
	const timer = setTimeout(() => open?.reader.fail('timeout'), timeout_ms);
	open = {reader, resolve, reject};
	signal.addEventListener('abort', abandon, {once: true});
	return {ended, handler: reader.handler};
};

/** Sends webhooks over pooled HTTP/1.1 connections, to addresses that the guard allows. No redirects, no retries. */
export const createWebhookSender = (settings: SenderSettings): RunningSender => {
	const {
		guard,
		connect_timeout_ms,
		timeout_ms,
		find_addresses = createFindAddresses(),
	} = {
		...defaultSenderTimeouts,
		...settings,
	};
	const agent = new Agent({
		connect: createGuardedConnector(guard, connect_timeout_ms, find_addresses),
		connections: connectionsPerOrigin,
		keepAliveMaxTimeout: longestKept,
		allowH2: false,
	});
	return {
		send: (request, signal) => {
			if (signal.aborted) return Promise.reject(signal.reason);
			const {ended, handler} = openExchange(signal, timeout_ms);
			agent.dispatch(dispatchOptions(request), handler);
			return ended;
		},
		close: () => agent.destroy(),
	};
};
