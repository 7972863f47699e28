import {isPassing, isRepeatable, nextDelay, type RetryPolicy, retryAfterMs} from './retry-delay.ts';
import type {Sleep} from './sleep.ts';

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/**
 * Sends one request, again where that is harmless and may help, and answers the last answer.
 * @param isHarmless whether it may be sent twice; else as its method and its headers say.
 */
export type Sender = (request: Request, isHarmless?: boolean) => Promise<Response>;

type Needs = Readonly<{
	fetch: Fetch;
	policy: RetryPolicy;
	/** Milliseconds for one attempt, its body included. */
	timeoutMs: number;
	sleep: Sleep;
	/** 0 to 1. */
	random(): number;
}>;

type Attempt = Readonly<{response: Response} | {error: unknown}>;

const attemptWith =
	({fetch, timeoutMs}: Needs) =>
	async (request: Request): Promise<Attempt> => {
		const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
		try {
			// The body of a request can be read once; the clone keeps it for a repetition.
			return {response: await fetch(request.clone(), {signal})};
		} catch (error) {
			return {error};
		}
	};

/** Our own first request under the same Idempotency-Key, which had no answer in time: of conflicts, only this one passes. */
const isStillAtWork = ({status, headers}: Response): boolean => status === 409 && headers.has('retry-after');

const isWorthRepeating = (request: Request, attempt: Attempt): boolean => {
	if (request.signal.aborted) return false;
	return !('response' in attempt) || isPassing(attempt.response.status) || isStillAtWork(attempt.response);
};

const askedFor = (attempt: Attempt): number | undefined =>
	'response' in attempt ? retryAfterMs(attempt.response.headers.get('retry-after'), Date.now()) : undefined;

const settle = (attempt: Attempt): Response => {
	if ('response' in attempt) return attempt.response;
	throw attempt.error;
};

export const createSender = (needs: Needs): Sender => {
	const attemptOnce = attemptWith(needs);
	const sendAgain = async (request: Request, failed: number): Promise<Response> => {
		const attempt = await attemptOnce(request);
		if (!isWorthRepeating(request, attempt)) return settle(attempt);
		const delay = nextDelay(needs.policy, failed, {asked: askedFor(attempt), random: needs.random()});
		if (delay === undefined) return settle(attempt);
		if ('response' in attempt) await attempt.response.body?.cancel();
		await needs.sleep(delay, request.signal);
		return sendAgain(request, failed + 1);
	};
	return async (request, isHarmless = isRepeatable(request)) =>
		isHarmless ? sendAgain(request, 1) : settle(await attemptOnce(request));
};
