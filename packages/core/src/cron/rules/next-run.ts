import {type Instant, instantOf, millisecondsOf} from '../../values/instant.ts';
import {remembered} from './remembered.ts';
import {firstRunIn, runsDuring, type ZonedSchedule} from './segment-runs.ts';
import {segmentAt} from './zone-segments.ts';

const minute = 60 * 1000;
/** More than any two offsets of a zone are apart: nothing runs until so long before the next wall time. */
const twoDays = 2 * 24 * 60 * minute;

const searchAhead = (job: ZonedSchedule, after: number): number | null => {
	let segment = segmentAt(job.timezone, after);
	// The segment that follows is looked at in any case: a clock that was set back shows again what it has shown.
	for (let isFirst = true; ; isFirst = false) {
		const found = firstRunIn(runsDuring(job, segment), after);
		if ('run' in found) return found.run;
		const ahead = isFirst ? segment.until : Math.max(segment.until, found.nextWall - twoDays);
		if (ahead === Number.POSITIVE_INFINITY) return null;
		segment = segmentAt(job.timezone, ahead);
	}
};

/** Answers for jobs that share schedule, zone and minute. About 200 bytes each. */
const mostAnswers = 5000;

const searchAheadOf = remembered(mostAnswers, (key): Instant | null => {
	const [schedule_cron = '', timezone = '', minutes] = key.split('|');
	const run = searchAhead({schedule_cron, timezone}, Number(minutes) * minute);
	return run === null ? null : instantOf(run);
});

/**
 * The first run after an instant (decisions, "Schedules"). Where clocks change, a time of the day that the clock jumps over
 * runs when it has, and one that it shows twice runs the first time; steps and `*` run whenever the clock shows their time.
 *
 * @param job a schedule as `parseSchedule` writes it, and an IANA zone that `isTimezone` knows.
 * @returns null when there is none before the year 3000.
 */
export const nextRun = ({schedule_cron, timezone}: ZonedSchedule, after: Instant): Instant | null =>
	// Runs are at whole minutes, so that all instants of a minute have the same one next.
	searchAheadOf(`${schedule_cron}|${timezone}|${Math.floor(millisecondsOf(after) / minute)}`);

/** The next `count` runs, fewer when there are no more. */
export const nextRuns = (job: ZonedSchedule, after: Instant, count: number): readonly Instant[] => {
	const runs: Instant[] = [];
	for (let run = nextRun(job, after); run !== null && runs.length < count; run = nextRun(job, run)) runs.push(run);
	return runs;
};
