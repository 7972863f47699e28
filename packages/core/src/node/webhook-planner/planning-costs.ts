import type {PlanJob} from '../../ports/index.ts';

/** Milliseconds for each KiB of a body before anything is known of an endpoint: it is read as JSON, and little more. */
const firstGuess = 0.005;
/** A webhook that took long says more about its endpoint than the next one, which did not. */
const forgetting = 0.9;

/** An empty body takes its time, too. */
const sizeOf = ({bytes}: Pick<PlanJob, 'bytes'>): number => 1 + bytes / 1024;

/** What planning costs at each version of an endpoint, by the last webhooks there. */
export const createPlanningCosts = () => {
	const perKiB = new WeakMap<PlanJob['pipeline'], number>();
	const known = ({pipeline}: PlanJob): number => perKiB.get(pipeline) ?? firstGuess;
	return {
		/** Milliseconds. */
		expected: (job: PlanJob): number => known(job) * sizeOf(job),
		learn: (job: PlanJob, milliseconds: number): void => {
			perKiB.set(job.pipeline, Math.max(milliseconds / sizeOf(job), forgetting * known(job)));
		},
	};
};
