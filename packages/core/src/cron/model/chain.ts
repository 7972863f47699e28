import {z} from 'zod';
import {instantText, nameText, recordId} from '../../values/text.ts';

export const triggerTypeSchema = z.enum(['schedule', 'manual', 'webhook']);
/** What starts a chain besides a person's `run`. */
export type TriggerType = z.infer<typeof triggerTypeSchema>;

/** Whether a step runs, by how the last step before it that ran has ended; before the first one that is a success. */
export const conditionTypeSchema = z.enum(['on_success', 'on_failure', 'always']);
export type ConditionType = z.infer<typeof conditionTypeSchema>;

/** More are refused: each start of the chain copies them all. */
export const mostSteps = 100;

/** For a step: seconds from when it becomes ready, over all attempts of its job. */
export const stepTimeout = {least: 1, most: 86_400, default: 3600} as const;

export const chainStepSchema = z.object({
	/** The job that it runs. It may be gone: then the step fails. */
	cron_job_id: recordId,
	/** From 0, without gaps. */
	step_order: z.int(),
	condition_type: conditionTypeSchema,
	/** Counted from when the step becomes ready, over all attempts. */
	timeout_seconds: z.int(),
});
export type ChainStep = z.infer<typeof chainStepSchema>;

export const chainSchema = z.object({
	id: recordId,
	name: nameText,
	description: z.string().nullable(),
	trigger_type: triggerTypeSchema,
	/** In words or as a cron expression, as it was sent. */
	trigger_schedule: z.string().nullable(),
	/** IANA name. */
	timezone: z.string(),
	/** The webhook endpoint whose accepted events start it. Null once that is deleted: then nothing does. */
	trigger_endpoint_id: recordId.nullable(),
	/** False keeps schedule and webhooks from starting it, not `run`. */
	is_enabled: z.boolean(),
	steps: z.array(chainStepSchema),
	/** Null unless its schedule starts it. */
	next_run_at: instantText.nullable(),
	created_at: instantText,
	updated_at: instantText,
});
/** Jobs that run one after the other, each on the condition of the one before. */
export type Chain = z.infer<typeof chainSchema>;

/** A step with the name that its job had when the step was written, for when the job is gone. */
export type NamedChainStep = ChainStep & Readonly<{job_name: string}>;

export type ChainRecord = Omit<Chain, 'steps'> &
	Readonly<{
		/** Whose it is. */
		user_id: string;
		/** By `step_order`. */
		steps: readonly NamedChainStep[];
		/** `trigger_schedule` as canonical cron expression. */
		schedule_cron: string | null;
		/** Rises with each change that a person makes. */
		version: number;
	}>;
