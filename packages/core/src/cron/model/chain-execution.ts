import {z} from 'zod';
import type {Instant} from '../../values/instant.ts';
import {instantText, recordId} from '../../values/text.ts';
import {chainStepSchema, triggerTypeSchema} from './chain.ts';
import type {ExecutionStatus} from './execution.ts';

export const chainExecutionStatusSchema = z.enum(['running', 'completed', 'failed', 'canceled']);
export type ChainExecutionStatus = z.infer<typeof chainExecutionStatusSchema>;

export const stepStatusSchema = z.enum(['pending', 'running', 'success', 'failed', 'timeout', 'skipped', 'canceled']);
export type StepStatus = z.infer<typeof stepStatusSchema>;
/** How a step that ran has ended. */
export type StepOutcome = Exclude<StepStatus, 'pending' | 'running' | 'skipped'>;

export const stepExecutionSchema = chainStepSchema.extend({
	job_name: z.string(),
	status: stepStatusSchema,
	/** Its run, the last attempt of it. */
	execution_id: recordId.nullable(),
	/** When it became ready. */
	started_at: instantText.nullable(),
	completed_at: instantText.nullable(),
	/** Why it did not succeed: `cron_job_deleted`, `agent_offline`, `agent_lost`, or words. */
	error: z.string().nullable(),
});
/** A step as it was when the execution began, and what became of it. */
export type StepExecution = z.infer<typeof stepExecutionSchema>;

export const chainExecutionSchema = z.object({
	id: recordId,
	chain_id: recordId,
	chain_name: z.string(),
	status: chainExecutionStatusSchema,
	triggered_by: triggerTypeSchema,
	/** The webhook event that started it. */
	trigger_event_id: recordId.nullable(),
	/** `step_order` of the step that runs. */
	current_step: z.int().nullable(),
	steps: z.array(stepExecutionSchema),
	started_at: instantText,
	completed_at: instantText.nullable(),
	/** The user who canceled it. */
	canceled_by: recordId.nullable(),
});
/** One run of a chain. */
export type ChainExecution = z.infer<typeof chainExecutionSchema>;

export type ChainExecutionRecord = Omit<ChainExecution, 'steps'> &
	Readonly<{
		user_id: string;
		/** By `step_order`. */
		steps: readonly StepExecution[];
		/** When it is to be looked at: at the deadline of the step that runs, or earlier. Null: it is over. */
		due_at: Instant | null;
		/** Rises with each change, and when a run of the current step begins anew or ends. */
		version: number;
	}>;

/** An execution that is to be: its steps are copied from the chain as it is stored, and none has begun. */
export type NewChainExecution = Readonly<Pick<ChainExecution, 'id' | 'chain_id' | 'triggered_by' | 'trigger_event_id'>>;

/**
 * What is to be done because of a transition. `id` is the same whenever the same transition is made: whoever knows it
 * has done it.
 */
export type ChainEffect =
	| Readonly<{
			type: 'start_run';
			id: string;
			/** Of the run. */
			execution_id: string;
			job_id: string;
			step_order: number;
			/** No attempt goes on past it. */
			deadline_at: Instant;
			start_within_seconds: number;
	  }>
	/** Every attempt of the step that has not ended. */
	| Readonly<{type: 'cancel_runs'; id: string; step_order: number}>
	/** Somebody is to be told how it ended. */
	| Readonly<{type: 'tell'; id: string}>;

/** The last attempt of the step that runs. */
export type StepRun = Readonly<{
	id: string;
	status: ExecutionStatus;
	error: string | null;
	started_at: Instant | null;
	completed_at: Instant | null;
	duration_ms: number | null;
}>;
