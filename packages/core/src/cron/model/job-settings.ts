import {z} from 'zod';
import {destinationUrlProblem} from '../../values/template.ts';
import {nameText, recordId} from '../../values/text.ts';
import {
	commandText,
	concurrencySchema,
	jobEnvironmentSchema,
	jobRetryConfigSchema,
	jobTagsSchema,
	type NotificationConfig,
	notificationConfigSchema,
	workingDirText,
} from './job.ts';

/** Kept ones are not judged again: what was taken once is shown. */
const refuseUnreachable = (config: NotificationConfig, context: z.RefinementCtx): void => {
	for (const on of ['on_failure', 'on_success'] as const) {
		const message = destinationUrlProblem(config[on]?.webhook_url ?? 'https://none.example');
		if (message !== undefined) context.addIssue({code: 'custom', path: [on, 'webhook_url'], message});
	}
};

export const jobSettingsSchema = z.strictObject({
	name: nameText.optional(),
	/** In words (`every weekday at 9am`) or as a cron expression of five fields. */
	schedule: z.string().optional(),
	/** IANA name; `UTC` by default. */
	timezone: z.string().max(64).optional(),
	/** `forbid` by default. */
	concurrency: concurrencySchema.optional(),
	/** May hold `{{env.KEY}}`, whose value stands there as text: a value that is data belongs into `environment`. */
	command: commandText.optional(),
	working_dir: workingDirText.optional(),
	/** 300 by default. */
	timeout_seconds: z.int().min(1).max(3600).optional(),
	retry_config: jobRetryConfigSchema.optional(),
	notification_config: notificationConfigSchema.superRefine(refuseUnreachable).optional(),
	environment: jobEnvironmentSchema.optional(),
	tags: jobTagsSchema.optional(),
	/** Null or left out: the default agent. */
	agent_id: recordId.nullable().optional(),
	/** True by default. */
	is_enabled: z.boolean().optional(),
});
/** What a request may set on a job. What is left out keeps its value; on create, it has its default. */
export type JobSettings = z.input<typeof jobSettingsSchema>;

/** The same with everything parsed that has a default of its own. */
export type ParsedJobSettings = z.output<typeof jobSettingsSchema>;
