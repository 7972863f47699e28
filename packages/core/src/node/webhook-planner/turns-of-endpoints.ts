import {DomainError} from '../../errors.ts';
import type {PlanJob} from '../../ports/index.ts';

/**
 * Lets `most` webhooks of one version of an endpoint wait for the thread: those of all endpoints wait in one line, which no
 * one endpoint may fill.
 */
export const createTurnsOfEndpoints = (most: number) => {
	const waiting = new WeakMap<PlanJob['pipeline'], number>();
	const countOf = (pipeline: PlanJob['pipeline']): number => waiting.get(pipeline) ?? 0;
	/** @throws service_unavailable when that many wait already. */
	return async <T>({pipeline}: PlanJob, work: () => Promise<T>): Promise<T> => {
		if (countOf(pipeline) >= most) {
			throw new DomainError('service_unavailable', {
				message: 'Too many webhooks of this endpoint take long: try again soon.',
				retryAfterSeconds: 1,
			});
		}
		waiting.set(pipeline, countOf(pipeline) + 1);
		try {
			return await work();
		} finally {
			waiting.set(pipeline, countOf(pipeline) - 1);
		}
	};
};
