import {setTimeout as pause} from 'node:timers/promises';
import {Redis, type RedisOptions} from 'ioredis';

export type RedisConnection = Readonly<{
	/** For commands: they fail at once while there is no connection. */
	commands: Redis;
	/** For messages, on a connection of its own, as Redis asks for. Subscribes anew after each loss of it. */
	messages: Redis;
	/** What keys and channels of this installation begin with. */
	prefix: string;
	/** Resolves when both are connected, or could not be for now: they go on trying until `close`. */
	open(): Promise<void>;
	close(): Promise<void>;
}>;

export type RedisNeeds = Readonly<{
	/**
	 * `redis://` or `rediss://`, with user, password, port and number of the database as usual, and with `?prefix=` where several
	 * installations share a Redis. Default of the prefix: `signalbox`.
	 */
	url: string;
	/** Milliseconds that an answer is waited for. Default: 1000, since whoever waits is somebody's request. */
	answerWithin?: number;
	/** Told whenever connecting fails or a connection is lost. The errors hold no password. */
	onError(error: Error): void;
}>;

/** Milliseconds. */
const connectTimeout = 2000;
/** After which the network is asked whether a connection on which nothing comes is still one. */
const keepAlive = 10_000;
/** What the end of a connection is waited for; of one that was lost it never comes. */
const disconnectTimeout = 100;
const longestPause = 2000;

const retryStrategy = (attempt: number): number => Math.min(100 * attempt, longestPause);

/** Errors of the library name the command that failed with its arguments: AUTH has the password among them. */
export const bareError = (error: unknown): Error =>
	new Error(`Redis: ${error instanceof Error ? error.message : String(error)}`);

/** Whether the work ends in time. A Redis that stopped still lets connect, and answers nothing: nobody waits for it. */
const endsInTime = async (work: Promise<unknown>): Promise<boolean> => {
	const ended = new AbortController();
	const late = pause(connectTimeout, false, {signal: ended.signal}).catch(() => false);
	try {
		return await Promise.race([work.then(() => true), late]);
	} finally {
		ended.abort();
	}
};

/** Prepares connections to Redis. Nothing is sent before `open`. */
export const connectRedis = ({url, answerWithin = 1000, onError}: RedisNeeds): RedisConnection => {
	const address = new URL(url);
	const prefix = address.searchParams.get('prefix') ?? 'signalbox';
	address.search = '';
	const connect = (options: RedisOptions): Redis => {
		const client = new Redis(address.href, {
			lazyConnect: true,
			connectTimeout,
			disconnectTimeout,
			keepAlive,
			retryStrategy,
			...options,
		});
		return client.on('error', (error) => onError(bareError(error)));
	};
	const commands = connect({commandTimeout: answerWithin, enableOfflineQueue: false, maxRetriesPerRequest: 0});
	const messages = connect({maxRetriesPerRequest: null});
	return {
		commands,
		messages,
		prefix: `${prefix}:${commands.options.db ?? 0}`,
		open: async () => {
			// Each failure is an event of its client, too.
			const tried = Promise.allSettled([commands.connect(), messages.connect()]);
			if (!(await endsInTime(tried))) onError(bareError(`no answer within ${connectTimeout} ms`));
		},
		close: async () => {
			messages.disconnect();
			// What was sent is answered first.
			if (commands.status === 'ready') await commands.quit().catch(() => undefined);
			commands.disconnect();
		},
	};
};
