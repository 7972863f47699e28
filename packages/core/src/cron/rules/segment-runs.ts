import {countWalls, nextWall, previousWall, type WallTime} from './wall-times.ts';
import {segmentAt, type ZoneSegment} from './zone-segments.ts';

/** A canonical schedule in its zone. */
export type ZonedSchedule = Readonly<{schedule_cron: string; timezone: string}>;

/**
 * The runs of a schedule while its zone keeps one offset: at its wall times from `first` until before `last`, and
 * `atStart`, once, for those that the clock has just jumped over.
 */
export type SegmentRuns = Readonly<{
	schedule_cron: string;
	segment: ZoneSegment;
	first: WallTime;
	last: WallTime;
	atStart: boolean;
}>;

/** Whether minute and hour name times of the day, without `*` and steps. */
const isFixed = (schedule_cron: string): boolean => !/^\S*[*/]|^\S+ \S*[*/]/.test(schedule_cron);

/**
 * The rules for clocks that change (decisions, "Schedules"). A time of the day that a clock jumps over runs when it has, and
 * one that it shows twice runs the first time. Steps and `*` run whenever the clock shows their time.
 */
export const runsDuring = ({schedule_cron, timezone}: ZonedSchedule, segment: ZoneSegment): SegmentRuns => {
	const [first, last] = [segment.from + segment.offset, segment.until + segment.offset];
	if (!isFixed(schedule_cron)) return {schedule_cron, segment, first, last, atStart: false};
	const shown = segment.from + segmentAt(timezone, segment.from - 1).offset;
	const atStart = shown < first && nextWall(schedule_cron, shown - 1) < first;
	return {schedule_cron, segment, first: Math.max(first, shown), last, atStart};
};

/** The first run after `after`; if there is none, the wall time after the segment at which to look on. */
export const firstRunIn = (
	{schedule_cron, segment, first, last, atStart}: SegmentRuns,
	after: number,
): Readonly<{run: number}> | Readonly<{nextWall: WallTime}> => {
	if (atStart && after < segment.from) return {run: segment.from};
	const wall = nextWall(schedule_cron, Math.max(first - 1, after + segment.offset));
	return wall < last ? {run: wall - segment.offset} : {nextWall: wall};
};

/** The last run up to `until`. */
export const lastRunIn = (
	{schedule_cron, segment, first, last, atStart}: SegmentRuns,
	until: number,
): number | undefined => {
	const wall = previousWall(schedule_cron, Math.min(last, until + segment.offset + 1));
	if (wall >= first) return wall - segment.offset;
	return atStart && segment.from <= until ? segment.from : undefined;
};

/** How many runs there are after `after`, up to `until`. */
export const countRunsIn = (
	{schedule_cron, segment, first, last, atStart}: SegmentRuns,
	after: number,
	until: number,
): number => {
	const [from, to] = [Math.max(first, after + segment.offset + 1), Math.min(last, until + segment.offset + 1)];
	const isExtra =
		atStart && after < segment.from && segment.from <= until && nextWall(schedule_cron, first - 1) !== first;
	return countWalls(schedule_cron, from, to) + (isExtra ? 1 : 0);
};
