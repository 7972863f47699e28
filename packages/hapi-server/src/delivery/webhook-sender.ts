import type {DeliveryRequest, WebhookSender} from '@signalbox/core';
import {Agent} from 'undici';
import type {AddressGuard} from '../outbound/address-guard.ts';
import {createFindAddresses, type FindAddresses} from '../outbound/find-addresses.ts';
import {createGuardedConnector} from '../outbound/ssrf-guard.ts';
import {createAnswerReader} from './read-answer.ts';

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
		send: (request, signal) =>
			new Promise((resolve, reject) => {
				const reader = createAnswerReader((ended) => {
					clearTimeout(timer);
					signal.removeEventListener('abort', abandon);
					resolve(ended);
				});
				const abandon = () => {
					clearTimeout(timer);
					reject(signal.reason);
					reader.cut();
				};
				const timer = setTimeout(reader.fail, timeout_ms, 'timeout');
				if (signal.aborted) return abandon();
				signal.addEventListener('abort', abandon, {once: true});
				agent.dispatch(dispatchOptions(request), reader.handler);
			}),
		close: () => agent.destroy(),
	};
};
