import {type Instant, instantOf, millisecondsOf} from '../../values/instant.ts';
import {countRunsIn, lastRunIn, runsDuring, type ZonedSchedule} from './segment-runs.ts';
import {segmentAt} from './zone-segments.ts';

/** The last run after `since`, up to `until`. */
export const latestRun = (job: ZonedSchedule, since: Instant, until: Instant): Instant | null => {
	const [start, end] = [millisecondsOf(since), millisecondsOf(until)];
	for (let at = end; at > start; ) {
		const segment = segmentAt(job.timezone, at);
		const run = lastRunIn(runsDuring(job, segment), end);
		if (run !== undefined) return run > start ? instantOf(run) : null;
		at = segment.from - 1;
	}
	return null;
};

/** How many runs there are after `since`, up to `until`. Counted by the day: a year of minutes takes a moment. */
export const countRuns = (job: ZonedSchedule, since: Instant, until: Instant): number => {
	const [start, end] = [millisecondsOf(since), millisecondsOf(until)];
	let count = 0;
	for (let at = start; at <= end; ) {
		const segment = segmentAt(job.timezone, at);
		count += countRunsIn(runsDuring(job, segment), start, end);
		at = segment.until;
	}
	return count;
};
