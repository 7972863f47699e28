import assert from 'node:assert/strict';
import type {RateLimiter} from '@signalbox/core';
import {createMemoryRateLimiter} from '@signalbox/core/memory';
import {createManualClock, type LimiterHarness, type ManualClock, rateLimiterContract} from '@signalbox/core/testing';
import test from 'ava';
import {type TokenBucket, takeToken, verdictOf} from '../../src/values/token-bucket.ts';

type Make = (clock: ManualClock) => readonly [RateLimiter, RateLimiter];

const nowOf = (clock: ManualClock): number => Date.parse(clock.now());

/** Titles of the cases that such limiters fail. */
const failedCases = async (make: Make): Promise<readonly string[]> => {
	const cases: Promise<string | undefined>[] = [];
	const collect = (title: string, run: (t: never) => Promise<void>) =>
		cases.push(
			run({is: assert.strictEqual, deepEqual: assert.deepStrictEqual} as never).then(
				() => undefined,
				() => title,
			),
		);
	const open: LimiterHarness['open'] = async () => {
		const clock = createManualClock();
		return {limiters: make(clock), advance: clock.advance, now: () => nowOf(clock), close: async () => {}};
	};
	rateLimiterContract(Object.assign(collect, {skip: collect}), {name: 'faulty', open});
	return (await Promise.all(cases)).filter((title) => title !== undefined);
};

const both = (limiter: RateLimiter) => [limiter, limiter] as const;

/** The rule over buckets in memory, with something changed about it. */
const bent = (
	clock: ManualClock,
	take: (buckets: Map<string, TokenBucket>, ...given: Parameters<RateLimiter['take']>) => ReturnType<typeof takeToken>,
): RateLimiter => {
	const buckets = new Map<string, TokenBucket>();
	return {
		take: async (key, limit) => {
			const taken = take(buckets, key, limit);
			buckets.set(key, {...taken.bucket, at: nowOf(clock)});
			return verdictOf(taken);
		},
	};
};

const faults: readonly Readonly<{fault: string; caughtBy: string; make: Make}>[] = [
	{
		fault: 'limiters that count each for itself',
		caughtBy: 'what one takes is missing for the other',
		make: (clock) => [createMemoryRateLimiter({clock}), createMemoryRateLimiter({clock})],
	},
	{
		fault: 'a limiter that lets others in between its look and its write',
		caughtBy: '200 parallel takes of a key in use',
		make: (clock) => {
			const buckets = new Map<string, TokenBucket>();
			const take: RateLimiter['take'] = async (key, limit) => {
				const taken = takeToken(buckets.get(key), limit, nowOf(clock));
				await Promise.resolve();
				buckets.set(key, taken.bucket);
				return verdictOf(taken);
			};
			return both({take});
		},
	},
	{
		fault: 'a window that is counted and reset',
		caughtBy: 'it is the token bucket, take by take',
		make: (clock) => {
			const windows = new Map<string, Readonly<{ends: number; taken: number}>>();
			const take: RateLimiter['take'] = async (key, {per_minute, burst}) => {
				const now = nowOf(clock);
				const last = windows.get(key);
				const open = last !== undefined && last.ends > now ? last : {ends: now + 60_000, taken: 0};
				const left = per_minute + burst - open.taken;
				windows.set(key, {...open, taken: open.taken + 1});
				const retry_after_seconds = left > 0 ? 0 : Math.ceil((open.ends - now) / 1000);
				return {allowed: left > 0, remaining: Math.max(0, left - 1), resets_at_ms: open.ends, retry_after_seconds};
			};
			return both({take});
		},
	},
	{
		fault: 'a refusal that costs a token',
		caughtBy: 'a refusal costs nothing',
		make: (clock) =>
			both(
				bent(clock, (buckets, key, limit) => {
					const taken = takeToken(buckets.get(key), limit, nowOf(clock));
					return taken.allowed ? taken : {...taken, bucket: {...taken.bucket, level: 0}};
				}),
			),
	},
	{
		fault: 'a bucket that fills beyond its edge',
		caughtBy: 'never fuller',
		make: (clock) =>
			both(
				bent(clock, (buckets, key, limit) => {
					const bucket = buckets.get(key);
					const rich = {...limit, burst: limit.burst + (bucket === undefined ? 0 : 1)};
					return takeToken(bucket, rich, nowOf(clock));
				}),
			),
	},
	{
		fault: 'keys that are told apart by their first 255 characters only',
		caughtBy: 'whatever its characters',
		make: (clock) => {
			const sound = createMemoryRateLimiter({clock});
			return both({take: async (key, limit) => sound.take(key.slice(0, 255), limit)});
		},
	},
];

for (const {fault, caughtBy, make} of faults) {
	test(`the contract of rate limiters catches ${fault}`, async (t) => {
		const failed = await failedCases(make);
		t.true(
			failed.some((title) => title.includes(caughtBy)),
			`not caught by "${caughtBy}", only by: ${failed.join('; ')}`,
		);
	});
}

test('the contract of rate limiters finds nothing wrong with the one in memory', async (t) => {
	t.deepEqual(await failedCases((clock) => both(createMemoryRateLimiter({clock}))), []);
});
