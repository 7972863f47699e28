import {executionSchema} from '@signalbox/core';

const exampleExecution = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b20',
	job_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10',
	job_name: 'Nightly backup',
	status: 'success',
	exit_code: 0,
	duration_ms: 5310,
	triggered_by: 'scheduled',
	attempt: 1,
	retry_of: null,
	scheduled_for: '2026-02-01T01:30:00.000Z',
	output: 'done\n',
	error: null,
	started_at: '2026-02-01T01:30:00.412Z',
	completed_at: '2026-02-01T01:30:05.730Z',
	missed_count: 0,
	truncated: false,
};

export const executionView = executionSchema.meta({id: 'CronExecution', examples: [exampleExecution]});
