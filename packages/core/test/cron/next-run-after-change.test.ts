import test from 'ava';
import {nextRunAfterChange} from '../../src/cron/rules/next-run-after-change.ts';

const [early, late] = ['2026-01-31T09:30:00.000Z', '2031-01-31T09:30:00.000Z'];

for (const [title, is_rescheduled, kept, planned, next] of [
	['another schedule counts from now on', true, early, late, late],
	['one that was disabled has none', true, early, null, null],
	['what is due already stays due', false, early, late, early],
	['what is later than the schedule says comes sooner', false, late, early, early],
	['what could not be read is planned once it can be', false, null, early, early],
	['one without a schedule has none', false, null, null, null],
	['a schedule that has ended keeps what is due', false, early, null, early],
] as const)
	test(`the next run after a change: ${title}`, (t) => {
		t.is(nextRunAfterChange(is_rescheduled, kept, planned), next);
	});
