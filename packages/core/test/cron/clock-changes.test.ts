import test from 'ava';
import {countRuns, latestRun} from '../../src/cron/rules/missed-runs.ts';
import {nextRun, nextRuns} from '../../src/cron/rules/next-run.ts';
import {isTimezone} from '../../src/cron/rules/zone-segments.ts';
import {changesDuring, runsWhile, type Watch, watch} from './reference-runs.ts';

const runs = (schedule_cron: string, timezone: string, [after, until]: readonly [string, string]): readonly string[] =>
	nextRuns({schedule_cron, timezone}, new Date(after).toISOString(), 100)
		.filter((run) => run < new Date(until).toISOString())
		.map((run) => run.slice(5, 16));

/** The day on which clocks in the zone change, from its midnight to the next, in UTC. */
const berlinInSpring = ['2026-03-28T23:00Z', '2026-03-29T22:00Z'] as const;
const berlinInAutumn = ['2026-10-24T22:00Z', '2026-10-25T23:00Z'] as const;

test('[JOB-084] a fixed time that the clock jumps over runs once, as soon as it has', (t) => {
	t.deepEqual(runs('30 2 * * *', 'Europe/Berlin', berlinInSpring), ['03-29T01:00']);
	t.deepEqual(runs('0,15,45 2 * * *', 'Europe/Berlin', berlinInSpring), ['03-29T01:00']);
	t.deepEqual(runs('0 2,3 * * *', 'Europe/Berlin', berlinInSpring), ['03-29T01:00']);
	t.deepEqual(runs('30 1,2,3 * * *', 'Europe/Berlin', berlinInSpring), ['03-29T00:30', '03-29T01:00', '03-29T01:30']);
	t.deepEqual(runs('30 2 * * *', 'America/New_York', ['2026-03-08T05:00Z', '2026-03-09T04:00Z']), ['03-08T07:00']);
	t.deepEqual(runs('15 2 * * *', 'Australia/Lord_Howe', ['2026-10-03T13:00Z', '2026-10-04T13:00Z']), ['10-03T15:30']);
});

test('[JOB-084] also at midnight, and when the day is over by then', (t) => {
	t.deepEqual(runs('0 0 * * *', 'Africa/Cairo', ['2026-04-23T12:00Z', '2026-04-24T12:00Z']), ['04-23T22:00']);
	t.deepEqual(runs('30 23 * * *', 'America/Nuuk', ['2026-03-28T12:00Z', '2026-03-29T12:00Z']), ['03-29T01:00']);
	t.deepEqual(runs('30 23 28 3 *', 'America/Nuuk', ['2026-03-28T12:00Z', '2026-03-29T12:00Z']), ['03-29T01:00']);
});

test('[JOB-085] a fixed time that the clock shows twice runs once, the first time', (t) => {
	t.deepEqual(runs('30 2 * * *', 'Europe/Berlin', berlinInAutumn), ['10-25T00:30']);
	t.deepEqual(runs('0,30 1-3 * * *', 'Europe/Berlin', berlinInAutumn), [
		'10-24T23:00',
		'10-24T23:30',
		'10-25T00:00',
		'10-25T00:30',
		'10-25T02:00',
		'10-25T02:30',
	]);
	t.deepEqual(runs('30 1 * * *', 'America/New_York', ['2026-11-01T04:00Z', '2026-11-02T05:00Z']), ['11-01T05:30']);
});

test('[JOB-086] steps and * skip what the clock jumps over', (t) => {
	t.is(runs('*/30 * * * *', 'Europe/Berlin', berlinInSpring).length, 2 * 23 - 1);
	t.deepEqual(runs('*/30 2 * * *', 'Europe/Berlin', berlinInSpring), []);
	t.deepEqual(runs('30 */2 * * *', 'Europe/Berlin', ['2026-03-28T23:00Z', '2026-03-29T05:00Z']), [
		'03-28T23:30',
		'03-29T02:30',
		'03-29T04:30',
	]);
});

test('[JOB-087] steps and * run both times that the clock shows an hour', (t) => {
	t.is(runs('*/30 * * * *', 'Europe/Berlin', berlinInAutumn).length, 2 * 25 - 1);
	t.deepEqual(runs('*/30 2 * * *', 'Europe/Berlin', berlinInAutumn), [
		'10-25T00:00',
		'10-25T00:30',
		'10-25T01:00',
		'10-25T01:30',
	]);
	t.deepEqual(runs('20 * 25 10 *', 'Europe/Berlin', ['2026-10-24T23:30Z', '2026-10-25T02:00Z']), [
		'10-25T00:20',
		'10-25T01:20',
	]);
});

const schedules = [
	{schedule_cron: '30 2 * * *', isFixed: true, hours: [2], minutes: [30]},
	{schedule_cron: '0 * * * *', isFixed: false, hours: null, minutes: [0]},
	{schedule_cron: '*/30 * * * *', isFixed: false, hours: null, minutes: [0, 30]},
	{schedule_cron: '0 0 * * *', isFixed: true, hours: [0], minutes: [0]},
	{schedule_cron: '45 23 * * *', isFixed: true, hours: [23], minutes: [45]},
	{schedule_cron: '15,30 0-3 * * *', isFixed: true, hours: [0, 1, 2, 3], minutes: [15, 30]},
] as const;

type Listed = Readonly<{hours: readonly number[] | null; minutes: readonly number[]}>;

const matches = ({hours, minutes}: Listed, wall: number): boolean =>
	minutes.includes(new Date(wall).getUTCMinutes()) && (hours?.includes(new Date(wall).getUTCHours()) ?? true);

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+5'];

const hour = 3600_000;
const quarter = 15;
const dayLong = 24 * hour;

/** Two days around each day of 2026 on which the zone's clock changes. Every change is at a quarter of an hour. */
const changesOf = (zone: string): readonly Watch[] => {
	const year = watch(zone, [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)], 24 * 60);
	const days = year.shown.flatMap((wall, index) =>
		index > 0 && wall - (year.shown[index - 1] ?? 0) !== dayLong ? [year.from + index * dayLong] : [],
	);
	return days.map((day) => watch(zone, [day - 2.5 * dayLong, day + 1.5 * dayLong], quarter));
};

const isLikeReference = (each: Watch, schedule: (typeof schedules)[number]): boolean => {
	const from = new Date(each.from + dayLong).toISOString();
	const until = new Date(each.from + 4 * dayLong).toISOString();
	const rule = {isFixed: schedule.isFixed, matches: (wall: number) => matches(schedule, wall)};
	const expected = runsWhile(each, rule).filter((run) => run > from && run <= until);
	const job = {schedule_cron: schedule.schedule_cron, timezone: each.zone};
	const found: string[] = [];
	for (let run = nextRun(job, from); run !== null && run <= until; run = nextRun(job, run)) found.push(run);
	const count = countRuns(job, from, until);
	const last = latestRun(job, from, until);
	return found.join() === expected.join() && count === expected.length && last === (expected.at(-1) ?? null);
};

test('[JOB-084 JOB-085 JOB-087] every zone of the world keeps the rules at each of its changes of 2026', (t) => {
	const changes = zones.flatMap(changesOf);
	t.true(changes.length > 200, `${changes.length} changes`);
	t.true(changes.every(changesDuring));
	const wrong = changes.flatMap((each) =>
		schedules
			.filter((schedule) => !isLikeReference(each, schedule))
			.map(({schedule_cron}) => `${schedule_cron} in ${each.zone} from ${new Date(each.from).toISOString()}`),
	);
	t.deepEqual(wrong, []);
});

test('[JOB-082] a timezone is the name of a zone', (t) => {
	for (const zone of zones) t.true(isTimezone(zone), zone);
	t.true(isTimezone('Asia/Calcutta'));
	for (const other of [
		'',
		'Mars/Base',
		'+01:00',
		'-0500',
		'Europe/Berlin ',
		'Europe/Berlin\0',
		'x'.repeat(5000),
		'../etc',
	])
		t.false(isTimezone(other), other);
});
