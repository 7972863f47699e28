import {DomainError} from '../errors.ts';

type Limits = Readonly<{
	concurrency: number;
	/** Default: no limit. */
	queue?: number;
	/** What whoever finds no room to wait is told. */
	refusal?: string;
}>;

/**
 * Runs at most `concurrency` tasks at once and lets at most `queue` more wait, first come first served.
 * @throws service_unavailable when that many wait already.
 */
export const createTaskQueue = ({concurrency, queue = Number.POSITIVE_INFINITY, refusal = ''}: Limits) => {
	const waiting: (() => void)[] = [];
	let running = 0;

	const enter = async (): Promise<void> => {
		if (running < concurrency) {
			running += 1;
			return;
		}
		if (waiting.length >= queue) {
			throw new DomainError('service_unavailable', {
				message: refusal,
				retryAfterSeconds: 1,
			});
		}
		await new Promise<void>((resolve) => waiting.push(resolve));
	};

	const leave = (): void => {
		const next = waiting.shift();
		// Whoever waits takes over the place, so that nobody who comes later slips in between.
		if (next === undefined) running -= 1;
		else next();
	};

	return async <T>(task: () => Promise<T>): Promise<T> => {
		await enter();
		try {
			return await task();
		} finally {
			leave();
		}
	};
};
