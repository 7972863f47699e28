import {type Instant, plusSeconds} from '../../values/instant.ts';
import {countRuns, latestRun} from './missed-runs.ts';
import {nextRun} from './next-run.ts';
import type {ZonedSchedule} from './segment-runs.ts';
import {startWithinSeconds} from './start-deadline.ts';

export type TickPlan = Readonly<{
	/** The newest tick that is past. */
	scheduled_for: Instant;
	/** Ticks without a run of their own: the ones before it, and itself when it is too late. */
	missed_count: number;
	/** `too_late`: its start deadline has passed, and nothing runs. */
	verdict: 'run' | 'too_late';
	/** Null: never again. */
	next_run_at: Instant | null;
	start_deadline_at: Instant;
}>;

/**
 * What to do for a job whose next run is due (decisions, "Ticks"): ticks that nobody was there for become one, the newest, if
 * it still may start.
 *
 * @param now not before `next_run_at`.
 */
export const planTick = (job: ZonedSchedule & Readonly<{next_run_at: Instant}>, now: Instant): TickPlan => {
	const following = nextRun(job, job.next_run_at);
	const isLate = following !== null && following <= now;
	const scheduled_for = (isLate ? latestRun(job, job.next_run_at, now) : null) ?? job.next_run_at;
	const next_run_at = isLate ? nextRun(job, now) : following;
	const start_deadline_at = plusSeconds(scheduled_for, startWithinSeconds(scheduled_for, next_run_at));
	const verdict = now < start_deadline_at ? 'run' : 'too_late';
	const before = isLate ? countRuns(job, job.next_run_at, now) : 0;
	const missed_count = verdict === 'run' ? before : before + 1;
	return {scheduled_for, missed_count, verdict, next_run_at, start_deadline_at};
};
