import {RpcError, type RpcErrorKind, whileUnavailable} from '@signalbox/rpc';
import type {Clock} from '../clock.ts';

/** What the same call may not meet again later. */
const passing: ReadonlySet<RpcErrorKind> = new Set(['unavailable', 'timed_out', 'limited', 'internal']);

export const isPassing = (error: unknown): boolean => error instanceof RpcError && passing.has(error.kind);

/** The server will answer no call with this API key. */
export const isLockedOut = (error: unknown): boolean =>
	error instanceof RpcError && (error.kind === 'unauthenticated' || error.kind === 'forbidden');

export type Persistence = Readonly<{
	clock: Clock;
	/** Gives up. */
	signal: AbortSignal;
	/** How many faults of the server in a row are borne. @default all */
	mostFaults?: number;
	/** Told of the first failure in a row. */
	failed?(error: Error): void;
}>;

const mostMs = 10_000;

/**
 * Makes a call that may be made again until it comes to something, with waits that double up to 10 seconds, and come on top
 * of what the server asks for.
 * @throws what is not passing, and the reason of the signal
 */
export const persist = <T>(call: () => Promise<T>, persistence: Persistence): Promise<T> => {
	const {clock, signal, mostFaults = Number.POSITIVE_INFINITY, failed} = persistence;
	let failures = 0;
	let faults = 0;
	const attempt = async (): Promise<T> => {
		try {
			return await call();
		} catch (error) {
			if (!isPassing(error) || signal.aborted) throw error;
			if ((error as RpcError).kind === 'internal') faults += 1;
			if (faults > mostFaults) throw error;
			failures += 1;
			if (failures === 1) failed?.(error as Error);
			const {message, retryAfterSeconds} = error as RpcError;
			throw new RpcError('unavailable', message, {cause: error, retryAfterSeconds});
		}
	};
	const wait = async (milliseconds: number): Promise<void> => {
		await clock.sleep(milliseconds, signal);
		signal.throwIfAborted();
	};
	return whileUnavailable(attempt, {wait, mostMs});
};
