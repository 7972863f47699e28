import type {ExecutionRecord, ExecutionResult, NewExecution} from '../model/execution.ts';
import type {CronJobRecord, NotificationConfig} from '../model/job.ts';
import {type AttemptEnd, retryDelay} from './retry-delay.ts';

/** How an attempt ended, and whether it could begin at all. */
export type AttemptResult = Readonly<{result: ExecutionResult; never_began?: AttemptEnd['never_began']}>;

export type Ending = Readonly<{result: ExecutionResult; retry: NewExecution | null; tells: boolean}>;

/** Seconds within which a run that no tick asked for may start (decisions, "Smaller points"). */
export const startWithin = 3600;

/** Whether somebody is told of a result that nothing follows: of a failure unless they do not want to hear it. */
const tellsOf = ({on_failure, on_success}: NotificationConfig, {status}: ExecutionResult): boolean => {
	if (status === 'canceled') return false;
	if (status === 'success') return on_success?.enabled === true;
	return on_failure?.enabled ?? true;
};

/** What a result means: another attempt, somebody to be told, or neither (decisions, "Executions"). */
export const endingOf = (
	{id: retry_of, job_id, attempt}: Pick<ExecutionRecord, 'id' | 'job_id' | 'attempt'>,
	job: Pick<CronJobRecord, 'retry_config' | 'notification_config'>,
	{result, never_began, retry_id}: AttemptResult & Readonly<{retry_id: string}>,
): Ending => {
	const after_seconds = retryDelay(job.retry_config, {attempt, status: result.status, never_began});
	if (after_seconds === undefined) return {result, retry: null, tells: tellsOf(job.notification_config, result)};
	const retry: NewExecution = {
		...{id: retry_id, job_id, triggered_by: 'retry' as const, attempt: attempt + 1, retry_of},
		...{after_seconds, start_within_seconds: startWithin},
	};
	return {result, retry, tells: false};
};
