import type {Connection} from '../connection.ts';
import {createSqlRateLimiter, type SqlRateLimiter} from './rate-limiter.ts';
import {createSignalLog, type SignalLog} from './signal-log.ts';

/** Purge both once a minute. */
export type Sharing = Readonly<{
	/** For `createSharedSignals`. */
	signalLog: SignalLog;
	/** Counts for all processes; each take waits for a durable write, which takes of the same moment share. */
	rateLimiter: SqlRateLimiter;
}>;

export const createSharing = (connection: Connection): Sharing => ({
	signalLog: createSignalLog(connection),
	rateLimiter: createSqlRateLimiter(connection),
});
