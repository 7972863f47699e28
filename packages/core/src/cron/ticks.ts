import {isUnavailable} from '../errors.ts';
import type {DueJob, Fired, Firing, Ports} from '../ports/index.ts';
import type {Instant} from '../values/instant.ts';
import {announceRun} from './announce-run.ts';
import {planTick} from './rules/plan-tick.ts';

/** How many jobs were due, and for how many of them a run was made. */
export type Ticked = Readonly<{due: number; fired: number}>;

/** The ticks of all jobs (decisions, "Ticks"). Any number of processes may call it: each tick runs once. */
export type CronTicks = Readonly<{
	/** Fires up to `limit` jobs that are due. Run it about once a second, and again at once while it finds `limit`. */
	tick(limit: number): Promise<Ticked>;
	/** When there is something to do next, past or to come. */
	nextDue(): Promise<Instant | undefined>;
}>;

type Needs = Pick<Ports, 'signals' | 'clock' | 'ids' | 'notifications' | 'cronJobs' | 'cronTicks'>;

export const createCronTicks = (needs: Needs): CronTicks => ({
	tick: async (limit) => {
		const {now, jobs} = await needs.cronTicks.due(limit);
		let fired = 0;
		let last = Promise.resolve(0);
		for (let begin = 0; begin < jobs.length; begin += groupSize) {
			const group = jobs.slice(begin, begin + groupSize);
			const planning = Promise.all(group.map((job) => firingOf(needs, job, now)));
			const [firings, count] = await Promise.all([planning, last]);
			fired += count;
			last = fireGroup(needs, group, firings);
		}
		return {due: jobs.length, fired: fired + (await last)};
	},
	nextDue: () => needs.cronTicks.nextDue(),
});

/** Planned while the group before is written: neither waits for the other, and nothing else waits for long. */
const groupSize = 500;

const fireGroup = async (needs: Needs, jobs: readonly DueJob[], firings: readonly Firing[]): Promise<number> => {
	const answers = await fireAll(needs, firings);
	const fired = answers.flatMap((answer, index) => {
		const [job, firing] = [jobs[index], firings[index]];
		return job && firing && answer.outcome === 'fired' ? [{job, firing, replaced: answer.replaced}] : [];
	});
	for (const each of fired) announce(needs, each);
	return fired.length;
};

const firingOf = async (needs: Needs, job: DueJob, now: Instant): Promise<Firing> => {
	const {id: job_id, next_run_at: from, concurrency} = job;
	try {
		const {verdict, scheduled_for, next_run_at, missed_count, start_deadline_at} = planTick(job, now);
		const execution = verdict === 'run' ? {id: needs.ids.next(), missed_count, start_deadline_at} : null;
		return {job_id, from, next_run_at, concurrency, scheduled_for, execution};
	} catch {
		await tellOfSchedule(needs, job);
		// Never due again, or nobody else's job would be reached.
		return {job_id, from, next_run_at: null, concurrency, scheduled_for: from, execution: null};
	}
};

/** Rules and zones may change with the server: what was a schedule once may be none any more. */
const tellOfSchedule = async (needs: Needs, {id: job_id, user_id}: DueJob): Promise<void> => {
	const job = await needs.cronJobs.get(user_id, job_id);
	const notification = {
		...{id: needs.ids.next(), user_id, type: 'cron_failure' as const},
		title: `${job?.name ?? 'A job'} runs no more`,
		message: 'Its schedule or its time zone cannot be read any more: set them again.',
		...{data: {job_id}, is_read: false, created_at: needs.clock.now()},
	};
	await needs.notifications.appendUnlessUnread(notification, 'job_id');
};

/** Where a batch fails as one, each by itself: those that fail then are left for the next time. */
const fireAll = async ({cronTicks}: Needs, firings: readonly Firing[]): Promise<readonly Fired[]> => {
	try {
		return await cronTicks.fire(firings);
	} catch (error) {
		if (isUnavailable(error) || firings.length < 2) throw error;
		const settled = await Promise.allSettled(firings.map((firing) => cronTicks.fire([firing])));
		if (settled.every(({status}) => status === 'rejected')) throw error;
		return settled.map((each) => (each.status === 'fulfilled' ? each.value[0] : undefined) ?? {outcome: 'lost'});
	}
};

const announce = (
	needs: Needs,
	{job, firing, replaced}: Readonly<{job: DueJob; firing: Firing; replaced: readonly string[]}>,
): void => {
	const of = {job_id: job.id, user_id: job.user_id, triggered_by: 'scheduled'} as const;
	for (const id of replaced) announceRun(needs, {...of, id, status: 'canceled'});
	if (firing.execution !== null) announceRun(needs, {...of, id: firing.execution.id, status: 'pending'});
};
