import test from 'ava';
import fc from 'fast-check';
import {countRuns, latestRun} from '../../src/cron/rules/missed-runs.ts';
import {nextRun, nextRuns} from '../../src/cron/rules/next-run.ts';
import {parseSchedule} from '../../src/cron/rules/parse-schedule.ts';
import {remembered} from '../../src/cron/rules/remembered.ts';
import {expressions, type MadeExpression} from './made-expressions.ts';
import {runsWhile, type Watch, watch} from './reference-runs.ts';

const cronOf = (text: string): string => {
	const parsed = parseSchedule(text);
	if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
	return parsed.schedule_cron;
};

const job = (text: string, timezone = 'UTC') => ({schedule_cron: cronOf(text), timezone});

test('the next run is strictly after', (t) => {
	t.is(nextRun(job('0 9 * * *'), '2026-11-21T08:59:59.999Z'), '2026-11-21T09:00:00.000Z');
	t.is(nextRun(job('0 9 * * *'), '2026-11-21T09:00:00.000Z'), '2026-11-22T09:00:00.000Z');
	t.is(nextRun(job('0 9 * * *'), '2026-11-21T09:00:30.000Z'), '2026-11-22T09:00:00.000Z');
	t.is(nextRun(job('* * * * *'), '2026-12-31T23:59:00.001Z'), '2027-01-01T00:00:00.000Z');
	t.is(nextRun(job('30 9 * * *', 'Asia/Kathmandu'), '2026-11-21T00:00:00.000Z'), '2026-11-21T03:45:00.000Z');
});

test('[JOB-078] what runs seldom is found: leap days, and those on a Monday', (t) => {
	t.deepEqual(nextRuns(job('0 0 29 2 *'), '2026-11-21T00:00:00.000Z', 2), [
		'2028-02-29T00:00:00.000Z',
		'2032-02-29T00:00:00.000Z',
	]);
	t.deepEqual(nextRuns(job('0 0 * 2 MON#5'), '2026-11-21T00:00:00.000Z', 5), [
		'2044-02-29T00:00:00.000Z',
		'2072-02-29T00:00:00.000Z',
		'2112-02-29T00:00:00.000Z',
		'2140-02-29T00:00:00.000Z',
		'2168-02-29T00:00:00.000Z',
	]);
	t.is(nextRun(job('0 0 * 2 MON#5'), '2999-01-01T00:00:00.000Z'), null);
});

test('[JOB-086 JOB-087] what runs seldom is found beside a change of the clock', (t) => {
	t.deepEqual(nextRuns(job('*/30 1 25 10 *', 'Europe/London'), '2026-10-24T12:00:00.000Z', 5), [
		'2026-10-25T00:00:00.000Z',
		'2026-10-25T00:30:00.000Z',
		'2026-10-25T01:00:00.000Z',
		'2026-10-25T01:30:00.000Z',
		'2027-10-25T00:00:00.000Z',
	]);
	t.is(nextRun(job('*/30 1 29 3 *', 'Europe/Berlin'), '2025-06-01T00:00:00.000Z'), '2026-03-29T00:00:00.000Z');
	t.is(nextRun(job('*/30 2 29 3 *', 'Europe/Berlin'), '2025-06-01T00:00:00.000Z'), '2027-03-29T00:00:00.000Z');
});

test('[JOB-046 JOB-067] the last day is the last one of each month', (t) => {
	const runs = nextRuns(job('every month on the last day'), '2027-12-31T12:00:00.000Z', 4);
	t.deepEqual(
		runs.map((run) => run.slice(0, 10)),
		['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
	);
});

test('[JOB-047] the nth weekday, and the last one, of each month', (t) => {
	const dates = (text: string) => nextRuns(job(text), '2026-11-21T00:00:00.000Z', 3).map((run) => run.slice(0, 10));
	t.deepEqual(dates('0 0 * * FRI#2'), ['2026-12-11', '2027-01-08', '2027-02-12']);
	t.deepEqual(dates('0 0 * * FRI#5'), ['2027-01-29', '2027-04-30', '2027-07-30']);
	t.deepEqual(dates('0 0 * * FRIL'), ['2026-11-27', '2026-12-25', '2027-01-29']);
});

test('day and weekday together: either is enough', (t) => {
	const runs = nextRuns(job('0 0 24 * MON'), '2026-11-21T00:00:00.000Z', 3);
	t.deepEqual(
		runs.map((run) => run.slice(0, 10)),
		['2026-11-23', '2026-11-24', '2026-11-30'],
	);
});

const at = (text: string): number => Date.parse(text);

/** Days on which clocks change, in ways of every kind, and ends of months. */
const watches: readonly Watch[] = (
	[
		['UTC', '2028-02-27T00:00Z', '2028-03-02T00:00Z'],
		['Europe/Berlin', '2026-03-28T00:00Z', '2026-03-30T12:00Z'],
		['Europe/Berlin', '2026-10-24T00:00Z', '2026-10-26T12:00Z'],
		['America/New_York', '2026-10-31T00:00Z', '2026-11-02T12:00Z'],
		['Australia/Lord_Howe', '2026-04-03T12:00Z', '2026-04-05T12:00Z'],
		['Australia/Lord_Howe', '2026-10-02T12:00Z', '2026-10-05T00:00Z'],
		['America/Nuuk', '2026-03-27T12:00Z', '2026-03-30T00:00Z'],
		['Africa/Cairo', '2026-04-23T00:00Z', '2026-04-25T00:00Z'],
		['Antarctica/Troll', '2026-10-24T12:00Z', '2026-10-26T00:00Z'],
		['Asia/Kathmandu', '2026-12-30T12:00Z', '2027-01-02T00:00Z'],
	] as const
).map(([zone, from, until]) => watch(zone, [at(from), at(until)], 1));

const runsOf = (made: Readonly<{schedule_cron: string; timezone: string}>, from: string, until: string) => {
	const runs: string[] = [];
	for (let run = nextRun(made, from); run !== null && run <= until; run = nextRun(made, run)) runs.push(run);
	return runs;
};

const behaves = (
	t: {deepEqual: (one: unknown, other: unknown, why: string) => unknown},
	made: MadeExpression,
): void => {
	const parsed = parseSchedule(made.text);
	for (const each of watches) {
		const from = new Date(each.from + 24 * 3600_000).toISOString();
		const until = new Date(each.from + (each.shown.length - 1) * 60_000).toISOString();
		const expected = runsWhile(each, made).filter((run) => run > from);
		const zoned = {schedule_cron: parsed.ok ? parsed.schedule_cron : '', timezone: each.zone};
		const found = parsed.ok
			? {runs: runsOf(zoned, from, until), count: countRuns(zoned, from, until), last: latestRun(zoned, from, until)}
			: {runs: [], count: 0, last: null};
		const why = `${made.text} in ${each.zone} from ${from}`;
		t.deepEqual(found, {runs: expected, count: expected.length, last: expected.at(-1) ?? null}, why);
	}
};

test('[JOB-043 JOB-044 JOB-045] runs, their count and the last of them are those that a clock shows, minute by minute', (t) => {
	fc.assert(
		fc.property(expressions, (made) => behaves(t, made)),
		{numRuns: 120, seed: 20261121},
	);
});

test('[JOB-078] exactly what runs on no day of a long time is refused', (t) => {
	const days = Array.from({length: 29 * 366}, (_, index) => Date.UTC(2026, 0, 1 + index));
	fc.assert(
		fc.property(expressions, (made) => {
			t.is(parseSchedule(made.text).ok, days.some(made.isDay), made.text);
		}),
		{numRuns: 200, seed: 7},
	);
});

test('a year of missed minutes is counted without walking through it', (t) => {
	const minutely = {schedule_cron: '* * * * *', timezone: 'Europe/Berlin'};
	t.is(countRuns(minutely, '2025-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'), 365 * 24 * 60);
	t.is(latestRun(minutely, '2025-11-01T00:00:00.000Z', '2026-11-01T00:00:30.000Z'), '2026-11-01T00:00:00.000Z');
	t.is(latestRun(job('0 9 * * *'), '2026-11-21T09:00:00.000Z', '2026-11-22T08:59:00.000Z'), null);
	t.is(latestRun(job('0 0 1 1 *'), '2026-01-02T00:00:00.000Z', '2026-11-01T00:00:00.000Z'), null);
});

test('answers are remembered up to a number of them, the latest', (t) => {
	const asked: string[] = [];
	const find = remembered(2, (key) => asked.push(key));
	for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) find(key);
	t.deepEqual(asked, ['a', 'b', 'c', 'a']);
});
