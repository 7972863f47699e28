import type {IncomingHttpHeaders, OutgoingHttpHeaders} from 'node:http';
import {namedByConnection} from '@signalbox/core';

/**
 * Never passed on. An upstream is not to be trusted with the origin that the proxy shares with the API: it may neither set
 * its cookies or policies, nor clear its data, nor send a client elsewhere, past the proxy.
 */
const stopped: ReadonlySet<string> = new Set([
	'alt-svc',
	'clear-site-data',
	'connection',
	'content-location',
	'content-security-policy',
	'content-security-policy-report-only',
	'keep-alive',
	'link',
	'location',
	'nel',
	'public-key-pins',
	'refresh',
	'report-to',
	'reporting-endpoints',
	'service-worker-allowed',
	'set-cookie',
	'sourcemap',
	'strict-transport-security',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'x-content-type-options',
	'x-request-id',
]);

const isStopped = (name: string): boolean =>
	stopped.has(name) || name.startsWith('proxy-') || name.startsWith('access-control-');

/** What an upstream repeats arrives as a list, whatever the header. */
const textOf = (value: string | string[] | undefined): string =>
	Array.isArray(value) ? value.join(', ') : (value ?? '');

const mediaTypeOf = (headers: IncomingHttpHeaders): string => {
	// As nearly every upstream writes it.
	if (headers['content-type'] === 'application/json') return 'application/json';
	return textOf(headers['content-type']).split(';', 1)[0]?.trim().toLowerCase() ?? '';
};

export const isEventStream = (headers: IncomingHttpHeaders): boolean => mediaTypeOf(headers) === 'text/event-stream';

/** An upstream was told to send its answers in clear; one that compresses all the same cannot be read. */
export const isEncoded = (headers: IncomingHttpHeaders): boolean =>
	headers['content-encoding'] !== undefined &&
	!['', 'identity'].includes(textOf(headers['content-encoding']).trim().toLowerCase());

/** Every answer under /p carries these: nothing that an upstream sends is ever a page of ours. */
export const sandboxHeaders = {
	'content-security-policy': "sandbox; default-src 'none'",
	'x-content-type-options': 'nosniff',
};

/** Those, and the id of the request. */
export const ownHeaders = (request_id: string): OutgoingHttpHeaders => ({
	'x-request-id': request_id,
	'content-security-policy': sandboxHeaders['content-security-policy'],
	'x-content-type-options': sandboxHeaders['x-content-type-options'],
});

/** An upstream's headers as the client gets them. Only JSON and events keep their content type. */
export const clientResponseHeaders = (status: number, headers: IncomingHttpHeaders): OutgoingHttpHeaders => {
	const named = namedByConnection(textOf(headers.connection));
	const passed: OutgoingHttpHeaders = {};
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value !== undefined && !isStopped(name) && !named.includes(name)) passed[name] = value;
	}
	const type = mediaTypeOf(headers);
	if (type !== '' && type !== 'application/json' && type !== 'text/event-stream')
		passed['content-type'] = 'text/plain; charset=utf-8';
	if (type === 'text/event-stream') passed['x-accel-buffering'] = 'no';
	// A stream that breaks off ends otherwise than announced, and 204 has no body, whatever an upstream says of its
	// length: the next answer on the connection would be read as the rest of it.
	if (type === 'text/event-stream' || status === 204) delete passed['content-length'];
	return passed;
};
