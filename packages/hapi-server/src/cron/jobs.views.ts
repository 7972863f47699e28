import {cronJobSchema, jobRetryConfigSchema, notificationConfigSchema} from '@signalbox/core';
import {z} from 'zod';
import {withExtensions} from '../http/fields.ts';

const retryConfigView = jobRetryConfigSchema.meta({
	id: 'CronRetryConfig',
	examples: [{max_retries: 2, intervals: [30, 60, 300]}],
});

const notificationConfigView = notificationConfigSchema.meta({
	id: 'CronNotificationConfig',
	examples: [{on_failure: {enabled: true}}],
});

const exampleJob = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10',
	name: 'Nightly backup',
	schedule: 'every day at 2:30am',
	schedule_cron: '30 2 * * *',
	timezone: 'Europe/Berlin',
	concurrency: 'forbid',
	command: 'pg_dump "$DATABASE" | gzip > backup.gz',
	working_dir: '/srv/backup',
	timeout_seconds: 900,
	retry_config: {max_retries: 2, intervals: [30, 60, 300]},
	notification_config: {on_failure: {enabled: true}},
	environment: {DATABASE: '{{env.DATABASE}}'},
	tags: ['backup'],
	agent_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b00',
	agent_name: 'db-1',
	is_enabled: true,
	last_run_at: null,
	next_run_at: '2026-02-01T01:30:00.000Z',
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

export const jobView = withExtensions(
	cronJobSchema.extend({retry_config: retryConfigView, notification_config: notificationConfigView}),
	'timezone',
	'concurrency',
	'created_at',
	'updated_at',
).meta({id: 'CronJob', examples: [exampleJob]});

export const upcomingRunView = z.object({job_id: z.string(), name: z.string(), next_run_at: z.iso.datetime()}).meta({
	id: 'UpcomingCronRun',
	examples: [{job_id: exampleJob.id, name: exampleJob.name, next_run_at: exampleJob.next_run_at}],
});

export const explainedScheduleView = z
	.object({
		schedule_cron: z.string(),
		description: z.string().meta({description: 'In words.'}),
		next_runs: z.array(z.iso.datetime()).meta({description: 'The next ones, five unless `count` says otherwise.'}),
	})
	.meta({
		id: 'ExplainedSchedule',
		examples: [
			{
				schedule_cron: '0 9 * * 1-5',
				description: 'At 09:00, Monday to Friday',
				next_runs: ['2026-02-02T09:00:00.000Z'],
			},
		],
	});

export const checkedScheduleView = z
	.object({
		problem: z.string().nullable().meta({description: 'Why it is no schedule; null when it is one.'}),
		meaning: explainedScheduleView.nullable().meta({description: 'What it means; null when it is none.'}),
	})
	.meta({
		id: 'CheckedSchedule',
		examples: [{problem: 'A schedule must not be empty.', meaning: null}],
	});
