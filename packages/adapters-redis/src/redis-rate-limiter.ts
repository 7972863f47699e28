import {type RateLimit, type RateLimiter, type RateVerdict, takeToken, verdictOf} from '@signalbox/core';
import {bareError, type RedisConnection} from './connect-redis.ts';

export type RedisRateLimiterNeeds = Readonly<{
	redis: RedisConnection;
	/** Counts while Redis does not. */
	fallback: RateLimiter;
	/** Told of each take that Redis did not answer; for a second after it none is asked of Redis. */
	onError(error: Error): void;
	/** Milliseconds that the limiter's clock is ahead of that of Redis. Default: 0. Tests move it. */
	clockOffset?: () => number;
}>;

/**
 * `takeToken` of the domain, on a bucket that stays where it is: the same arithmetic in the same whole numbers, which a
 * double holds exactly. A bucket that is full again is no bucket. Answers the bucket as it was, and the time.
 */
const script = `
local per_minute, burst, offset = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + offset
local capacity = (per_minute + burst) * 60000
local bucket = redis.call('HMGET', KEYS[1], 'level', 'at')
local level, at = tonumber(bucket[1]) or capacity, tonumber(bucket[2]) or now
local held = math.min(capacity, level + math.max(0, now - at) * per_minute)
local left = held >= 60000 and held - 60000 or held
redis.call('HSET', KEYS[1], 'level', left, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - left) / per_minute))
return {level, at, now}
`;

const pauseMs = 1000;

/** Takes the key and what the script is given. */
type Run = (key: string, ...given: readonly number[]) => Promise<[level: number, at: number, now: number]>;

/** Token buckets in Redis, by its clock. */
export const createRedisRateLimiter = ({
	redis: {commands, prefix},
	fallback,
	onError,
	clockOffset = () => 0,
}: RedisRateLimiterNeeds): RateLimiter => {
	commands.defineCommand('takeToken', {numberOfKeys: 1, lua: script});
	const {takeToken: run} = commands as unknown as Readonly<{takeToken: Run}>;
	const ask = async (key: string, limit: RateLimit): Promise<RateVerdict> => {
		const {per_minute, burst} = limit;
		const offset = Math.round(clockOffset());
		const [level, at, now] = await run.call(commands, `${prefix}:rate:${key}`, per_minute, burst, offset);
		return verdictOf(takeToken({level, at, full_at: at}, limit, now));
	};
	let asksAgainAt = 0;
	return {
		take: async (key, limit) => {
			if (performance.now() < asksAgainAt) return fallback.take(key, limit);
			try {
				return await ask(key, limit);
			} catch (error) {
				asksAgainAt = performance.now() + pauseMs;
				onError(bareError(error));
				// It may lead nowhere, or to a server that no longer writes, and nobody would notice.
				if (commands.status === 'ready') commands.disconnect(true);
				return fallback.take(key, limit);
			}
		},
	};
};
