import type {Retention} from '../values/retention.ts';

/**
 * Deletes what accounts keep no longer, of any tenant: for upkeep only. Age is judged by the store's clock, strictly: what
 * is as old as its plan allows stays. What belongs to a server is kept as the plan of the user who made it says.
 * Each method deletes at most `limit` records where one is given, fewer when they are large, so that nobody waits long behind it.
 * @returns how many went; 0 when none is left.
 */
export type RetentionStore = Readonly<{
	/** By `created_at`. Their rollups stay: metrics reach further back than the log. */
	purgeCalls(retention: Retention, limit: number): Promise<number>;
	/** Final ones, by `expires_at`. What is pending stays, also past its time: it becomes expired first. */
	purgeApprovals(retention: Retention, limit: number): Promise<number>;
	/** By `created_at`, by the plan of their user, read or not. */
	purgeNotifications(retention: Retention, limit: number): Promise<number>;
	/** All that count calls of hours so many days ago. */
	purgeRollups(days: number): Promise<number>;
}>;
