import {createMemoryRateLimiter} from '@signalbox/core/memory';
import {createManualClock, rateLimiterContract} from '@signalbox/core/testing';
import test from 'ava';

const limit = {per_minute: 2, burst: 1};

const openLimiter = () => {
	const clock = createManualClock('2026-03-01T12:00:00.000Z');
	return {clock, limiter: createMemoryRateLimiter({clock})};
};

rateLimiterContract(test, {
	name: 'memory',
	open: async () => {
		const {clock, limiter} = openLimiter();
		return {
			limiters: [limiter, limiter],
			advance: clock.advance,
			now: () => Date.parse(clock.now()),
			close: async () => {},
		};
	},
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
