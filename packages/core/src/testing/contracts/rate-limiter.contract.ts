import type {RateLimit, RateLimiter} from '../../ports/index.ts';
import {type TokenBucket, takeToken} from '../../values/token-bucket.ts';
import type {Assertions, ContractTest} from './contract.ts';

export type OpenedLimiters = Readonly<{
	/** Two that count together, as two processes have them; their keys are nobody else's. */
	limiters: readonly [RateLimiter, RateLimiter];
	/** Moves the clock that they count by forward. */
	advance(milliseconds: number): Promise<void>;
	/** What that clock says, in epoch milliseconds. */
	now(): number;
	close(): Promise<void>;
}>;

/** How the suite gets at an adapter. Each case opens limiters of its own and closes them. */
export type LimiterHarness = Readonly<{name: string; open(): Promise<OpenedLimiters>}>;

type Case = (t: Assertions, opened: OpenedLimiters) => Promise<void>;

/** A clock that runs by itself lets less than a token flow in during a case: one takes a minute. */
const slow: RateLimit = {per_minute: 1, burst: 2};

const drain = async (limiter: RateLimiter, key: string, limit: RateLimit): Promise<void> => {
	while ((await limiter.take(key, limit)).allowed);
};

const takeInParallel = async ({limiters}: OpenedLimiters, takes: number, limit: RateLimit) => {
	const verdicts = Array.from({length: takes}, (_, turn) => limiters[turn % 2 === 0 ? 0 : 1].take('key', limit));
	return (await Promise.all(verdicts)).filter(({allowed}) => allowed).length;
};

/** What an adapter rounds, and what two clocks of one machine differ by. */
const tolerance = 1000;

/** A clock that runs by itself says when something was asked, and when it was answered; in between the adapter read it. */
const isBetween = (actual: number, earliest: number, latest: number): boolean =>
	actual >= earliest - tolerance && actual <= latest + tolerance;

const cases: Readonly<Record<string, Case>> = {
	'a verdict says what is left, when all of it is back, and how long to wait': async (
		t,
		{limiters: [limiter], now},
	) => {
		const asked = now();
		const fresh = await limiter.take('key', slow);
		const answered = now();
		t.deepEqual([fresh.allowed, fresh.remaining, fresh.retry_after_seconds], [true, 2, 0]);
		t.is(isBetween(fresh.resets_at_ms, asked + 60_000, answered + 60_000), true);
		await limiter.take('key', slow);
		for (const allowed of [true, false]) {
			const askedAgain = now();
			const empty = await limiter.take('key', slow);
			const waits = [60_000 - (now() - asked), 60_000 - (askedAgain - answered)] as const;
			t.deepEqual([empty.allowed, empty.remaining], [allowed, 0]);
			t.is(isBetween(empty.resets_at_ms, asked + 180_000, answered + 180_000), true);
			t.is(isBetween(empty.retry_after_seconds * 1000, ...waits), true);
		}
	},
	'one more is allowed as it flows in, and a refusal costs nothing': async (t, {limiters: [limiter], advance}) => {
		await drain(limiter, 'key', slow);
		await advance(30_000);
		t.is((await limiter.take('key', slow)).allowed, false);
		await advance(30_000);
		t.is((await limiter.take('key', slow)).allowed, true);
		t.is((await limiter.take('key', slow)).allowed, false);
	},
	'a bucket is full again after a while, and never fuller': async (t, {limiters: [limiter], advance}) => {
		await drain(limiter, 'key', slow);
		await advance(24 * 3_600_000);
		t.is((await limiter.take('key', slow)).remaining, 2);
	},
	'each key has an allowance of its own, whatever its characters': async (t, {limiters: [limiter]}) => {
		const keys = ['key', 'Key', 'key ', 'k\u00e9y', 'ke\u0301y', 'key:*', 'k'.repeat(400), 'k'.repeat(401)];
		for (const key of keys) t.is((await limiter.take(key, slow)).remaining, 2, key);
	},
	'what one takes is missing for the other': async (t, {limiters: [one, other]}) => {
		const remaining: number[] = [];
		for (const limiter of [one, other, one]) remaining.push((await limiter.take('key', slow)).remaining);
		t.deepEqual(remaining, [2, 1, 0]);
		for (const limiter of [one, other]) t.is((await limiter.take('key', slow)).allowed, false);
	},
	'200 parallel takes of a fresh key over both let exactly the allowance through': async (t, opened) => {
		t.is(await takeInParallel(opened, 200, {per_minute: 1, burst: 49}), 50);
	},
	'200 parallel takes of a key in use let exactly through what is left': async (t, opened) => {
		const limit = {per_minute: 1, burst: 99};
		for (let taken = 0; taken < 30; taken += 1) await opened.limiters[0].take('key', limit);
		t.is(await takeInParallel(opened, 200, limit), 70);
	},
	'parallel takes of many keys do not disturb each other': async (t, {limiters}) => {
		const verdicts = Array.from({length: 200}, (_, turn) =>
			limiters[turn % 2 === 0 ? 0 : 1].take(`${turn % 40}`, slow),
		);
		t.is((await Promise.all(verdicts)).filter(({allowed}) => allowed).length, 120);
	},
	'a lower limit applies at once, a higher one as it flows in': async (t, {limiters: [limiter]}) => {
		await limiter.take('key', {per_minute: 1, burst: 99});
		t.is((await limiter.take('key', slow)).remaining, 2);
		t.is((await limiter.take('key', {per_minute: 1, burst: 99})).remaining, 1);
	},
	'it is the token bucket, take by take': async (t, {limiters, advance, now}) => {
		// Steps of whole tokens: what a running clock adds to them is less than one.
		const limit = {per_minute: 1, burst: 4};
		const steps = [0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 1, 1, 0, 3, 0];
		let bucket: TokenBucket | undefined;
		for (const [turn, tokens] of steps.entries()) {
			await advance(tokens * 60_000);
			const expected = takeToken(bucket, limit, now());
			const {allowed, remaining, resets_at_ms} = await limiters[turn % 2 === 0 ? 0 : 1].take('key', limit);
			const latest = takeToken(bucket, limit, now()).bucket.full_at;
			bucket = expected.bucket;
			t.deepEqual({allowed, remaining}, {allowed: expected.allowed, remaining: expected.remaining}, `take ${turn}`);
			t.is(isBetween(resets_at_ms, bucket.full_at, latest), true, `take ${turn}`);
		}
	},
};

/**
 * Registers a test for every promise of a rate limiter that processes share.
 * @param test Registers one test: AVA's `test`, or `test.serial` where many open limiters at once are too many.
 */
export const rateLimiterContract = (test: ContractTest, harness: LimiterHarness): void => {
	for (const [title, run] of Object.entries(cases)) {
		test(`${harness.name} rate limiter: ${title}`, async (t) => {
			const opened = await harness.open();
			try {
				await run(t, opened);
			} finally {
				await opened.close();
			}
		});
	}
};
