import {once} from 'node:events';
import {isIPv6} from 'node:net';
import {
	type handleUnaryCall,
	Server,
	ServerCredentials,
	type ServerOptions,
	type ServerReadableStream,
	type ServerUnaryCall,
} from '@grpc/grpc-js';
import {createGate, type Gate, type ServingSettings} from './gate.ts';
import {
	type AgentServiceServer,
	AgentServiceService,
	type AuthServiceServer,
	AuthServiceService,
} from './generated/agent.ts';
import {guardedPeer} from './guarded-peer.ts';
import {isLoopback} from './loopback.ts';
import {requestMaxBytes, responseMaxBytes} from './message-size.ts';
import type {Call, Peer} from './peer.ts';
import {RpcError, statusOf, toldOf} from './rpc-error.ts';

export type GrpcServerSettings = ServingSettings &
	Readonly<{
		/** @default 127.0.0.1 */
		host?: string;
		/** 0 takes a free one. */
		port: number;
		/** PEM of the certificate, with its chain, and of its key. Without them only loopback is listened on. */
		tls?: Readonly<{certificate: string; key: string}>;
	}>;

export type GrpcServer = Readonly<{
	/** The port that is listened on. */
	port: number;
	/**
	 * Refuses new calls, ends long polls, watches and uploads at once, as their promises say, lets other calls end, and
	 * cuts off after a deadline what then is still there.
	 * @param deadlineMs milliseconds, 5,000 by default
	 */
	stop(deadlineMs?: number): Promise<void>;
}>;

type AnyCall = Pick<ServerUnaryCall<unknown, unknown>, 'metadata' | 'getPeer' | 'cancelled'> &
	Readonly<{once(event: 'cancelled', listener: () => void): unknown}>;

/** The address without its port: `127.0.0.1` of `127.0.0.1:4711`. */
const addressOf = (call: AnyCall): string => call.getPeer().replace(/:\d+$/, '');

const keyOf = (call: AnyCall): string | undefined => call.metadata.get('x-api-key')[0]?.toString();

const signalOf = (call: AnyCall): AbortSignal => {
	const given = new AbortController();
	call.once('cancelled', () => given.abort());
	if (call.cancelled) given.abort();
	return given.signal;
};

/** What reading a message came to. An error goes on as if it were the message, so that the call can answer it. */
const readable = <Message>(message: Message): Message => {
	if (message instanceof RpcError) throw message;
	return message;
};

type AnyDefinition = Readonly<Record<string, Readonly<{requestDeserialize(bytes: Buffer): unknown}>>>;

// gRPC would answer a message that cannot be read with INTERNAL, as if the fault were ours.
const forgiving = <Definition extends AnyDefinition>(definition: Definition): Definition =>
	Object.fromEntries(
		Object.entries(definition).map(([name, method]) => {
			const requestDeserialize = (bytes: Buffer): unknown => {
				try {
					return method.requestDeserialize(bytes);
				} catch {
					return new RpcError('invalid', 'The message cannot be read: it is not what agent.proto says.');
				}
			};
			return [name, {...method, requestDeserialize}];
		}),
	) as unknown as Definition;

type PeerOf = (call: AnyCall) => Peer;

const unary =
	<Request, Response>(
		peerOf: PeerOf,
		callOf: (peer: Peer) => Call<Request, Response>,
	): handleUnaryCall<Request, Response> =>
	async (call, callback) => {
		try {
			callback(null, await callOf(peerOf(call))(readable(call.request), {signal: signalOf(call)}));
		} catch (error) {
			callback(statusOf(toldOf(error)));
		}
	};

const watch =
	(peerOf: PeerOf): AgentServiceServer['watch'] =>
	async (call) => {
		const signal = signalOf(call);
		try {
			for await (const event of peerOf(call).watch(readable(call.request), {signal}))
				if (!call.write({event})) await once(call, 'drain', {signal});
			call.end();
		} catch (error) {
			call.emit('error', statusOf(toldOf(error)));
		}
	};

async function* readableOnes<Item>(call: ServerReadableStream<Item, unknown>): AsyncGenerator<Item, void> {
	for await (const item of call.iterator({destroyOnReturn: false})) yield readable(item);
}

const appendOutput =
	(peerOf: PeerOf): AgentServiceServer['appendOutput'] =>
	async (call, callback) => {
		try {
			callback(null, await peerOf(call).appendOutput(readableOnes(call), {signal: signalOf(call)}));
		} catch (error) {
			callback(statusOf(toldOf(error)));
		}
	};

const authService = (peerOf: PeerOf): AuthServiceServer => ({
	login: unary(peerOf, (peer) => peer.login),
	startBrowserLogin: unary(peerOf, (peer) => peer.startBrowserLogin),
	completeBrowserLogin: unary(peerOf, (peer) => peer.completeBrowserLogin),
	whoAmI: unary(peerOf, (peer) => peer.whoAmI),
	revokeCurrentKey: unary(peerOf, (peer) => peer.revokeCurrentKey),
});

const agentService = (peerOf: PeerOf): AgentServiceServer => ({
	register: unary(peerOf, (peer) => peer.register),
	watch: watch(peerOf),
	lease: unary(peerOf, (peer) => peer.lease),
	start: unary(peerOf, (peer) => peer.start),
	heartbeat: unary(peerOf, (peer) => peer.heartbeat),
	appendOutput: appendOutput(peerOf),
	finish: unary(peerOf, (peer) => peer.finish),
	deregister: unary(peerOf, (peer) => peer.deregister),
});

const serverOptions: ServerOptions = {
	'grpc.max_receive_message_length': requestMaxBytes,
	'grpc.max_send_message_length': responseMaxBytes,
	'grpc.max_concurrent_streams': 256,
	'grpc.max_connection_idle_ms': 300_000,
	// Lets go of what a dead peer holds; whether an agent lives is decided by its heartbeat.
	'grpc.keepalive_time_ms': 60_000,
	'grpc.keepalive_timeout_ms': 20_000,
};

const credentialsFor = (host: string, tls: GrpcServerSettings['tls']): ServerCredentials => {
	if (tls)
		return ServerCredentials.createSsl(null, [
			{cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key)},
		]);
	if (!isLoopback(host))
		throw new RpcError('invalid', `gRPC is not served on ${host} in the clear: set a certificate and its key.`);
	return ServerCredentials.createInsecure();
};

const bind = (server: Server, address: string, trust: ServerCredentials): Promise<number> =>
	new Promise((resolve, reject) => {
		server.bindAsync(address, trust, (error, port) => (error ? reject(error) : resolve(port)));
	});

const shutDown = (server: Server, gate: Gate, deadlineMs: number): Promise<void> =>
	new Promise((resolve) => {
		gate.stop();
		const deadline = setTimeout(() => server.forceShutdown(), deadlineMs);
		server.tryShutdown(() => {
			clearTimeout(deadline);
			resolve();
		});
	});

/**
 * Serves peers over gRPC. Callers show an API key as `x-api-key` metadata with every call.
 * @throws RpcError invalid, when keys would travel in the clear; Error, when the port cannot be listened on
 */
export const serveGrpc = async (settings: GrpcServerSettings): Promise<GrpcServer> => {
	const host = settings.host ?? '127.0.0.1';
	const trust = credentialsFor(host, settings.tls);
	const gate = createGate(settings);
	const peerOf: PeerOf = (call) => guardedPeer(gate, {apiKey: keyOf(call), address: addressOf(call)});
	const server = new Server(serverOptions);
	server.addService(forgiving(AuthServiceService), authService(peerOf));
	server.addService(forgiving(AgentServiceService), agentService(peerOf));
	const port = await bind(server, `${isIPv6(host) ? `[${host}]` : host}:${settings.port}`, trust);
	return {port, stop: (deadlineMs = 5_000) => shutDown(server, gate, deadlineMs)};
};
