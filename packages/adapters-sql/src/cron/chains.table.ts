import type {ChainExecutionRecord, ChainRecord, DueChain, StepLimits} from '@signalbox/core';
import {defineTable, flag, instant, json, nullable, number, text} from '../table.ts';

export const chains = defineTable<ChainRecord>('cron_chains', {
	id: text(),
	user_id: text(),
	name: text(),
	description: nullable(text()),
	trigger_type: text(),
	trigger_schedule: nullable(text()),
	schedule_cron: nullable(text()),
	timezone: text(),
	trigger_endpoint_id: nullable(text()),
	is_enabled: flag,
	steps: json(),
	next_run_at: nullable(instant),
	created_at: instant,
	updated_at: instant,
	version: number,
});

/** What a tick is planned from. */
export const dueChains = defineTable<DueChain>('cron_chains', {
	id: text(),
	user_id: text(),
	schedule_cron: text(),
	timezone: text(),
	next_run_at: instant,
});

export const chainExecutions = defineTable<ChainExecutionRecord & Readonly<{untold_since: string | null}>>(
	'cron_chain_executions',
	{
		id: text(),
		chain_id: text(),
		chain_name: text(),
		user_id: text(),
		status: text(),
		triggered_by: text(),
		trigger_event_id: nullable(text()),
		current_step: nullable(number),
		steps: json(),
		started_at: instant,
		completed_at: nullable(instant),
		canceled_by: nullable(text()),
		due_at: nullable(instant),
		untold_since: nullable(instant),
		version: number,
	},
);

/** That a run of a job is an attempt at a step. */
export type StepRunRow = StepLimits &
	Readonly<{execution_id: string; chain_execution_id: string; step_order: number; attempt: number}>;

export const stepRuns = defineTable<StepRunRow>('cron_step_runs', {
	execution_id: text(),
	chain_execution_id: text(),
	step_order: number,
	attempt: number,
	deadline_at: instant,
	event_id: nullable(text()),
});
