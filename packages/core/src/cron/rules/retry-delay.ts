import type {FinalStatus} from '../model/execution.ts';
import type {JobRetryConfig} from '../model/job.ts';

/** How an attempt ended. `attempt` counts from 1. */
export type AttemptEnd = Readonly<{
	attempt: number;
	status: FinalStatus;
	/** Set when the command could not even begin: another attempt would end the same. */
	never_began?: 'spawn_error' | 'unresolved_template' | undefined;
}>;

/**
 * Seconds until the next attempt, or undefined when there is none (decisions, "Executions"): retries are used up, or it was
 * a success, was canceled, or could never begin.
 */
export const retryDelay = (
	{max_retries, intervals}: JobRetryConfig,
	{attempt, status, never_began}: AttemptEnd,
): number | undefined => {
	if (status === 'success' || status === 'canceled' || never_began !== undefined) return undefined;
	return attempt > max_retries ? undefined : intervals[Math.min(attempt, intervals.length) - 1];
};
