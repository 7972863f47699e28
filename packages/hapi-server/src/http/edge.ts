import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {DomainError, type Ids, invalidField} from '@signalbox/core';
import {hostCount} from './host-count.ts';
import {createServer, STATUS_CODES} from './node-http.ts';
import {toOriginForm} from './origin-form.ts';
import {type RenderedError, renderError} from './render-error.ts';
import {requestIdOf} from './request-id.ts';
import {dataHeaders} from './security-headers.ts';

/** How long a client may take. Milliseconds. Answers, held calls and streams are not limited by these. */
export type EdgeTimeouts = Readonly<{
	headers: number;
	/** For the whole request, its body included. */
	request: number;
	/** How often the two are checked. */
	check: number;
	/** How long a connection is kept for its next request. */
	idle: number;
}>;

/**
 * Proxies and load balancers in front keep idle connections for up to 60 s: whoever ends them earlier than its client does
 * lets a request run into the end, now and then.
 */
const idleMs = 75_000;

export const defaultEdgeTimeouts: EdgeTimeouts = {headers: 10_000, request: 60_000, check: 1000, idle: idleMs};

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void;

/** Two names for one host are a way around whoever checks the other one; HTTP/1.1 asks for exactly one. */
const hostFault = (req: IncomingMessage): string | undefined => {
	const count = hostCount(req.rawHeaders);
	if (count > 1) return 'must be sent once only';
	return count === 0 && req.httpVersion === '1.1' ? 'is required' : undefined;
};

const refuse = (res: ServerResponse, rendered: RenderedError): void => {
	const body = JSON.stringify(rendered.body);
	res.writeHead(rendered.status, {
		...dataHeaders,
		...rendered.headers,
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(body),
		connection: 'close',
	});
	res.end(body);
};

/** Answers 503 while the server is still being put together. */
export const serveNothingYet =
	(ids: Ids): RequestHandler =>
	(req, res) =>
		refuse(res, renderError(new DomainError('service_unavailable'), requestIdOf(req, res, ids)));

/** What Node's parser refused, by its code; everything else is a malformed request. */
const parserStatus: Readonly<Record<string, Readonly<{status: number; message: string}>>> = {
	ERR_HTTP_REQUEST_TIMEOUT: {status: 408, message: 'The request did not arrive in time.'},
	HPE_HEADER_OVERFLOW: {status: 431, message: 'The request headers are too large.'},
};

/**
 * Answers on a socket whose request never became one. Node tells in `_httpMessage` alone, as its own handler reads it,
 * whether an answer is on its way there already.
 */
const refuseSocket = (ids: Ids) => (error: NodeJS.ErrnoException, socket: Duplex & {_httpMessage?: ServerResponse}) => {
	if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
		socket.destroy();
		return;
	}
	const {status, message} = parserStatus[error.code ?? ''] ?? {status: 400, message: 'The request is malformed.'};
	const id = ids.next();
	const body = JSON.stringify(renderError(new DomainError('validation_error', {message}), id).body);
	const headers = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(body)}`,
		`X-Request-Id: ${id}`,
		'X-Content-Type-Options: nosniff',
		'Connection: close',
	];
	socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
};

/**
 * The listener in front of everything: refuses what no handler should see, and bounds how long a
 * client may take to send. It never times out an answer.
 */
export const createEdge = (handle: RequestHandler, ids: Ids, timeouts: EdgeTimeouts): Server => {
	const onRequest: RequestHandler = (req, res) => {
		const fault = hostFault(req);
		if (fault === undefined) {
			toOriginForm(req);
			handle(req, res);
			return;
		}
		refuse(res, renderError(invalidField('Host', fault), requestIdOf(req, res, ids)));
	};
	const server = createServer(
		{
			headersTimeout: timeouts.headers,
			requestTimeout: timeouts.request,
			connectionsCheckingInterval: timeouts.check,
			keepAliveTimeout: timeouts.idle,
			requireHostHeader: false,
		},
		onRequest,
	);
	server.timeout = 0;
	server.on('checkExpectation', onRequest);
	server.on('clientError', refuseSocket(ids));
	return server;
};
