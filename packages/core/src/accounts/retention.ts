import type {Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import type {Retention as RetentionTimes} from '../values/retention.ts';

/** Deletes batch after batch until nothing is left or the signal aborts. @returns how many records went. */
type Purge = (signal?: AbortSignal) => Promise<number>;

/** Keeps what is final for as long as the plan of its account says. Run each about once a minute. */
export type Retention = Readonly<{
	purgeCalls: Purge;
	purgeApprovals: Purge;
	purgeNotifications: Purge;
	purgeRollups: Purge;
	/** Webhook events, with all that belongs to them. */
	purgeEvents: Purge;
	/** What deduplicate steps remember no longer. */
	purgeClaims: Purge;
	/** Runs of cron jobs, and which ticks were judged. */
	purgeExecutions: Purge;
	/** Runs of chains. */
	purgeChainExecutions: Purge;
}>;

/** Others that write wait behind a batch, and only behind one. */
const batchSize = 200;

/** Metrics reach back 365 days, and begin with a whole hour. */
const daysOfMetrics = 366;

const timesOf = (settings: Pick<CoreSettings, 'plans' | 'default_plan'>): RetentionTimes => ({
	days_by_plan: new Map(settings.plans.map(({name, retention_days}) => [name, retention_days])),
	otherwise: planOf(settings, settings.default_plan).retention_days,
});

export const createRetention = (
	{
		retention,
		webhookEvents,
		intake,
		executions,
		chainExecutions,
	}: Pick<Ports, 'retention' | 'webhookEvents' | 'intake' | 'executions' | 'chainExecutions'>,
	settings: Pick<CoreSettings, 'plans' | 'default_plan'>,
): Retention => {
	const times = timesOf(settings);
	const inBatches =
		(purgeBatch: (times: RetentionTimes, limit: number) => Promise<number>): Purge =>
		async (signal) => {
			let count = 0;
			while (!signal?.aborted) {
				const purged = await purgeBatch(times, batchSize);
				if (purged === 0) break;
				count += purged;
			}
			return count;
		};
	return {
		purgeCalls: inBatches(retention.purgeCalls),
		purgeApprovals: inBatches(retention.purgeApprovals),
		purgeNotifications: inBatches(retention.purgeNotifications),
		purgeRollups: async () => retention.purgeRollups(daysOfMetrics),
		purgeEvents: inBatches(webhookEvents.purge),
		purgeClaims: inBatches((_, limit) => intake.purgeClaims(limit)),
		purgeExecutions: inBatches(executions.purge),
		purgeChainExecutions: inBatches(chainExecutions.purge),
	};
};
