/** When and how often a call is repeated. Milliseconds. */
export type RetryPolicy = Readonly<{
	/** Attempts beyond the first. */
	retries: number;
	/** Before the first repetition; doubles with each one. */
	backoffMs: number;
	/** A server that asks for more patience than this is not asked again. */
	longestWaitMs: number;
}>;

const idempotentMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const passingStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/** True when sending the request twice does what sending it once does. */
export const isRepeatable = (request: Request): boolean =>
	idempotentMethods.includes(request.method) || request.headers.has('idempotency-key');

/** True for an answer that may be another one a moment later. */
export const isPassing = (status: number): boolean => passingStatuses.includes(status);

/** Reads Retry-After, in seconds or as a date. @returns milliseconds, or undefined when it says nothing. */
export const retryAfterMs = (header: string | null, now: number): number | undefined => {
	if (header === null) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/**
 * How long to wait before the next attempt: what the server asked for, else exponential backoff with half of it random,
 * so that clients which failed together do not come back together.
 * @param failed attempts so far, from 1. @param asked what Retry-After said. @param random 0 to 1.
 * @returns milliseconds, or undefined when there is no next attempt.
 */
export const nextDelay = (
	{retries, backoffMs, longestWaitMs}: RetryPolicy,
	failed: number,
	{asked, random}: Readonly<{asked: number | undefined; random: number}>,
): number | undefined => {
	if (failed > retries) return undefined;
	const delay = asked ?? backoffMs * 2 ** (failed - 1) * (0.5 + random / 2);
	return delay <= longestWaitMs ? delay : undefined;
};
