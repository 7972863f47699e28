import test from 'ava';
import {retryAfterSeconds} from '../../src/webhook/rules/retry-after.ts';

const now = Date.UTC(2026, 0, 31, 10, 0, 0) / 1000;

for (const [field, expected] of [
	['0', 0],
	['120', 120],
	[' 7 ', 7],
	['Sat, 31 Jan 2026 10:01:00 GMT', 60],
	['Saturday, 31-Jan-26 10:01:00 GMT', 60],
	['Sat Jan 31 10:01:00 2026', 60],
	['Sun Feb  1 10:00:00 2026', 86_400],
	['Sat, 31 Jan 2026 09:00:00 GMT', 0],
	[undefined, null],
	['', null],
	['-1', null],
	['1.5', null],
	['soon', null],
	['2026-01-31T10:01:00Z', null],
	['Sat, 31 Xyz 2026 10:01:00 GMT', null],
] as const) {
	test(`Retry-After ${field} asks for ${expected} seconds`, (t) => {
		t.is(retryAfterSeconds(field, now), expected);
	});
}
