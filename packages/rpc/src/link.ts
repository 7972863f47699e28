import {orCanceled, untilAborted} from './abortable.ts';
import {createGate, type ServingSettings} from './gate.ts';
import {
	type AppendOutputResponse,
	AgentServiceService as agent,
	AuthServiceService as auth,
	type OutputChunk,
} from './generated/agent.ts';
import {guardedPeer} from './guarded-peer.ts';
import {requestMaxBytes} from './message-size.ts';
import type {Asked, Method} from './method.ts';
import type {AgentPeer, Call, Peer} from './peer.ts';
import {canceled, RpcError} from './rpc-error.ts';

/** A server and its callers in one process, without a socket between them. */
export type Link = Readonly<{
	/** The calling end, for one API key; without one only the calls of a login get through. */
	connect(apiKey?: string): Peer;
	/** Ends what is open, and makes new calls `unavailable`. */
	stop(): void;
}>;

// Written and read as on the wire: the ends share no object, and nothing passes that would not pass there.
const carried = <Request>(method: Asked<Request>, request: Request): Request => {
	const bytes = method.requestSerialize(request);
	if (bytes.length > requestMaxBytes)
		throw new RpcError('limited', `The message has ${bytes.length} bytes, at most ${requestMaxBytes} are taken.`);
	return method.requestDeserialize(bytes);
};

const linked =
	<Request, Response>(method: Method<Request, Response>, call: Call<Request, Response>): Call<Request, Response> =>
	(request, options) =>
		orCanceled(async () => {
			const response = await call(carried(method, request), options);
			return method.responseDeserialize(method.responseSerialize(response));
		}, options?.signal);

const withSignal = (own: AbortSignal, callers?: AbortSignal): AbortSignal =>
	callers ? AbortSignal.any([callers, own]) : own;

const watch = (peer: AgentPeer): AgentPeer['watch'] =>
	async function* (request, {signal} = {}) {
		if (signal?.aborted) throw canceled();
		const left = new AbortController();
		try {
			const options = {signal: withSignal(left.signal, signal)};
			for await (const event of peer.watch(carried(agent.watch, request), options)) yield structuredClone(event);
			if (signal?.aborted) throw canceled();
		} finally {
			left.abort();
		}
	};

const appendOutput =
	(peer: AgentPeer): AgentPeer['appendOutput'] =>
	(chunks, {signal} = {}) => {
		const ended = new AbortController();
		return new Promise<AppendOutputResponse>((resolve, reject) => {
			async function* carriedChunks(): AsyncGenerator<OutputChunk, void> {
				try {
					for await (const chunk of untilAborted(chunks, ended.signal)) yield carried(agent.appendOutput, chunk);
				} catch (thrown) {
					reject(thrown);
					ended.abort();
				}
			}
			const options = {signal: withSignal(ended.signal, signal)};
			orCanceled(() => peer.appendOutput(carriedChunks(), options), signal).then(resolve, reject);
		}).finally(() => ended.abort());
	};

const linkedPeer = (peer: Peer): Peer => ({
	login: linked(auth.login, peer.login),
	startBrowserLogin: linked(auth.startBrowserLogin, peer.startBrowserLogin),
	completeBrowserLogin: linked(auth.completeBrowserLogin, peer.completeBrowserLogin),
	whoAmI: linked(auth.whoAmI, peer.whoAmI),
	revokeCurrentKey: linked(auth.revokeCurrentKey, peer.revokeCurrentKey),
	register: linked(agent.register, peer.register),
	watch: watch(peer),
	lease: linked(agent.lease, peer.lease),
	start: linked(agent.start, peer.start),
	heartbeat: linked(agent.heartbeat, peer.heartbeat),
	appendOutput: appendOutput(peer),
	finish: linked(agent.finish, peer.finish),
	deregister: linked(agent.deregister, peer.deregister),
});

/** Links callers to a server without a socket: for tests, and for an agent that runs in the server's own process. */
export const createLink = (settings: ServingSettings): Link => {
	const gate = createGate(settings);
	return {
		connect: (apiKey) => linkedPeer(guardedPeer(gate, {apiKey, address: '127.0.0.1'})),
		stop: gate.stop,
	};
};
