import type {ExecutionRecord, NewExecution} from '../../cron/model/execution.ts';
import type {CronJobRecord} from '../../cron/model/job.ts';
import {DomainError} from '../../errors.ts';
import type {ExecutionEnding} from '../../ports/index.ts';
import {decodeText, lastText} from '../../values/bytes-text.ts';
import {millisecondsBetween, plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf} from '../rows.ts';
import {noteRunChanged} from './step-runs.ts';
import type {ExecutionRow} from './tables.ts';

export const isOpen = ({status}: Pick<ExecutionRow, 'status'>): boolean => status === 'pending' || status === 'running';

/** As the port answers it, with the last `output_bytes` of its output, or all of it. */
export const recordOf = (row: ExecutionRow, output_bytes = Number.POSITIVE_INFINITY): ExecutionRecord => {
	const {output, output_end: _, hold: __, tells: ___, ...record} = row;
	const text = output.length > output_bytes ? lastText(output, output_bytes) : decodeText(output);
	return copyOf({...record, output: text});
};

const unstarted = {
	status: 'pending',
	exit_code: null,
	duration_ms: null,
	output: new Uint8Array(),
	output_end: 0,
	error: null,
	started_at: null,
	completed_at: null,
	missed_count: 0,
	truncated: false,
	hold: null,
	tells: false,
} as const;

type Planned = Pick<ExecutionRow, 'id' | 'triggered_by' | 'scheduled_for' | 'due_at' | 'start_deadline_at'> &
	Partial<Pick<ExecutionRow, 'attempt' | 'retry_of' | 'missed_count'>>;

/** Writes a pending execution of the job. */
export const addExecution = (db: MemoryDatabase, job: CronJobRecord, planned: Planned): ExecutionRow => {
	const {id: job_id, name: job_name, user_id, team_id, agent_id} = job;
	const row = {...unstarted, attempt: 1, retry_of: null, ...planned, job_id, job_name, user_id, team_id, agent_id};
	db.executions.set(row.id, row);
	return row;
};

/** The same for one that is due in some seconds. @throws resource_not_found without its job. */
export const addDueExecution = (db: MemoryDatabase, user_id: string, execution: NewExecution): ExecutionRow => {
	const {job_id, after_seconds, start_within_seconds, ...planned} = execution;
	const job = db.cronJobs.get(job_id);
	if (job?.user_id !== user_id) throw new DomainError('resource_not_found');
	const due_at = plusSeconds(db.now(), after_seconds);
	const start_deadline_at = plusSeconds(due_at, start_within_seconds);
	return addExecution(db, job, {...planned, scheduled_for: due_at, due_at, start_deadline_at});
};

export const cancelExecution = (db: MemoryDatabase, row: ExecutionRow): ExecutionRow => {
	const completed_at = db.now();
	const duration_ms = row.started_at === null ? null : millisecondsBetween(row.started_at, completed_at);
	const canceled: ExecutionRow = {...row, status: 'canceled', completed_at, duration_ms};
	db.executions.set(row.id, canceled);
	noteRunChanged(db, row.id);
	return canceled;
};

export const endExecution = (db: MemoryDatabase, row: ExecutionRow, {result, retry, tells}: ExecutionEnding): void => {
	const truncated = row.truncated || result.truncated;
	db.executions.set(row.id, {...row, ...result, truncated, tells, completed_at: db.now()});
	if (retry !== null) {
		addDueExecution(db, row.user_id, retry);
		const step = db.stepRuns.get(row.id);
		if (step !== undefined) db.stepRuns.set(retry.id, {...step, execution_id: retry.id});
	}
	noteRunChanged(db, row.id);
};
