import {z} from 'zod';
import {instantText, nameText, recordId} from '../../values/text.ts';

const kibibyte = 1024;

/** The longest schedule, in words or as an expression. Characters. */
export const longestSchedule = 128;

const withoutNul = (text: string): boolean => !text.includes('\0');

export const jobRetryConfigSchema = z.strictObject({
	/** Runs after the first one, each only when the one before did not succeed. */
	max_retries: z.int().min(0).max(10).default(0),
	/** Seconds before each retry; the last one repeats. */
	intervals: z
		.array(
			z
				.int()
				.min(1)
				.max(24 * 3600),
		)
		.min(1)
		.max(10)
		.default([30, 60, 300]),
});
/** When a run that failed is followed by another one (decisions, "Executions"). */
export type JobRetryConfig = z.infer<typeof jobRetryConfigSchema>;

const noticeSchema = z.strictObject({
	enabled: z.boolean(),
	/** Http or https. Told there too, signed like any webhook. */
	webhook_url: z.string().min(1).max(2048).optional(),
});

export const notificationConfigSchema = z.strictObject({
	on_failure: noticeSchema.optional(),
	on_success: noticeSchema.optional(),
});
/** Whether somebody is told how a run ended, once no retry follows. */
export type NotificationConfig = z.infer<typeof notificationConfigSchema>;

export const concurrencySchema = z.enum(['forbid', 'allow', 'replace']);
/** What a tick does while a scheduled run of its job is pending or running. */
export type Concurrency = z.infer<typeof concurrencySchema>;

export const commandText = z
	.string()
	.min(1)
	.refine(withoutNul, 'must not hold NUL')
	.refine((text) => new TextEncoder().encode(text).length <= 64 * kibibyte, 'must have at most 64 KiB');

const environmentValue = z
	.string()
	.refine(withoutNul, 'must not hold NUL')
	.refine((text) => new TextEncoder().encode(text).length <= 32 * kibibyte, 'must have at most 32 KiB');

const nameRule = 'must be the name of a variable: letters, digits and _, not beginning with a digit';
const environmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, nameRule);

export const jobEnvironmentSchema = z
	.record(environmentName, environmentValue)
	.refine((variables) => Object.keys(variables).length <= 100, 'must hold at most 100 variables');

export const jobTagsSchema = z.array(z.string().min(1).max(64)).max(50);

export const workingDirText = z.string().max(4096).refine(withoutNul, 'must not hold NUL');

export const cronJobSchema = z.object({
	id: recordId,
	name: nameText,
	/** In words or as a cron expression, as it was sent. */
	schedule: z.string(),
	/** The same as canonical cron expression of five fields. */
	schedule_cron: z.string(),
	/** IANA name. */
	timezone: z.string(),
	concurrency: concurrencySchema,
	/** Shell command for the agent's host. May hold `{{env.KEY}}`. */
	command: z.string(),
	/** Empty: the home of the agent's account. */
	working_dir: z.string(),
	timeout_seconds: z.int().min(1).max(3600),
	retry_config: jobRetryConfigSchema,
	notification_config: notificationConfigSchema,
	/** Variables of the command. Values may hold `{{env.KEY}}`. */
	environment: z.record(z.string(), z.string()),
	tags: z.array(z.string()),
	/** The agent that runs it: the one that was chosen, else the default one; null while there is none. */
	agent_id: recordId.nullable(),
	agent_name: z.string().nullable(),
	is_enabled: z.boolean(),
	/** When a run of it last started. */
	last_run_at: instantText.nullable(),
	/** Null while it is disabled. */
	next_run_at: instantText.nullable(),
	created_at: instantText,
	updated_at: instantText,
});
/** A scheduled shell command. */
export type CronJob = z.infer<typeof cronJobSchema>;

/** `agent_id` null: the default agent, whichever that is when a run is leased. */
export type CronJobRecord = Omit<CronJob, 'agent_name'> &
	Readonly<{
		/** Whose it is. */
		user_id: string;
		/** Whose variables its templates see. */
		team_id: string;
		/** Rises with each change that a person makes. */
		version: number;
	}>;
