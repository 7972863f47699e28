import {untilAborted} from './abortable.ts';
import type {Admission, Gate, Origin} from './gate.ts';
import type {AgentPeer, Call, CallOptions, KeyPeer, LoginPeer, Peer} from './peer.ts';

type Work<Request, Response> = (request: Request, options: Required<CallOptions>) => Promise<Response>;

const throughGate =
	<Request, Response>(gate: Gate, work: Work<Request, Response>): Call<Request, Response> =>
	async (request, options = {}) => {
		try {
			return await work(request, {signal: gate.signalOf(options)});
		} catch (thrown) {
			throw gate.told(thrown, options);
		}
	};

const staying = async <Response>(admission: Admission, work: (peer: AgentPeer) => Promise<Response>) => {
	try {
		return await work(admission.peer);
	} finally {
		admission.leave();
	}
};

const loginPeer = (gate: Gate, origin: Origin): LoginPeer => {
	const anyone = <Request, Response>(callOf: (peer: LoginPeer) => Call<Request, Response>) =>
		throughGate<Request, Response>(gate, async (request, options) => callOf(gate.login(origin))(request, options));
	return {
		login: anyone((peer) => peer.login),
		startBrowserLogin: anyone((peer) => peer.startBrowserLogin),
		completeBrowserLogin: anyone((peer) => peer.completeBrowserLogin),
	};
};

const lease = (gate: Gate, origin: Origin): AgentPeer['lease'] =>
	throughGate(gate, async (request, options) =>
		staying(await gate.admit(origin), async (peer) => {
			try {
				return await peer.lease(request, options);
			} catch (thrown) {
				if (gate.stopping.aborted) return {executions: []};
				throw thrown;
			}
		}),
	);

const appendOutput = (gate: Gate, origin: Origin): AgentPeer['appendOutput'] =>
	throughGate(gate, async (chunks, options) =>
		staying(await gate.admit(origin), (peer) => peer.appendOutput(untilAborted(chunks, options.signal), options)),
	);

const watch = (gate: Gate, origin: Origin): AgentPeer['watch'] =>
	async function* (request, options = {}) {
		const signal = gate.signalOf(options);
		let admission: Admission | undefined;
		try {
			admission = await gate.admit(origin);
			yield* untilAborted(admission.peer.watch(request, {signal}), signal);
		} catch (thrown) {
			throw gate.told(thrown, options);
		} finally {
			admission?.leave();
		}
	};

/** A peer for the calls of one origin: each passes the gate, and ends as promised when the caller or the server stops. */
export const guardedPeer = (gate: Gate, origin: Origin): Peer => {
	const caller = <Request, Response>(callOf: (peer: KeyPeer & AgentPeer) => Call<Request, Response>) =>
		throughGate<Request, Response>(gate, async (request, options) =>
			callOf(await gate.identify(origin))(request, options),
		);
	return {
		...loginPeer(gate, origin),
		whoAmI: caller((peer) => peer.whoAmI),
		revokeCurrentKey: caller((peer) => peer.revokeCurrentKey),
		register: caller((peer) => peer.register),
		watch: watch(gate, origin),
		lease: lease(gate, origin),
		start: caller((peer) => peer.start),
		heartbeat: caller((peer) => peer.heartbeat),
		appendOutput: appendOutput(gate, origin),
		finish: caller((peer) => peer.finish),
		deregister: caller((peer) => peer.deregister),
	};
};
