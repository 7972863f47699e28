import type {AgentRecord} from '../../cron/model/agent.ts';
import type {NewExecution} from '../../cron/model/execution.ts';
import type {CronJobRecord} from '../../cron/model/job.ts';
import type {ExecutionEnding, Firing} from '../../ports/index.ts';
import {buildId, builtAt} from './identity.ts';

type Owned = Readonly<{user_id: string; team_id: string}>;

/** Enabled, every minute, for whichever agent is the default one. */
export const buildCronJob = (fields: Owned & Partial<CronJobRecord>): CronJobRecord => ({
	id: buildId(),
	name: 'Back up',
	schedule: 'every minute',
	schedule_cron: '* * * * *',
	timezone: 'UTC',
	concurrency: 'forbid',
	command: 'backup --all',
	working_dir: '',
	timeout_seconds: 300,
	retry_config: {max_retries: 0, intervals: [30, 60, 300]},
	notification_config: {},
	environment: {},
	tags: [],
	agent_id: null,
	is_enabled: true,
	last_run_at: null,
	next_run_at: builtAt,
	created_at: builtAt,
	updated_at: builtAt,
	version: 1,
	...fields,
});

/** In its first session, with room for ten commands. */
export const buildAgent = (fields: Pick<AgentRecord, 'user_id'> & Partial<AgentRecord>): AgentRecord => ({
	id: buildId(),
	name: 'build-1',
	hostname: 'build-1.example.com',
	os: 'linux',
	arch: 'x64',
	version: '1.0.0',
	is_default: false,
	capacity: 10,
	last_seen_at: builtAt,
	created_at: builtAt,
	session_id: buildId(),
	is_draining: false,
	...fields,
});

/** Asked for by a person, due at once. */
export const buildNewExecution = (fields: Pick<NewExecution, 'job_id'> & Partial<NewExecution>): NewExecution => ({
	id: buildId(),
	triggered_by: 'manual',
	attempt: 1,
	retry_of: null,
	after_seconds: 0,
	start_within_seconds: 3600,
	...fields,
});

/** The tick at which the job is due, followed by one that no test reaches. */
export const buildFiring = ({
	job,
	execution = {},
	...fields
}: Readonly<{
	job: CronJobRecord;
	/** Null: none. */
	execution?: Partial<Firing['execution']> | null;
}> &
	Partial<Omit<Firing, 'execution'>>): Firing => {
	const from = job.next_run_at ?? builtAt;
	return {
		job_id: job.id,
		from,
		next_run_at: '2099-01-01T00:00:00.000Z',
		concurrency: job.concurrency,
		scheduled_for: from,
		execution: execution && {
			id: buildId(),
			missed_count: 0,
			start_deadline_at: '2099-01-01T00:00:00.000Z',
			...execution,
		},
		...fields,
	};
};

/** It succeeded, nobody is told, and nothing follows. */
export const buildEnding = ({
	result = {},
	...fields
}: Readonly<{result?: Partial<ExecutionEnding['result']>}> &
	Partial<Omit<ExecutionEnding, 'result'>> = {}): ExecutionEnding => ({
	result: {status: 'success', exit_code: 0, duration_ms: 1200, error: null, truncated: false, ...result},
	retry: null,
	tells: false,
	...fields,
});
