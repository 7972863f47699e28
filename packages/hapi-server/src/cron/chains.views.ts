import {chainExecutionSchema, chainSchema, chainStepSchema, stepExecutionSchema} from '@signalbox/core';
import {z} from 'zod';
import {withExtensions} from '../http/fields.ts';

const exampleSteps = [
	{
		cron_job_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10',
		step_order: 0,
		condition_type: 'on_success',
		timeout_seconds: 900,
	},
	{
		cron_job_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b11',
		step_order: 1,
		condition_type: 'on_failure',
		timeout_seconds: 3600,
	},
] as const;

const exampleChain = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b30',
	name: 'Nightly',
	description: 'Back up, and tell when that fails',
	trigger_type: 'schedule',
	trigger_schedule: 'every day at 2:30am',
	timezone: 'Europe/Berlin',
	trigger_endpoint_id: null,
	is_enabled: true,
	steps: exampleSteps,
	next_run_at: '2026-02-01T01:30:00.000Z',
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
} as const;

export const chainView = withExtensions(
	chainSchema.extend({steps: z.array(chainStepSchema.meta({id: 'CronChainStep', examples: [exampleSteps[0]]}))}),
	'timezone',
	'next_run_at',
	'created_at',
	'updated_at',
).meta({id: 'CronChain', examples: [exampleChain]});

const [firstStep, secondStep] = exampleSteps;

const exampleStepExecution = {
	...firstStep,
	job_name: 'Nightly backup',
	status: 'success',
	execution_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b20',
	started_at: '2026-02-01T01:30:00.210Z',
	completed_at: '2026-02-01T01:30:05.731Z',
	error: null,
} as const;

const skippedStep = {
	...secondStep,
	job_name: 'Tell',
	status: 'skipped',
	execution_id: null,
	started_at: null,
	completed_at: null,
	error: null,
} as const;

export const chainExecutionView = chainExecutionSchema
	.extend({
		steps: z.array(stepExecutionSchema.meta({id: 'CronChainStepExecution', examples: [exampleStepExecution]})),
	})
	.meta({
		id: 'CronChainExecution',
		examples: [
			{
				id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b40',
				chain_id: exampleChain.id,
				chain_name: exampleChain.name,
				status: 'completed',
				triggered_by: 'schedule',
				trigger_event_id: null,
				current_step: null,
				steps: [exampleStepExecution, skippedStep],
				started_at: '2026-02-01T01:30:00.204Z',
				completed_at: '2026-02-01T01:30:05.731Z',
				canceled_by: null,
			},
		],
	});
