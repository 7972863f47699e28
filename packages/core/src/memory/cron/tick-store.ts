import type {CronJobRecord} from '../../cron/model/job.ts';
import type {CronTickStore, DueJob, Fired, Firing} from '../../ports/index.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {by, copyOf, rowsWhere} from '../rows.ts';
import {addExecution, cancelExecution, isOpen} from './executions.ts';

type DatedJob = CronJobRecord & DueJob;

const isDated = (job: CronJobRecord): job is DatedJob => job.is_enabled && job.next_run_at !== null;

const place = ({next_run_at, id}: DueJob): string => `${next_run_at} ${id}`;

const dueJob = ({id, user_id, schedule_cron, timezone, concurrency, next_run_at}: DatedJob): DueJob =>
	copyOf({id, user_id, schedule_cron, timezone, concurrency, next_run_at});

const scheduledRuns = (db: MemoryDatabase, job_id: string) =>
	rowsWhere(db.executions, (row) => row.job_id === job_id && row.triggered_by === 'scheduled' && isOpen(row));

const occur = (
	db: MemoryDatabase,
	job: CronJobRecord,
	{execution, ...firing}: Firing,
): Exclude<Fired, {outcome: 'lost'}> => {
	if (execution === null) return {outcome: 'too_late'};
	const going = scheduledRuns(db, job.id);
	if (firing.concurrency === 'forbid' && going.length > 0) return {outcome: 'skipped'};
	const replaced = firing.concurrency === 'replace' ? going : [];
	for (const row of replaced) cancelExecution(db, row);
	const {scheduled_for} = firing;
	addExecution(db, job, {...execution, triggered_by: 'scheduled', scheduled_for, due_at: scheduled_for});
	return {outcome: 'fired', replaced: replaced.map(({id}) => id)};
};

const fire = (db: MemoryDatabase, firing: Firing): Fired => {
	const {job_id, from, next_run_at, scheduled_for} = firing;
	const job = db.cronJobs.get(job_id);
	if (!job?.is_enabled || job.next_run_at !== from) return {outcome: 'lost'};
	db.cronJobs.set(job_id, {...job, next_run_at});
	const key = compositeKey(job_id, scheduled_for);
	if (db.occurrences.has(key)) return {outcome: 'lost'};
	const fired = occur(db, job, firing);
	db.occurrences.set(key, {job_id, user_id: job.user_id, scheduled_for, outcome: fired.outcome});
	return fired;
};

export const createCronTickStore = (db: MemoryDatabase): CronTickStore => {
	const dated = () => [...db.cronJobs.values()].filter(isDated).sort(by('next_run_at', 'id'));
	return {
		now: async () => db.now(),
		due: async (limit, before) => {
			const now = before?.now ?? db.now();
			const follows = (job: DueJob) => before === undefined || place(before.last) < place(job);
			const due = dated().filter((job) => job.next_run_at <= now && follows(job));
			return {now, jobs: due.slice(0, limit).map(dueJob)};
		},
		fire: async (firings) => firings.map((firing) => fire(db, firing)),
		nextDue: async () => dated().at(0)?.next_run_at,
	};
};
