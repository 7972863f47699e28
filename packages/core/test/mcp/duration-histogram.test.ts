import test from 'ava';
import fc from 'fast-check';
import {durationBucketOf, durationOfBucket, durationQuantile} from '../../src/mcp/rules/duration-histogram.ts';

const duration = fc.oneof(fc.integer({min: 0, max: 200}), fc.integer({min: 0, max: 86_400_000}));

const errorOf = (read: number, actual: number): number => (actual === 0 ? read : Math.abs(read - actual) / actual);

test('[MCP-071] a duration is read off its bucket with an error of at most 2 %', (t) => {
	for (let milliseconds = 0; milliseconds < 20_000; milliseconds += 1) {
		t.true(
			errorOf(durationOfBucket(durationBucketOf(milliseconds)), milliseconds) <= 0.02 + 1e-9,
			String(milliseconds),
		);
	}
	fc.assert(
		fc.property(duration, (milliseconds) => {
			t.true(errorOf(durationOfBucket(durationBucketOf(milliseconds)), milliseconds) <= 0.02 + 1e-9);
		}),
	);
});

test('below 25 ms a duration is read off exactly', (t) => {
	for (let milliseconds = 0; milliseconds < 25; milliseconds += 1) {
		t.is(durationOfBucket(durationBucketOf(milliseconds)), milliseconds);
	}
});

test('longer durations never fall into a lower bucket', (t) => {
	fc.assert(
		fc.property(duration, duration, (a, b) => {
			t.is(durationBucketOf(Math.min(a, b)) <= durationBucketOf(Math.max(a, b)), true);
		}),
	);
});

test('a quantile of the histogram is within 2 % of that of the sorted durations', (t) => {
	const durations = fc.array(duration, {minLength: 1, maxLength: 300});
	fc.assert(
		fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99, 0, 1), (sample, quantile) => {
			const sorted = sample.toSorted((a, b) => a - b);
			const exact = sorted[Math.max(1, Math.ceil(quantile * sample.length)) - 1] ?? 0;
			const counts = sample.map((milliseconds) => ({bucket: durationBucketOf(milliseconds), calls: 1}));
			t.true(errorOf(durationQuantile(counts, quantile), exact) <= 0.02 + 1e-9);
		}),
	);
});

test('without calls a quantile is 0', (t) => {
	t.is(durationQuantile([], 0.5), 0);
});
