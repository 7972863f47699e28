import {connectRedis, createRedisRateLimiter} from '@signalbox/adapters-redis';
import type {RateLimiter} from '@signalbox/core';
import {createMemoryRateLimiter} from '@signalbox/core/memory';
import {systemClock} from '@signalbox/core/node';
import {type LimiterHarness, rateLimiterContract} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {openRedisPlace, startGate, testWithRedis, whyNoRedis} from '../../../test/support/redis.ts';

const limit = {per_minute: 2, burst: 1};

const unused: RateLimiter = {
	take: async () => {
		throw new Error('Redis was to count');
	},
};

/** More than a busy machine takes. */
const patient = 60_000;

const fail = (error: Error): never => {
	throw error;
};

/** Two connections, as two processes have them. */
const redisLimiters: LimiterHarness = {
	name: 'Redis',
	open: async () => {
		const {url, remove} = await openRedisPlace();
		let offset = 0;
		const open = async () => {
			const redis = connectRedis({url, answerWithin: patient, onError: fail});
			await redis.open();
			const clockOffset = () => offset;
			return {redis, limiter: createRedisRateLimiter({redis, fallback: unused, onError: fail, clockOffset})};
		};
		const [one, other] = [await open(), await open()];
		return {
			limiters: [one.limiter, other.limiter],
			advance: async (milliseconds) => {
				offset += milliseconds;
			},
			now: () => Date.now() + offset,
			close: async () => {
				await Promise.all([one.redis.close(), other.redis.close(), remove()]);
			},
		};
	},
};

if (whyNoRedis === undefined) rateLimiterContract(test, redisLimiters);

const begin = async (t: ExecutionContext, url: string, answerWithin = patient) => {
	const errors: string[] = [];
	const onError = ({message}: Error) => void errors.push(message);
	const redis = connectRedis({url, answerWithin, onError});
	t.teardown(redis.close);
	await redis.open();
	const fallback = createMemoryRateLimiter({clock: systemClock});
	return {redis, errors, limiter: createRedisRateLimiter({redis, fallback, onError})};
};

testWithRedis('a bucket lives in Redis until it is full again', async (t, {url}) => {
	const {redis, limiter} = await begin(t, url);
	await limiter.take('key', limit);
	const left = async () => redis.commands.pttl(`${redis.prefix}:rate:key`);
	t.true((await left()) <= 30_000 && (await left()) > 20_000);
	await limiter.take('key', limit);
	t.true((await left()) <= 60_000 && (await left()) > 50_000);
});

testWithRedis(
	'while Redis is away each process counts by itself, and once it is back all of them together',
	async (t, place) => {
		const gate = await startGate(t, place);
		const {limiter, errors} = await begin(t, gate.url);
		const {limiter: other} = await begin(t, place.url);
		for (let taken = 0; taken < 3; taken += 1) await other.take('key', limit);
		t.false((await limiter.take('key', limit)).allowed);
		await gate.shut();
		const alone = [];
		for (let taken = 0; taken < 4; taken += 1) alone.push((await limiter.take('key', limit)).allowed);
		t.deepEqual(alone, [true, true, true, false]);
		t.true(errors.length > 0);
		await gate.open();
		while ((await place.keys()).length < 2) {
			await limiter.take('other', limit);
			await systemClock.sleep(20);
		}
		t.false((await limiter.take('key', limit)).allowed);
	},
);

testWithRedis('a connection that hangs is made anew, and few wait for it', async (t, place) => {
	const gate = await startGate(t, place);
	const {limiter, errors} = await begin(t, gate.url, 500);
	while ((await place.keys()).length === 0) await limiter.take('key', limit);
	gate.hang();
	const began = performance.now();
	for (let taken = 0; taken < 50; taken += 1) await limiter.take(`${taken}`, limit);
	t.true(performance.now() - began < 50 * 500);
	t.regex(errors.join(), /timed out/);
	while (!(await place.keys()).includes('rate:again')) {
		await limiter.take('again', limit);
		await systemClock.sleep(20);
	}
});
