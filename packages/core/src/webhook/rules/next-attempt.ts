import type {RetryConfig} from '../model/retry-config.ts';

/** How an attempt ended: an answer, or why there is none. */
export type AttemptResult =
	| Readonly<{status_code: number; retry_after_seconds: number | null}>
	| Readonly<{error: string}>;

export type NextAttempt =
	| Readonly<{status: 'delivered'}>
	| Readonly<{status: 'failed'; because: 'gone' | 'retries_used_up' | 'unwanted'}>
	| Readonly<{status: 'retrying'; after_seconds: number}>;

const longestRetryAfter = 24 * 3600;

/** Seconds that a destination asked for by `Retry-After`, where it may: on 429 and 503, at most a day. */
const askedFor = (result: AttemptResult): number => {
	if (!('status_code' in result) || (result.status_code !== 429 && result.status_code !== 503)) return 0;
	return Math.min(result.retry_after_seconds ?? 0, longestRetryAfter);
};

/**
 * What comes after an attempt (decisions, "Delivery"): any 2xx delivers, 410 ends, everything else is tried again while
 * retries are left, after its interval and 10 to 20 % of it; `Retry-After` only lengthens the wait.
 *
 * @param retries how many were made before this attempt, 0 for the first one.
 * @param random from 0 up to, not including, 1.
 */
export const nextAttempt = (
	{max_retries, intervals}: RetryConfig,
	{result, retries, random}: Readonly<{result: AttemptResult; retries: number; random: number}>,
): NextAttempt => {
	if ('status_code' in result) {
		if (result.status_code >= 200 && result.status_code < 300) return {status: 'delivered'};
		if (result.status_code === 410) return {status: 'failed', because: 'gone'};
	}
	if (retries >= max_retries) return {status: 'failed', because: 'retries_used_up'};
	const interval = intervals[Math.min(retries, intervals.length - 1)] ?? 0;
	const after_seconds = Math.max(interval * (1.1 + 0.1 * random), askedFor(result));
	return {status: 'retrying', after_seconds};
};
