import type {PlanJob, WebhookPlanner} from '../../ports/index.ts';
import type {AcceptancePlan} from '../../webhook/model/acceptance-plan.ts';
import {createTaskQueue} from '../task-queue.ts';
import {createPlanningCosts} from './planning-costs.ts';
import {createPlanningThread} from './planning-thread.ts';
import {processorMs} from './processor-ms.ts';

/** Milliseconds for which one webhook may hold up the thread that answers, and the step or rule that is under way then. */
const mostHere = 4;

/** Webhooks of one endpoint that are on their way to the thread at once: those of others come in between. */
const mostOfEndpoint = 4;

/** The webhooks of each endpoint wait in a line of their own: no one endpoint fills that of all. */
const createTurns = () => {
	const lines = new WeakMap<PlanJob['pipeline'], ReturnType<typeof createTaskQueue>>();
	return async <T>({pipeline}: PlanJob, work: () => Promise<T>): Promise<T> => {
		const line = lines.get(pipeline) ?? createTaskQueue({concurrency: mostOfEndpoint});
		lines.set(pipeline, line);
		return line(work);
	};
};

/** Thrown through the planning of a webhook that takes long, which is begun anew elsewhere. */
class TakesLong extends Error {}

export type NodeWebhookPlanner = WebhookPlanner & Readonly<{close(): Promise<void>}>;

export type WebhookPlannerOptions = Readonly<{
	/** Milliseconds of the processor that this thread has taken. */
	spentMs?: () => number;
}>;

/**
 * Plans where webhooks come in what is quick, and in a thread of its own what is expected to take long, by what the last
 * webhooks of the same endpoint took, or does. The thread is started by the first of those, and keeps no process alive; where it cannot be started, as from a bundle
 * that it was left out of, all is planned here.
 */
export const createWebhookPlanner = ({spentMs = processorMs}: WebhookPlannerOptions = {}): NodeWebhookPlanner => {
	const costs = createPlanningCosts();
	const thread = createPlanningThread();
	const inTurn = createTurns();
	const planApart = async (job: PlanJob): Promise<AcceptancePlan> => {
		const planned = await inTurn(job, () => thread.plan(job.describe()));
		if (planned === undefined) return job.run(() => undefined);
		costs.learn(job, planned.milliseconds);
		return planned.plan;
	};
	const planHere = (job: PlanJob): AcceptancePlan => {
		const began = spentMs();
		try {
			return job.run(() => {
				if (spentMs() - began > mostHere) throw new TakesLong();
			});
		} finally {
			costs.learn(job, spentMs() - began);
		}
	};
	return {
		plan: async (job) => {
			if (costs.expected(job) > mostHere) return planApart(job);
			try {
				return planHere(job);
			} catch (error) {
				if (error instanceof TakesLong) return planApart(job);
				throw error;
			}
		},
		close: thread.close,
	};
};
