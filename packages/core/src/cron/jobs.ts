import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import {checkedPage} from '../list-request.ts';
import type {JobFilter, Ports, UpcomingRun} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {ReadSettings} from '../values/read-settings.ts';
import {announceRun} from './announce-run.ts';
import type {Execution} from './model/execution.ts';
import type {CronJob, CronJobRecord} from './model/job.ts';
import type {JobSettings} from './model/job-settings.ts';
import {describeSchedule} from './rules/describe-schedule.ts';
import {startWithin} from './rules/execution-ending.ts';
import {executionViewOf} from './rules/execution-view.ts';
import {
	auditedJobChange,
	defaultJobFields,
	isRescheduled,
	type JobFields,
	readJobSettings,
	readSchedule,
} from './rules/job-settings.ts';
import {jobViewOf} from './rules/job-view.ts';
import {nextRun, nextRuns} from './rules/next-run.ts';
import {nextRunAfterChange} from './rules/next-run-after-change.ts';

type ScheduleQuestion = Readonly<{
	schedule: string;
	timezone?: string | undefined;
	/** How many runs to name. */
	count?: number | undefined;
}>;

/** What a schedule means. */
export type ExplainedSchedule = Readonly<{
	schedule_cron: string;
	/** In words. */
	description: string;
	/** The next five, or as many as were asked for or there are. */
	next_runs: readonly Instant[];
}>;

/** What a text means that somebody still writes, or why it is no schedule yet. */
export type CheckedSchedule = Readonly<{problem: string; meaning: null} | {problem: null; meaning: ExplainedSchedule}>;

/** Cron jobs of the caller. Their templates see the variables of the team that was active when they were made. */
export type CronJobs = Readonly<{
	/** @throws plan_limit_reached, validation_error. */
	create(
		caller: Caller,
		request: JobSettings & Readonly<{name: string; schedule: string; command: string}>,
	): Promise<CronJob>;
	/** Newest first. */
	list(caller: Caller, filter: JobFilter, page: PageRequest): Promise<Page<CronJob>>;
	/** The next run of each enabled job, soonest first; `limit` 1 to 1,000. */
	upcoming(caller: Caller, page: PageRequest): Promise<Page<UpcomingRun>>;
	get(caller: Caller, id: string): Promise<CronJob>;
	update(caller: Caller, id: string, request: JobSettings): Promise<CronJob>;
	/** With its executions; what runs of it is killed. */
	delete(caller: Caller, id: string): Promise<void>;
	enable(caller: Caller, id: string): Promise<CronJob>;
	disable(caller: Caller, id: string): Promise<CronJob>;
	/** Runs it now, enabled or not, and whatever runs of it already. */
	run(caller: Caller, id: string): Promise<Execution>;
	/** @throws validation_error with the reason. */
	explain(request: ScheduleQuestion): Promise<ExplainedSchedule>;
	/** The same, for a text that need not be one yet. @throws validation_error when there is no such time zone. */
	check(request: ScheduleQuestion): Promise<CheckedSchedule>;
}>;

type Needs = Pick<Ports, 'audit' | 'signals' | 'clock' | 'ids' | 'cronJobs' | 'cronTicks' | 'executions' | 'agents'>;

const shownRuns = 5;

const mostUpcoming = 1000;

export const createCronJobs = (needs: Needs, settings: CoreSettings): CronJobs => {
	const {cronJobs} = needs;
	const record = createAuditTrail(needs);
	const find = createFind(needs);
	const explain = createExplain(needs);
	const viewOf = createViewOf(needs);
	const update = createUpdate(needs);
	return {
		create: async (caller, request) => {
			const job = await newJob(needs, caller, orRefuse(readJobSettings(request, ['name', 'schedule', 'command'])));
			await cronJobs.create(job, planOf(settings, caller.plan).cron_jobs);
			const {id: target_id, name, schedule} = job;
			await record(caller, {action: 'cron_job.created', target_id, data: {name, schedule}});
			return viewOf(job);
		},
		list: async (caller, filter, page) => {
			const {data, ...bounds} = await cronJobs.list(caller.user_id, filter, checkedPage(page));
			return {...bounds, data: await viewsOf(needs, caller, data)};
		},
		upcoming: async ({user_id}, page) => cronJobs.upcoming(user_id, checkedPage(page, mostUpcoming)),
		get: async (caller, id) => viewOf(await find(caller, id)),
		update: async (caller, id, request) => update(caller, id, orRefuse(readJobSettings(request))),
		enable: (caller, id) => update(caller, id, {is_enabled: true}),
		disable: (caller, id) => update(caller, id, {is_enabled: false}),
		delete: async (caller, id) => {
			const {name} = await find(caller, id);
			if (!(await cronJobs.delete(caller.user_id, id))) throw new DomainError('resource_not_found');
			// A chain may have waited for a run of it.
			needs.signals.publish({type: 'chain.execution.due'});
			await record(caller, {action: 'cron_job.deleted', target_id: id, data: {name}});
		},
		run: createRun(needs),
		explain,
		check: async (question) => {
			orRefuse(readSchedule({timezone: question.timezone}));
			const read = readSchedule({schedule: question.schedule});
			return read.ok
				? {problem: null, meaning: await explain(question)}
				: {problem: read.details.map(({message}) => message).join(' '), meaning: null};
		},
	};
};

const createExplain =
	({cronTicks}: Needs): CronJobs['explain'] =>
	async ({schedule, timezone = defaultJobFields.timezone, count = shownRuns}) => {
		const {schedule_cron = ''} = orRefuse(readSchedule({schedule, timezone}));
		const next_runs = nextRuns({schedule_cron, timezone}, await cronTicks.now(), count);
		return {schedule_cron, description: describeSchedule(schedule_cron), next_runs};
	};

const createFind =
	({cronJobs}: Needs) =>
	async ({user_id}: Caller, id: string): Promise<CronJobRecord> => {
		const job = await cronJobs.get(user_id, id);
		if (job === undefined) throw new DomainError('resource_not_found');
		return job;
	};

const viewsOf = async (
	{agents}: Needs,
	{user_id}: Pick<Caller, 'user_id'>,
	jobs: readonly CronJobRecord[],
): Promise<readonly CronJob[]> => {
	const known = (await agents.list(user_id)).map(({agent}) => agent);
	return jobs.map((job) => jobViewOf(job, known));
};

const createViewOf =
	({agents}: Needs) =>
	async (job: CronJobRecord): Promise<CronJob> =>
		jobViewOf(
			job,
			(await agents.list(job.user_id)).map(({agent}) => agent),
		);

const orRefuse = <T>(read: ReadSettings<T>): T => {
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

const requireAgent = async ({agents}: Needs, {user_id}: Caller, agent_id: string | null | undefined): Promise<void> => {
	if (typeof agent_id === 'string' && (await agents.get(user_id, agent_id)) === undefined)
		throw invalidField('agent_id', 'is not one of your agents');
};

const nextRunOf = async ({cronTicks}: Needs, job: JobFields): Promise<Instant | null> =>
	job.is_enabled ? nextRun(job, await cronTicks.now()) : null;

const newJob = async (needs: Needs, caller: Caller, request: Partial<JobFields>): Promise<CronJobRecord> => {
	await requireAgent(needs, caller, request.agent_id);
	const fields = {...defaultJobFields, name: '', schedule: '', schedule_cron: '', command: '', ...request};
	const now = needs.clock.now();
	return {
		...fields,
		id: needs.ids.next(),
		user_id: caller.user_id,
		team_id: caller.team_id,
		last_run_at: null,
		next_run_at: await nextRunOf(needs, fields),
		created_at: now,
		updated_at: now,
		version: 1,
	};
};

/** Who is no longer of the job's team, or whose team is gone, goes on with the active one. */
const teamAfter = ({team_ids, team_id}: Caller, job: CronJobRecord): string =>
	team_ids.includes(job.team_id) ? job.team_id : team_id;

/** Writes what the request makes of the job; when somebody else was faster, once more from what they left. */
const createUpdate = (needs: Needs) => {
	const find = createFind(needs);
	const record = createAuditTrail(needs);
	const viewOf = createViewOf(needs);
	return async (caller: Caller, id: string, request: Partial<JobFields>): Promise<CronJob> => {
		for (let attempt = 0; attempt < 5; attempt += 1) {
			const before = await find(caller, id);
			await requireAgent(needs, caller, request.agent_id);
			const wanted = {...before, ...request, team_id: teamAfter(caller, before), updated_at: needs.clock.now()};
			const planned = await nextRunOf(needs, wanted);
			const next_run_at = nextRunAfterChange(isRescheduled(before, wanted), before.next_run_at, planned);
			const after = await needs.cronJobs.update(caller.user_id, {...wanted, next_run_at}, before.version);
			if (after === undefined) continue;
			await record(caller, {action: 'cron_job.updated', target_id: id, data: auditedJobChange(before, after)});
			return viewOf(after);
		}
		throw new DomainError('conflict', {message: 'The job is being changed by others: try again.'});
	};
};

const createRun = (needs: Needs): CronJobs['run'] => {
	const record = createAuditTrail(needs);
	return async (caller, job_id) => {
		const execution = await needs.executions.create(caller.user_id, {
			...{id: needs.ids.next(), job_id, triggered_by: 'manual', attempt: 1, retry_of: null},
			...{after_seconds: 0, start_within_seconds: startWithin},
		});
		announceRun(needs, execution);
		await record(caller, {action: 'cron_job.run', target_id: job_id, data: {execution_id: execution.id}});
		return executionViewOf(execution);
	};
};
