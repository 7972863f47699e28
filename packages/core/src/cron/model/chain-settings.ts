import {z} from 'zod';
import {nameText, recordId} from '../../values/text.ts';
import {conditionTypeSchema, mostSteps, stepTimeout, triggerTypeSchema} from './chain.ts';

const chainStepSettingsSchema = z.strictObject({
	/** A job of the caller's. The same one may stand in several steps. */
	cron_job_id: recordId.min(1).max(64),
	/** From 0; each once. Gaps are closed. */
	step_order: z.int().min(0),
	condition_type: conditionTypeSchema.default('on_success'),
	/** From when the step becomes ready, over all attempts of its job. */
	timeout_seconds: z.int().min(stepTimeout.least).max(stepTimeout.most).default(stepTimeout.default),
});

export const chainSettingsSchema = z.strictObject({
	name: nameText.optional(),
	description: z.string().max(2000).nullable().optional(),
	trigger_type: triggerTypeSchema.optional(),
	/** As for jobs, in words or as a cron expression. Required when `trigger_type` is `schedule`. */
	trigger_schedule: z.string().nullable().optional(),
	/** IANA name; `UTC` by default. */
	timezone: z.string().max(64).optional(),
	/** An endpoint of the caller's teams. Required when `trigger_type` is `webhook`. */
	trigger_endpoint_id: recordId.min(1).max(64).nullable().optional(),
	/** True by default. */
	is_enabled: z.boolean().optional(),
	/** Replaces all steps. */
	steps: z.array(chainStepSettingsSchema).min(1).max(mostSteps).optional(),
});
/** What a request may set on a chain. What is left out keeps its value; on create, it has its default. */
export type ChainSettings = z.input<typeof chainSettingsSchema>;

/** The same with everything parsed that has a default of its own. */
export type ParsedChainSettings = z.output<typeof chainSettingsSchema>;
