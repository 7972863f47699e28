import {setTimeout} from 'node:timers/promises';
import {RpcError} from './rpc-error.ts';

export type Patience = Readonly<{
	/** Gives up waiting; the call itself is given up by its own signal. */
	signal?: AbortSignal;
	/** The longest wait after the first failure, in milliseconds. @default 500 */
	firstMs?: number;
	/** The longest wait of all, in milliseconds. @default 30,000 */
	mostMs?: number;
	/** Waits; rejects when the signal aborts. */
	wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
	/** From 0 to 1, below 1. */
	random?: () => number;
}>;

/**
 * Makes a call until it does not fail as `unavailable`. Between two tries it waits at least half of a time that doubles,
 * and at random up to all of it, so that agents that lost one server do not come back to it as one; where the server said
 * when to come again, it waits that long besides.
 * @throws whatever else the call throws, and the reason of the signal
 */
export const whileUnavailable = async <T>(call: () => Promise<T>, patience: Patience = {}): Promise<T> => {
	const {signal, firstMs = 500, mostMs = 30_000, random = Math.random} = patience;
	const wait = patience.wait ?? ((ms: number) => setTimeout(ms, undefined, {signal}));
	for (let longest = firstMs; ; longest = Math.min(longest * 2, mostMs)) {
		let askedMs = 0;
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof RpcError) || error.kind !== 'unavailable') throw error;
			askedMs = (error.retryAfterSeconds ?? 0) * 1000;
		}
		await wait(askedMs + (longest * (1 + random())) / 2, signal);
	}
};
