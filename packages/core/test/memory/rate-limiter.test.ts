import {createMemoryRateLimiter} from '@signalbox/core/memory';
import {createManualClock} from '@signalbox/core/testing';
import test from 'ava';

const limit = {per_minute: 2, burst: 1};

const openLimiter = () => {
	const clock = createManualClock('2026-03-01T12:00:00.000Z');
	return {clock, limiter: createMemoryRateLimiter({clock})};
};

test('a verdict says what is left, when all of it is back, and how long to wait', async (t) => {
	const {limiter} = openLimiter();
	const verdict = {
		allowed: true,
		remaining: 2,
		resets_at_ms: Date.parse('2026-03-01T12:00:30.000Z'),
		retry_after_seconds: 0,
	};
	t.deepEqual(await limiter.take('key', limit), verdict);
	await limiter.take('key', limit);
	const last = {
		allowed: true,
		remaining: 0,
		resets_at_ms: Date.parse('2026-03-01T12:01:30.000Z'),
		retry_after_seconds: 30,
	};
	t.deepEqual(await limiter.take('key', limit), last);
	t.deepEqual(await limiter.take('key', limit), {...last, allowed: false});
});

test('the seconds to wait are rounded up, never down', async (t) => {
	const {clock, limiter} = openLimiter();
	for (let taken = 0; taken < 3; taken += 1) await limiter.take('key', limit);
	await clock.advance(29_999);
	const refused = await limiter.take('key', limit);
	t.false(refused.allowed);
	t.is(refused.retry_after_seconds, 1);
	await clock.advance(1);
	t.true((await limiter.take('key', limit)).allowed);
});

test('each key has an allowance of its own', async (t) => {
	const {limiter} = openLimiter();
	for (let taken = 0; taken < 3; taken += 1) await limiter.take('key', limit);
	t.false((await limiter.take('key', limit)).allowed);
	t.is((await limiter.take('Key', limit)).remaining, 2);
});

test('parallel takes let exactly the allowance through', async (t) => {
	const {limiter} = openLimiter();
	const verdicts = await Promise.all(Array.from({length: 50}, () => limiter.take('key', {per_minute: 10, burst: 5})));
	t.is(verdicts.filter((verdict) => verdict.allowed).length, 15);
});

test('keys that are idle and full again are forgotten, the others never', async (t) => {
	const clock = createManualClock();
	const buckets = new Map();
	const limiter = createMemoryRateLimiter({clock, buckets});
	for (let key = 0; key < 1000; key += 1) await limiter.take(`idle-${key}`, limit);
	for (let taken = 0; taken < 3; taken += 1) await limiter.take('exhausted', {per_minute: 1, burst: 2});
	t.is(buckets.size, 1001);
	await clock.advance(30_000);
	for (let taken = 0; taken < 1000; taken += 1) await limiter.take('busy', {per_minute: 100_000, burst: 0});
	t.deepEqual([...buckets.keys()].sort(), ['busy', 'exhausted']);
	t.false((await limiter.take('exhausted', {per_minute: 1, burst: 2})).allowed);
});
