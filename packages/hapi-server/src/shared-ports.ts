import {createSharedSignals, type SqlDatabase} from '@signalbox/adapters-sql';
import type {Clock, DomainEvent, RateLimiter, SharedSignals} from '@signalbox/core';
import {createMemoryRateLimiter, createMemorySignals} from '@signalbox/core/memory';
import type {Logger} from 'pino';
import type {Config} from './config.ts';

/** What processes share besides rows of the database. */
export type SharedPorts = Readonly<{signals: SharedSignals; rateLimiter: RateLimiter}>;

type Needs = Readonly<{clock: Clock; log: Logger; onError(error: unknown): void}>;

/**
 * Whether another process does anything about it. Of what only tells how far something is there may be thousands a second:
 * an attempt at a webhook, a run, a step of a chain.
 */
const crosses = (event: DomainEvent): boolean => {
	if (event.type === 'cron.execution') return event.status === 'canceled';
	return event.type !== 'webhook.delivery' && event.type !== 'chain.execution';
};

const quietMs = 60_000;

/** What is tried several times a second fills no log while it fails. */
const warnRarely = (log: Logger) => {
	let quietUntil = 0;
	return (error: unknown): void => {
		if (performance.now() < quietUntil) return;
		quietUntil = performance.now() + quietMs;
		log.warn({err: error}, 'signals or rate limits are not shared with other processes for now');
	};
};

const throughRedis = async (url: string, {clock, onError}: Needs): Promise<SharedPorts> => {
	// Most servers have no Redis, and need not load what speaks to one.
	const {connectRedis, createRedisRateLimiter, createRedisSignals} = await import('@signalbox/adapters-redis');
	const redis = connectRedis({url, onError});
	const signals = createRedisSignals({redis, local: createMemorySignals(), crosses, onError});
	return {
		rateLimiter: createRedisRateLimiter({redis, fallback: createMemoryRateLimiter({clock}), onError}),
		signals: {
			...signals,
			start: async () => {
				await redis.open();
				await signals.start();
			},
			close: async () => {
				await signals.close();
				await redis.close();
			},
		},
	};
};

const inMemory = (): SharedSignals => ({...createMemorySignals(), start: async () => {}, close: async () => {}});

/**
 * Through Redis where there is one, otherwise through the database. A SQLite file may be shared, too, but then mostly is not:
 * signals pass through it, while no request waits for a durable write only to be counted.
 */
export const createSharedPorts = async (
	{redisUrl, databaseUrl, sharedDatabase}: Config,
	{signalLog, rateLimiter}: SqlDatabase['sharing'],
	given: Omit<Needs, 'onError'>,
): Promise<SharedPorts> => {
	const needs = {...given, onError: warnRarely(given.log)};
	if (redisUrl !== undefined) return throughRedis(redisUrl, needs);
	return {
		signals: databaseUrl.endsWith(':memory:')
			? inMemory()
			: createSharedSignals({...needs, local: createMemorySignals(), log: signalLog, crosses}),
		rateLimiter: sharedDatabase ? rateLimiter : createMemoryRateLimiter(needs),
	};
};
