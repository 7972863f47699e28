import {z} from 'zod';
import type {Instant} from '../../values/instant.ts';
import {instantText, recordId} from '../../values/text.ts';
import type {CronJobRecord} from './job.ts';

export const executionStatusSchema = z.enum(['pending', 'running', 'success', 'failed', 'timeout', 'canceled']);
export type ExecutionStatus = z.infer<typeof executionStatusSchema>;
/** A status that never changes again. */
export type FinalStatus = Exclude<ExecutionStatus, 'pending' | 'running'>;

export const triggeredBySchema = z.enum(['scheduled', 'manual', 'retry', 'chain']);
export type TriggeredBy = z.infer<typeof triggeredBySchema>;

export const executionSchema = z.object({
	id: recordId,
	job_id: recordId,
	job_name: z.string(),
	status: executionStatusSchema,
	exit_code: z.int().nullable(),
	duration_ms: z.int().nullable(),
	triggered_by: triggeredBySchema,
	/** From 1; a retry counts on. */
	attempt: z.int(),
	/** The execution that this one retries. */
	retry_of: recordId.nullable(),
	/** The tick, or when it was asked for, or when the retry is due. */
	scheduled_for: instantText,
	/** What the command printed, both streams as they came. The list shows the end of it. */
	output: z.string(),
	/** Why it did not succeed: `agent_offline`, `agent_lost`, or words. */
	error: z.string().nullable(),
	started_at: instantText.nullable(),
	completed_at: instantText.nullable(),
	/** Ticks before this one that it stands for: nobody was there to run them. */
	missed_count: z.int(),
	/** True when output was left out. */
	truncated: z.boolean(),
});
/** One run of a job. */
export type Execution = z.infer<typeof executionSchema>;

export type ExecutionRecord = Execution &
	Readonly<{
		user_id: string;
		team_id: string;
		/** Who started it, or is to run it. Null: the default agent. */
		agent_id: string | null;
		/** Not leased before. */
		due_at: string;
		/** A pending one that nobody leased by then fails. */
		start_deadline_at: string;
	}>;

/** A run that is to be. Job, tenant and agent are taken from the job as it is stored. */
export type NewExecution = Readonly<{
	id: string;
	job_id: string;
	triggered_by: TriggeredBy;
	attempt: number;
	retry_of: string | null;
	/** Seconds from now, by the store's clock, until it is due; `scheduled_for` is that moment. */
	after_seconds: number;
	/** Seconds from its due time until nobody may start it any more. */
	start_within_seconds: number;
}>;

/** How a run ended. */
export type ExecutionResult = Readonly<{
	status: FinalStatus;
	exit_code: number | null;
	duration_ms: number | null;
	error: string | null;
	truncated: boolean;
}>;

/** What a run must know that is part of a chain. */
export type StepLimits = Readonly<{
	/** No attempt goes on past it. */
	deadline_at: Instant;
	/** The webhook event that started the chain. */
	event_id: string | null;
}>;

/** A run that an agent may start: the job as it is now, and the token that proves the lease. */
export type LeasedExecution = Readonly<{
	execution: ExecutionRecord;
	job: CronJobRecord;
	lease_token: string;
	/** By the store's clock. */
	leased_at: string;
	/** Null: it is no part of a chain. */
	step: StepLimits | null;
}>;
