import {setImmediate as turn} from 'node:timers/promises';
import type {PlanJob, WebhookPlanner} from '../../ports/index.ts';
import type {AcceptancePlan} from '../../webhook/model/acceptance-plan.ts';
import {createTaskQueue} from '../task-queue.ts';
import {createPlanningCosts} from './planning-costs.ts';
import {createPlanningThread} from './planning-thread.ts';

/** Milliseconds for which one webhook may hold up the thread that answers, and the step or rule that is under way then. */
const mostHere = 4;

/** Milliseconds for which a webhook that took long is begun again: the first one of a process takes 20 the first time. */
const mostInDoubt = 4 * mostHere;

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

/** Webhooks that are measured again: until then, those of the same endpoint wait. */
const createDoubts = () => {
	const doubts = new WeakMap<PlanJob['pipeline'], Promise<unknown>>();
	return {
		about: ({pipeline}: PlanJob): Promise<unknown> | undefined => doubts.get(pipeline),
		raise: async <T>({pipeline}: PlanJob, measured: Promise<T>): Promise<T> => {
			doubts.set(
				pipeline,
				measured.catch(() => undefined),
			);
			return measured.finally(() => doubts.delete(pipeline));
		},
	};
};

/** Thrown through the planning of a webhook that takes long, which is begun anew. */
class TakesLong extends Error {}

const unlessItTakesLong = (run: () => AcceptancePlan): AcceptancePlan | undefined => {
	try {
		return run();
	} catch (error) {
		if (error instanceof TakesLong) return undefined;
		throw error;
	}
};

type PlannedHere = Readonly<{plan: AcceptancePlan | undefined; milliseconds: number}>;

export type NodeWebhookPlanner = WebhookPlanner & Readonly<{close(): Promise<void>}>;

export type WebhookPlannerOptions = Readonly<{
	/** Milliseconds by a clock that nobody sets. */
	elapsedMs?: () => number;
}>;

/**
 * Plans where webhooks come in what is quick, and in a thread of its own what is expected to take long, by what the last
 * webhooks of the same endpoint took, or does. It does when it took long again and again, a turn apart: once, a collection of
 * garbage, a compilation or another process may have come in between. (The time of the processor would leave out the last of them, but Linux
 * counts it in ticks of some milliseconds.) The thread is started by the first of those, and keeps no process alive; where it cannot
 * be started, as from a bundle that it was left out of, all is planned here.
 */
export const createWebhookPlanner = ({
	elapsedMs = () => performance.now(),
}: WebhookPlannerOptions = {}): NodeWebhookPlanner => {
	const costs = createPlanningCosts();
	const thread = createPlanningThread();
	const inTurn = createTurns();
	const doubts = createDoubts();
	const planApart = async (job: PlanJob): Promise<AcceptancePlan> => {
		const planned = await inTurn(job, () => thread.plan(job.describe()));
		if (planned === undefined) return job.run(() => undefined);
		costs.learn(job, planned.milliseconds);
		return planned.plan;
	};
	const planHere = (job: PlanJob): PlannedHere => {
		const began = elapsedMs();
		const proceed = () => {
			if (elapsedMs() - began > mostHere) throw new TakesLong();
		};
		const plan = unlessItTakesLong(() => job.run(proceed));
		return {plan, milliseconds: elapsedMs() - began};
	};
	const planAgain = async (job: PlanJob, first: PlannedHere): Promise<PlannedHere> => {
		let last = first;
		let [shortest, spent] = [first.milliseconds, 0];
		do {
			await turn();
			last = planHere(job);
			shortest = Math.min(shortest, last.milliseconds);
			spent += last.milliseconds;
		} while (shortest > mostHere && spent < mostInDoubt);
		// Before those who wait for it look.
		costs.learn(job, shortest);
		return last;
	};
	return {
		plan: async (job) => {
			while (doubts.about(job)) await doubts.about(job);
			if (costs.expected(job) > mostHere) return planApart(job);
			const first = planHere(job);
			if (first.milliseconds <= mostHere) costs.learn(job, first.milliseconds);
			const last = first.milliseconds > mostHere ? await doubts.raise(job, planAgain(job, first)) : first;
			return first.plan ?? last.plan ?? planApart(job);
		},
		close: thread.close,
	};
};
