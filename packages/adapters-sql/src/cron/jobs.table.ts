import type {CronJobRecord, DueJob} from '@signalbox/core';
import {defineTable, flag, instant, json, nullable, number, text} from '../table.ts';

/** What an agent needs of a job, and what a job does when a run has ended: of any size. */
type CommandField =
	| 'working_dir'
	| 'timeout_seconds'
	| 'retry_config'
	| 'notification_config'
	| 'tags'
	| 'command'
	| 'environment';

export type JobRow = Omit<CronJobRecord, CommandField>;

export const jobs = defineTable<JobRow>('cron_jobs', {
	id: text(),
	user_id: text(),
	team_id: text(),
	name: text(),
	schedule: text(),
	schedule_cron: text(),
	timezone: text(),
	concurrency: text(),
	agent_id: nullable(text()),
	is_enabled: flag,
	last_run_at: nullable(instant),
	next_run_at: nullable(instant),
	created_at: instant,
	updated_at: instant,
	version: number,
});

export const jobCommands = defineTable<Pick<CronJobRecord, 'id' | CommandField>>('cron_job_commands', {
	id: text(),
	working_dir: text(),
	timeout_seconds: number,
	retry_config: json(),
	notification_config: json(),
	tags: json(),
	command: text(),
	environment: json(),
});

export const jobTags = defineTable<Readonly<{job_id: string; tag_key: string; user_id: string}>>('cron_job_tags', {
	job_id: text(),
	tag_key: text(),
	user_id: text(),
});

/** What a tick is planned from. */
export const dueJobs = defineTable<DueJob>('cron_jobs', {
	id: text(),
	user_id: text(),
	schedule_cron: text(),
	timezone: text(),
	concurrency: text(),
	next_run_at: instant,
});
