import {once} from 'node:events';
import {
	Client,
	type ClientOptions,
	type ClientWritableStream,
	credentials,
	Metadata,
	type ServiceError,
} from '@grpc/grpc-js';
import {untilAborted} from './abortable.ts';
import {
	type AppendOutputResponse,
	AgentServiceService as agent,
	AuthServiceService as auth,
	type OutputChunk,
} from './generated/agent.ts';
import {isLoopback} from './loopback.ts';
import {responseMaxBytes} from './message-size.ts';
import type {Method} from './method.ts';
import type {AgentPeer, Call, Peer} from './peer.ts';
import {canceled, errorOf, RpcError} from './rpc-error.ts';

export type GrpcClientSettings = Readonly<{
	/** Where the server is: `https://host:port`, or `http://127.0.0.1:port` without TLS. */
	url: string;
	/** Sent as `x-api-key` metadata with every call; without one only the calls of a login get through. */
	apiKey?: string;
	/** PEM of the authorities that are trusted instead of the system's. */
	ca?: string;
	/** Lets a key travel in the clear to another machine. @default false: `http:` is for loopback */
	allowPlaintext?: boolean;
	/** How long a call may take, other than a long poll or a stream, in milliseconds. @default 15,000 */
	deadlineMs?: number;
	/** How long a lease may take; more than the `long_poll_ms` of the server. @default 90,000 */
	leaseDeadlineMs?: number;
	/** How long a lost connection is left alone before it is tried again, at first and at most. @default 500 and 30,000 */
	reconnectMs?: readonly [first: number, most: number];
}>;

export type GrpcClient = Readonly<{peer: Peer; close(): void}>;

/** The way to the server, and what goes with every call. */
type Way = Readonly<{client: Client; metadata: Metadata; deadlineMs: number}>;

const unary =
	<Request, Response>(way: Way, method: Method<Request, Response>): Call<Request, Response> =>
	(request, {signal} = {}) =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(canceled());
			const cancel = () => call.cancel();
			const call = way.client.makeUnaryRequest(
				method.path,
				method.requestSerialize,
				method.responseDeserialize,
				request,
				way.metadata,
				{deadline: Date.now() + way.deadlineMs},
				(error, response) => {
					signal?.removeEventListener('abort', cancel);
					if (response === undefined) reject(errorOf(error, signal));
					else resolve(response);
				},
			);
			signal?.addEventListener('abort', cancel, {once: true});
		});

const watch = ({client, metadata}: Way): AgentPeer['watch'] =>
	async function* (request, {signal} = {}) {
		if (signal?.aborted) throw canceled();
		const {path, requestSerialize, responseDeserialize} = agent.watch;
		const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
		const cancel = () => call.cancel();
		signal?.addEventListener('abort', cancel, {once: true});
		// A call that was left is told that it was canceled; nobody listens by then.
		call.on('error', () => {});
		try {
			for await (const {event} of call) if (event) yield event;
		} catch (error) {
			throw errorOf(error as ServiceError, signal);
		} finally {
			signal?.removeEventListener('abort', cancel);
			cancel();
		}
	};

const send = async (
	chunks: AsyncIterable<OutputChunk>,
	call: ClientWritableStream<OutputChunk>,
	ended: AbortSignal,
): Promise<void> => {
	for await (const chunk of untilAborted(chunks, ended))
		if (!call.write(chunk)) await once(call, 'drain', {signal: ended});
	call.end();
};

const appendOutput =
	({client, metadata}: Way): AgentPeer['appendOutput'] =>
	(chunks, {signal} = {}) =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(canceled());
			const ended = new AbortController();
			const cancel = () => call.cancel();
			const end = (error: ServiceError | null, response?: AppendOutputResponse) => {
				signal?.removeEventListener('abort', cancel);
				ended.abort();
				if (response === undefined) reject(errorOf(error, signal));
				else resolve(response);
			};
			const {path, requestSerialize, responseDeserialize} = agent.appendOutput;
			const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, metadata, end);
			signal?.addEventListener('abort', cancel, {once: true});
			send(chunks, call, ended.signal).catch((error) => {
				if (ended.signal.aborted) return;
				reject(error);
				cancel();
			});
		});

const channelOptions = (isPlain: boolean, [first, most]: readonly [number, number]): ClientOptions => ({
	'grpc.initial_reconnect_backoff_ms': first,
	'grpc.max_reconnect_backoff_ms': most,
	// Helps to notice a dead connection; whether an agent lives is decided by its heartbeat.
	'grpc.keepalive_time_ms': 30_000,
	'grpc.keepalive_timeout_ms': 10_000,
	'grpc.max_receive_message_length': responseMaxBytes,
	'grpc.service_config_disable_resolution': 1,
	// A key that travels in the clear goes to no proxy that the environment happens to name.
	'grpc.enable_http_proxy': isPlain ? 0 : 1,
});

const readUrl = (settings: GrpcClientSettings): Readonly<{target: string; isPlain: boolean}> => {
	const url = URL.parse(settings.url);
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
		throw new RpcError('invalid', 'The URL of the server must begin with https://, or with http:// on this machine.');
	const isPlain = url.protocol === 'http:';
	if (isPlain && !settings.allowPlaintext && !isLoopback(url.hostname))
		throw new RpcError(
			'invalid',
			`An API key is not sent to ${url.host} in the clear: use https://, or allow plaintext.`,
		);
	return {target: `dns:${url.hostname}:${url.port || (isPlain ? 80 : 443)}`, isPlain};
};

/** gRPC says which value it cannot send, and a key stands in no error. */
const metadataOf = (apiKey: string | undefined): Metadata => {
	if (apiKey && !/^[ -~]+$/.test(apiKey))
		throw new RpcError('invalid', 'The API key holds characters that no API key has.');
	const metadata = new Metadata();
	if (apiKey) metadata.set('x-api-key', apiKey);
	return metadata;
};

const peerOver = (way: Way, leaseDeadlineMs: number): Peer => ({
	login: unary(way, auth.login),
	startBrowserLogin: unary(way, auth.startBrowserLogin),
	completeBrowserLogin: unary(way, auth.completeBrowserLogin),
	whoAmI: unary(way, auth.whoAmI),
	revokeCurrentKey: unary(way, auth.revokeCurrentKey),
	register: unary(way, agent.register),
	watch: watch(way),
	lease: unary({...way, deadlineMs: leaseDeadlineMs}, agent.lease),
	start: unary(way, agent.start),
	heartbeat: unary(way, agent.heartbeat),
	appendOutput: appendOutput(way),
	finish: unary(way, agent.finish),
	deregister: unary(way, agent.deregister),
});

/**
 * A peer that reaches a server over gRPC. Connects with the first call, and again after a connection was lost; calls
 * made while there is none fail as `unavailable`, and are for the caller to make again: see `whileUnavailable`.
 * @throws RpcError invalid, when the URL cannot be used or would show the key to others, or when the key is none
 */
export const connectGrpc = (settings: GrpcClientSettings): GrpcClient => {
	const {target, isPlain} = readUrl(settings);
	const trust = isPlain
		? credentials.createInsecure()
		: credentials.createSsl(settings.ca === undefined ? null : Buffer.from(settings.ca));
	const client = new Client(target, trust, channelOptions(isPlain, settings.reconnectMs ?? [500, 30_000]));
	const way = {client, metadata: metadataOf(settings.apiKey), deadlineMs: settings.deadlineMs ?? 15_000};
	return {peer: peerOver(way, settings.leaseDeadlineMs ?? 90_000), close: () => client.close()};
};
