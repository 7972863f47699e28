import type {CronJobRecord} from '../../cron/model/job.ts';
import {DomainError} from '../../errors.ts';
import type {CronJobStore, JobFilter} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, newestFirst, pageOf, rowsWhere, updateWhere} from '../rows.ts';
import {deleteJob} from './cascades.ts';

const requireAgent = (db: MemoryDatabase, {agent_id, user_id}: CronJobRecord): void => {
	if (agent_id !== null && db.agents.get(agent_id)?.user_id !== user_id) throw new DomainError('resource_not_found');
};

const createJob = (db: MemoryDatabase, job: CronJobRecord, limit: number | null): void => {
	if (!db.users.has(job.user_id)) throw new DomainError('resource_not_found');
	requireAgent(db, job);
	const owned = rowsWhere(db.cronJobs, ({user_id}) => user_id === job.user_id).length;
	if (limit !== null && owned >= limit) throw new DomainError('plan_limit_reached');
	db.cronJobs.set(job.id, copyOf(job));
};

const writeJob = (db: MemoryDatabase, before: CronJobRecord, job: CronJobRecord): CronJobRecord => {
	requireAgent(db, job);
	const changed = copyOf({...job, last_run_at: before.last_run_at, version: before.version + 1});
	db.cronJobs.set(job.id, changed);
	const {name: job_name, agent_id, team_id} = changed;
	updateWhere(
		db.executions,
		(row) => row.job_id === job.id && row.status === 'pending',
		(row) => ({...row, job_name, agent_id, team_id}),
	);
	return copyOf(changed);
};

const matches = (job: CronJobRecord, {enabled, tag}: JobFilter): boolean =>
	(enabled === undefined || job.is_enabled === enabled) && (tag === undefined || job.tags.includes(tag));

export const createCronJobStore = (db: MemoryDatabase): CronJobStore => {
	const find = (user_id: string, id: string) => {
		const job = db.cronJobs.get(id);
		return job?.user_id === user_id ? job : undefined;
	};
	const select = (user_id: string, filter: JobFilter) =>
		rowsWhere(db.cronJobs, (job) => job.user_id === user_id && matches(job, filter));
	return {
		create: async (job, limit) => createJob(db, job, limit),
		get: async (user_id, id) => copyOf(find(user_id, id)),
		list: async (user_id, filter, page) => pageOf(select(user_id, filter).sort(newestFirst), page),
		update: async (user_id, job, version) => {
			const before = find(user_id, job.id);
			return before?.version === version ? writeJob(db, before, job) : undefined;
		},
		delete: async (user_id, id) => find(user_id, id) !== undefined && deleteJob(db, id),
		upcoming: async (user_id, page) => {
			const upcoming = select(user_id, {enabled: true}).flatMap(({id: job_id, name, next_run_at}) =>
				next_run_at === null ? [] : [{job_id, name, next_run_at}],
			);
			return pageOf(upcoming.sort(by('next_run_at', 'job_id')), page);
		},
	};
};
