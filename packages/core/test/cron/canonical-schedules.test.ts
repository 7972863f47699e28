import test from 'ava';
import fc from 'fast-check';
import {describeSchedule} from '../../src/cron/rules/describe-schedule.ts';
import {nextRuns} from '../../src/cron/rules/next-run.ts';
import {parseSchedule} from '../../src/cron/rules/parse-schedule.ts';
import {expressions} from './made-expressions.ts';

const cronOf = (schedule: string): string | undefined => {
	const parsed = parseSchedule(schedule);
	return parsed.ok ? parsed.schedule_cron : undefined;
};

/** Ways to say the same, and its canonical text. */
const same: Readonly<Record<string, readonly string[]>> = {
	'* * * * *': ['every minute', '*/1 * * * *', '0-59 * 1-31 1-12 0-7', '* 0-23 * JAN-DEC SUN-SAT'],
	'*/15 * * * *': ['every 15 minutes', '0,15,30,45 * * * *', '45,0-30/15 * * * *', '0-59/15 0-23 * * *'],
	'0 9-17 * * 1-5': ['0 9-12,13-17 * * MON-FRI', '0 17,9-16 * * 1,2,3,4,5'],
	'0 0 * * 0': ['@weekly', '0 0 * * 7', '0 0 * * sun', 'every sunday', 'every week on sun at midnight'],
	'0 0 L * *': ['0 0 31,L * *', 'every month on the last day', '0 0 L,31 * *'],
	'0 0 31 1 *': ['0 0 L 1 *', '0 0 31 1,2 *', '0 0 31,L 1 *'],
	'0 0 30,31 1,4 *': ['0 0 30,L 1,4 *'],
	'0 0 31 * *': ['0 0 31 1,3,5,7,8,10,12 *', 'every month on the 31st'],
	'0 0 * 2 *': ['0 0 1-29 2 *', '0 0 1-31 2 *', '0 0 1-28,L 2 *'],
	'0 0 * 2 1': ['0 0 30 2 1', '0 0 31 FEB MON'],
	'0 0 * * *': ['@daily', 'daily', '0 0 1-31 * 1', '0 0 15 * 0-6', '0 0 * * 0-6', '0 0 1-31 * *'],
	'0 0 * * 1': ['every monday', '0 0 * * 1#1,1#2,1#3,1#4,1#5', '0 0 * * 1,1#2', '0 0 * * 1#1,1#2,1#3,1#4,1L'],
	'0 0 * * 1L': ['0 0 * * 1#5,1L', '0 0 * * MONL'],
	'0 0 * * 1#4,1#5': ['0 0 * * 1#4,1L', '0 0 * * 1#5,1#4,1L'],
};

test('[JOB-081] equal schedules have equal canonical text, however they are written', (t) => {
	for (const [canonical, ways] of Object.entries(same))
		for (const way of [canonical, ...ways]) t.is(cronOf(way), canonical, way);
});

test('[JOB-081] times written as a list and times written as a step differ where clocks change, and stay apart', (t) => {
	t.is(cronOf('0 0,6,12,18 * * *'), '0 0,6,12,18 * * *');
	t.is(cronOf('0 */6 * * *'), '0 */6 * * *');
	t.is(cronOf('*/40 2 * * *'), '0,40 2 * * *', 'a step of two values is a list');
});

test('[JOB-081] canonical text is its own canonical text, and short', (t) => {
	fc.assert(
		fc.property(expressions, ({text}) => {
			const canonical = cronOf(text);
			if (canonical === undefined) return;
			t.is(cronOf(canonical), canonical, text);
			t.true(canonical.length <= 255);
		}),
		{numRuns: 2000},
	);
});

test('words and the expressions that they stand for run at the same times', (t) => {
	const runs = (schedule: string) =>
		nextRuns({schedule_cron: cronOf(schedule) ?? '', timezone: 'UTC'}, '2026-11-21T00:00:00.000Z', 50);
	t.deepEqual(runs('every weekend at 9:30am and 5:30pm'), runs('30 9,17 * * SAT,SUN'));
	t.deepEqual(runs('every month on the 1st and last day at noon'), runs('0 12 1,L * *'));
});

const times = fc
	.tuple(fc.nat(59), fc.array(fc.nat(23), {minLength: 1, maxLength: 4}))
	.map(([minute, hours]) =>
		hours.map((hour) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`).join(' and '),
	);
const at = fc.option(times).map((text) => (text === null ? '' : ` at ${text}`));
const list = (items: readonly string[]) =>
	fc.subarray([...items], {minLength: 1, maxLength: 4}).map((some) => some.join(', '));
const weekdays = list(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']);
const ordinals = list([
	'1st',
	'2nd',
	'3rd',
	'11th',
	'13th',
	'21st',
	'22nd',
	'23rd',
	'28th',
	'30th',
	'31st',
	'last day',
]);
const phrases = fc.oneof(
	fc.constantFrom('every minute', 'every hour', 'every 1 minute'),
	fc.constantFrom(...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60].map((count) => `every ${count} minutes`)),
	fc.constantFrom(...[1, 2, 3, 4, 6, 8, 12, 24].map((count) => `every ${count} hours`)),
	fc.nat(59).map((minute) => `every hour at minute ${minute}`),
	fc
		.tuple(
			fc.constantFrom('every day', 'every weekday', 'every weekend', 'daily', 'weekly', 'monthly', 'yearly', 'hourly'),
			at,
		)
		.map((parts) => parts.join('')),
	fc.tuple(fc.constantFrom('every ', 'every week on '), weekdays, at).map((parts) => parts.join('')),
	fc.tuple(fc.constantFrom('every month on ', 'every month on the '), ordinals, at).map((parts) => parts.join('')),
	fc
		.tuple(fc.constantFrom('every year on march ', 'every year on oct '), fc.constantFrom('1st', '22nd', '31st'), at)
		.map((parts) => parts.join('')),
);

test('[JOB-077] what is written in words is described in words that say the same', (t) => {
	fc.assert(
		fc.property(phrases, (phrase) => {
			const canonical = cronOf(phrase) ?? '';
			t.is(cronOf(describeSchedule(canonical)), canonical, `${phrase}: ${describeSchedule(canonical)}`);
		}),
		{numRuns: 1000},
	);
});

test('schedules are described for people', (t) => {
	const described: Readonly<Record<string, string>> = {
		'* * * * *': 'every minute',
		'*/15 * * * *': 'every 15 minutes',
		'*/7 * * * *': 'every hour at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56',
		'5 */2 * * *': 'every 2 hours at minute 5',
		'0 9,17 * * *': 'every day at 09:00 and 17:00',
		'0,30 9 * * 1,5': 'every Monday and Friday at 09:00 and 09:30',
		'0,30 9-17 * * *': 'every 30 minutes from 09:00 to 17:59',
		'*/10 1,5,6 * * *': 'every 10 minutes in the hours 01:00, 05:00 and 06:00',
		'*/15 9-17 * * 1-5': 'every 15 minutes from 09:00 to 17:59, on every weekday',
		'0 0 1,15,L * *': 'every month on the 1st, 15th and last day at 00:00',
		'0 0 5 3 *': 'every year on March 5th at 00:00',
		'0 9 1 */3 *': 'at 09:00, on the 1st of the month in January, April, July and October',
		'0 9 15 * 1': 'at 09:00, on the 15th of the month and on every Monday',
		'0 0 * * 5#2,5L': 'at 00:00, on the second Friday of the month and the last Friday of the month',
		'0 0 * 6-8 *': 'at 00:00, in June, July and August',
	};
	for (const [schedule, description] of Object.entries(described)) {
		t.is(cronOf(schedule), schedule);
		t.is(describeSchedule(schedule), description);
	}
});

test('every schedule has a description', (t) => {
	fc.assert(
		fc.property(expressions, ({text}) => {
			const canonical = cronOf(text);
			if (canonical !== undefined) t.regex(describeSchedule(canonical), /^(every|at) [\w :,]+$/);
		}),
		{numRuns: 500},
	);
});
