import type {Caller} from '@signalbox/core';
import type {AgentPeer, CallOptions, KeyPeer, LoginPeer} from './peer.ts';
import {canceled, RpcError, toldOf} from './rpc-error.ts';

/** What a server answers calls with, whatever carries them. */
export type ServingSettings = Readonly<{
	/** Answers the calls that need no credential, made from an IP address. */
	login(address: string): LoginPeer;
	/** Answers all others, for one authenticated caller. */
	authenticated(caller: Caller): KeyPeer & AgentPeer;
	/** Whose API key a call showed; undefined when it is nobody's, or no longer valid, or there was none. */
	authenticate(origin: Origin): Promise<Caller | undefined>;
	/** Told of what was thrown and reached the caller as `internal`. */
	report?(thrown: unknown): void;
	/** How many long polls, watches and uploads one API key may have open. @default 64 */
	openCallsPerKey?: number;
}>;

/** Where a call comes from and what it showed. */
export type Origin = Readonly<{apiKey: string | undefined; address: string}>;

/** A caller let in for a call that stays open. */
export type Admission = Readonly<{peer: AgentPeer; leave(): void}>;

/** What stands before every call that a server answers. */
export type Gate = Readonly<{
	login(origin: Origin): LoginPeer;
	/** @throws RpcError unauthenticated */
	identify(origin: Origin): Promise<KeyPeer & AgentPeer>;
	/** Also counts the call. @throws RpcError unauthenticated, limited */
	admit(origin: Origin): Promise<Admission>;
	/** What the caller is told of anything that a call threw; reports what they are not told. */
	told(thrown: unknown, options: CallOptions): RpcError;
	/** Aborts when the caller gives up and when the server stops. */
	signalOf(options: CallOptions): AbortSignal;
	/** Aborted once the server stops; calls after that are `unavailable`. */
	stopping: AbortSignal;
	stop(): void;
}>;

const holderOf = ({credential, user_id}: Caller): string => (credential.kind === 'api_key' ? credential.id : user_id);

/** Counts what each holder has open. @throws RpcError limited */
const createTurnstile = (most: number) => {
	const open = new Map<string, number>();
	return (holder: string): (() => void) => {
		const count = open.get(holder) ?? 0;
		if (count >= most) throw new RpcError('limited', `This API key has ${most} calls open: wait until one has ended.`);
		open.set(holder, count + 1);
		return () => {
			const left = (open.get(holder) ?? 0) - 1;
			if (left > 0) open.set(holder, left);
			else open.delete(holder);
		};
	};
};

const isAbort = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError';

export const createGate = (settings: ServingSettings): Gate => {
	const stopping = new AbortController();
	const enter = createTurnstile(settings.openCallsPerKey ?? 64);
	const callerOf = async (origin: Origin): Promise<Caller> => {
		stopping.signal.throwIfAborted();
		const caller = await settings.authenticate(origin);
		if (caller) return caller;
		throw new RpcError(
			'unauthenticated',
			origin.apiKey ? 'The API key is not valid: log in again.' : 'Send an API key as x-api-key metadata.',
		);
	};
	return {
		login({address}) {
			stopping.signal.throwIfAborted();
			return settings.login(address);
		},
		identify: async (origin) => settings.authenticated(await callerOf(origin)),
		async admit(origin) {
			const caller = await callerOf(origin);
			return {peer: settings.authenticated(caller), leave: enter(holderOf(caller))};
		},
		told(thrown, {signal}) {
			if (signal?.aborted) return canceled();
			const error = toldOf(stopping.signal.aborted && isAbort(thrown) ? stopping.signal.reason : thrown);
			if (error.kind === 'internal') settings.report?.(thrown);
			return error;
		},
		signalOf: ({signal}) => (signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal),
		stopping: stopping.signal,
		stop: () => stopping.abort(new RpcError('unavailable', 'The server is about to stop: try again soon.')),
	};
};
