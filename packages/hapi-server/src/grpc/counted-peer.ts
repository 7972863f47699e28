import type {AgentPeer, Call, KeyPeer} from '@signalbox/rpc';
import type {RateVerdictFor} from '../http/rate-limit.ts';

/** Counts one call of a caller. @throws rate_limited */
export type Count = () => Promise<void>;

/** @throws rate_limited when the verdict refuses it. */
export const orRefuse = ({refusal}: RateVerdictFor): void => {
	if (refusal) throw refusal;
};

const counted =
	<Request, Response>(count: Count, call: Call<Request, Response>): Call<Request, Response> =>
	async (request, options) => {
		await count();
		return call(request, options);
	};

/** The same peer, each of whose calls is counted first. */
export const countedKeyPeer = ({whoAmI, revokeCurrentKey}: KeyPeer, count: Count): KeyPeer => ({
	whoAmI: counted(count, whoAmI),
	revokeCurrentKey: counted(count, revokeCurrentKey),
});

/** The same; a stream counts once, when it is opened. */
export const countedAgentPeer = (peer: AgentPeer, count: Count): AgentPeer => ({
	register: counted(count, peer.register),
	watch: async function* (request, options) {
		await count();
		yield* peer.watch(request, options);
	},
	lease: counted(count, peer.lease),
	start: counted(count, peer.start),
	heartbeat: counted(count, peer.heartbeat),
	appendOutput: counted(count, peer.appendOutput),
	finish: counted(count, peer.finish),
	deregister: counted(count, peer.deregister),
});
