export {connectRedis, type RedisConnection, type RedisNeeds} from './connect-redis.ts';
export {createRedisRateLimiter, type RedisRateLimiterNeeds} from './redis-rate-limiter.ts';
export {createRedisSignals, type RedisSignalsNeeds} from './redis-signals.ts';
