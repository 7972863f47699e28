import test from 'ava';
import fc from 'fast-check';
import {type BucketLimit, type TokenBucket, takeAhead, takeToken} from '../../src/values/token-bucket.ts';

const limit: BucketLimit = {per_minute: 60, burst: 2};

/** Takes at those times, one after the other; answers the last take. */
const takeAt = (times: readonly number[], of: BucketLimit = limit) => {
	let bucket: TokenBucket | undefined;
	let last = takeToken(bucket, of, times[0] ?? 0);
	for (const now of times.slice(1)) {
		bucket = last.bucket;
		last = takeToken(bucket, of, now);
	}
	return last;
};

const repeated = (count: number, time: number) => Array.from({length: count}, () => time);

const cases = [
	{name: 'the first take leaves a full bucket less one', times: [0], allowed: true, remaining: 61, wait_ms: 0},
	{name: 'the last of minute and burst at once', times: repeated(62, 0), allowed: true, remaining: 0, wait_ms: 1000},
	{name: 'one more at once', times: repeated(63, 0), allowed: false, remaining: 0, wait_ms: 1000},
	{name: 'a millisecond too early', times: [...repeated(62, 0), 999], allowed: false, remaining: 0, wait_ms: 1},
	{name: 'as the next one flows in', times: [...repeated(62, 0), 1000], allowed: true, remaining: 0, wait_ms: 1000},
	{name: 'refusals cost nothing', times: [...repeated(99, 0), 1000], allowed: true, remaining: 0, wait_ms: 1000},
	{name: 'half a minute later', times: [...repeated(62, 0), 30_000], allowed: true, remaining: 29, wait_ms: 0},
	{name: 'full again, and not fuller', times: [...repeated(62, 0), 9e9], allowed: true, remaining: 61, wait_ms: 0},
	{name: 'a clock that ran backwards', times: [...repeated(62, 9e9), 0], allowed: false, remaining: 0, wait_ms: 1000},
] as const;

for (const {name, times, allowed, remaining, wait_ms} of cases) {
	test(`token bucket, 60 a minute and a burst of 2: ${name}`, (t) => {
		const {bucket: _, ...take} = takeAt(times);
		t.deepEqual(take, {allowed, remaining, wait_ms});
	});
}

test('a bucket says when it is full again', (t) => {
	t.is(takeAt([0]).bucket.full_at, 1000);
	t.is(takeAt(repeated(62, 0)).bucket.full_at, 62_000);
	t.is(takeAt([0, 500]).bucket.full_at, 2000);
	t.is(takeAt([0], {per_minute: 7, burst: 0}).bucket.full_at, 8572);
});

test('a lower limit applies at once, a higher one as it flows in', (t) => {
	const {bucket} = takeToken(undefined, {per_minute: 60, burst: 40}, 0);
	t.is(takeToken(bucket, {per_minute: 10, burst: 0}, 0).remaining, 9);
	t.is(takeToken(bucket, {per_minute: 1000, burst: 0}, 60).remaining, 99);
});

const limits = fc.record({per_minute: fc.integer({min: 1, max: 1000}), burst: fc.integer({min: 0, max: 100})});
const gaps = fc.array(fc.integer({min: 0, max: 20_000}), {minLength: 1, maxLength: 300});

test('in any span of time no more pass than a full bucket and what flows in', (t) => {
	fc.assert(
		fc.property(limits, gaps, (of, waits) => {
			let bucket: TokenBucket | undefined;
			let now = 0;
			const passed: number[] = [];
			for (const wait of waits) {
				now += wait;
				const take = takeToken(bucket, of, now);
				bucket = take.bucket;
				if (take.allowed) passed.push(now);
			}
			return passed.every((start, index) => {
				const span = now - start;
				return passed.length - index <= of.per_minute + of.burst + (span * of.per_minute) / 60_000;
			});
		}),
		{numRuns: 200},
	);
	t.pass();
});

test('who waits as long as was said is let through, and not a millisecond earlier', (t) => {
	fc.assert(
		fc.property(limits, (of) => {
			let take = takeToken(undefined, of, 0);
			while (take.allowed) take = takeToken(take.bucket, of, 0);
			const {bucket, wait_ms} = take;
			return takeToken(bucket, of, wait_ms).allowed && !takeToken(bucket, of, wait_ms - 1).allowed;
		}),
		{numRuns: 100},
	);
	t.pass();
});

const manyCases = [
	{name: 'as many as are wanted', left: 100_000, wanted: 300, tokens: 300},
	{name: 'one in 256 of what is left at most', left: 51_200, wanted: 300, tokens: 200},
	{name: 'one of 256', left: 256, wanted: 300, tokens: 1},
	{name: 'none where fewer are left', left: 255, wanted: 300, tokens: 0},
	{name: 'none that nobody wants', left: 100_000, wanted: 0, tokens: 0},
] as const;

for (const {name, left, wanted, tokens} of manyCases) {
	test(`ahead are taken, by one: ${name}`, (t) => {
		const bucket = {level: left * 60_000 + 59_999, at: 0, full_at: 0};
		const ahead = takeAhead(bucket, limit, wanted);
		t.deepEqual([ahead.tokens, ahead.remaining], [tokens, left - tokens]);
	});
}

test('what is taken ahead leaves the bucket as so many takes of the same moment leave it', (t) => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 1_000_000}), fc.integer({min: 0, max: 100}), (per_minute, wanted) => {
			const of = {per_minute, burst: 30_000};
			const {bucket} = takeToken(undefined, of, 0);
			const ahead = takeAhead(bucket, of, wanted);
			let each = bucket;
			for (let taken = 0; taken < ahead.tokens; taken += 1) each = takeToken(each, of, 0).bucket;
			// When it is full again is rounded up once for each.
			return each.level === ahead.bucket.level && Math.abs(each.full_at - ahead.bucket.full_at) <= 1;
		}),
		{numRuns: 200},
	);
	t.pass();
});
