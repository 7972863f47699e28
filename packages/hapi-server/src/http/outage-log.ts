import type {Logger} from 'pino';

const quietMs = 10_000;

/** Says why something is unavailable, once in ten seconds: each request meets the same. */
export const createOutageLog = (log: Pick<Logger, 'warn'>) => {
	let told_at = Number.NEGATIVE_INFINITY;
	return (error: unknown): void => {
		const cause = error instanceof Error ? error.cause : undefined;
		const now = performance.now();
		if (cause === undefined || now - told_at < quietMs) return;
		told_at = now;
		log.warn({err: cause}, 'the service is unavailable');
	};
};
