import type {AgentRecord} from '../cron/model/agent.ts';
import type {
	ExecutionRecord,
	ExecutionResult,
	ExecutionStatus,
	LeasedExecution,
	NewExecution,
	TriggeredBy,
} from '../cron/model/execution.ts';
import type {Concurrency, CronJobRecord} from '../cron/model/job.ts';
import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Retention} from '../values/retention.ts';

export type JobFilter = Readonly<{enabled?: boolean | undefined; tag?: string | undefined}>;

export type UpcomingRun = Readonly<{job_id: string; name: string; next_run_at: Instant}>;

/** Cron jobs. */
export type CronJobStore = Readonly<{
	/**
	 * @throws plan_limit_reached when the user already has `limit` jobs (null: no limit), also under parallel calls;
	 * resource_not_found when its agent is gone. Its team may go: the job is the user's, and stays.
	 */
	create(job: CronJobRecord, limit: number | null): Promise<void>;
	get(user_id: string, id: string): Promise<CronJobRecord | undefined>;
	/** Newest first. */
	list(user_id: string, filter: JobFilter, page: PageRequest): Promise<Page<CronJobRecord>>;
	/**
	 * Writes the record, but for `last_run_at`, if its stored version still is `version`; the stored version becomes
	 * `version + 1`. Runs that are pending go on with what is written, its agent too. @returns what is stored then.
	 * @throws resource_not_found when its agent is gone.
	 */
	update(user_id: string, job: CronJobRecord, version: number): Promise<CronJobRecord | undefined>;
	/** With its occurrences and executions; what an agent runs of it loses its lease. */
	delete(user_id: string, id: string): Promise<boolean>;
	/** Enabled jobs by `next_run_at`, then id. */
	upcoming(user_id: string, page: PageRequest): Promise<Page<UpcomingRun>>;
}>;

/** A job of any tenant whose next run is due. */
export type DueJob = Pick<CronJobRecord, 'id' | 'user_id' | 'schedule_cron' | 'timezone' | 'concurrency'> &
	Readonly<{next_run_at: Instant}>;

/** The ticks of one job that are past, as one. */
export type Firing = Readonly<{
	job_id: string;
	/** The job's `next_run_at` until now: if it is another one by then, somebody else has fired. */
	from: Instant;
	/** Null: never again. */
	next_run_at: Instant | null;
	concurrency: Concurrency;
	/** The newest of the ticks: the occurrence. */
	scheduled_for: Instant;
	/** Null: it is too late to run any of them. */
	execution: Readonly<{id: string; missed_count: number; start_deadline_at: Instant}> | null;
}>;

export type Fired =
	/** `replaced`: runs that were canceled for it. */
	| Readonly<{outcome: 'fired'; replaced: readonly string[]}>
	/** A scheduled run of the job is not over: nothing was created. */
	| Readonly<{outcome: 'skipped'}>
	| Readonly<{outcome: 'too_late'}>
	/** Somebody else fired it, or the job was changed, disabled or deleted: nothing was created. */
	| Readonly<{outcome: 'lost'}>;

/** The ticks of all jobs, judged by the store's clock. */
export type CronTickStore = Readonly<{
	/** The store's clock. */
	now(): Promise<Instant>;
	/**
	 * Enabled jobs whose `next_run_at` has come, the longest due first, then by id, and the moment of the reading. `before`: what
	 * was read before; only those that come after it, which may have been fired meanwhile, and were due at its moment.
	 */
	due(
		limit: number,
		before?: Readonly<{now: Instant; last: DueJob}>,
	): Promise<Readonly<{now: Instant; jobs: readonly DueJob[]}>>;
	/**
	 * Each firing by itself, all in one transaction, which those of parallel calls may share: moves `next_run_at` on if it still is `from`, records the occurrence
	 * (unique by job and `scheduled_for`), and creates the pending execution, triggered by `scheduled`, unless one that was
	 * triggered so is pending or running and `concurrency` is `forbid`. Under `replace` those are canceled first.
	 */
	fire(firings: readonly Firing[]): Promise<readonly Fired[]>;
	/** The earliest `next_run_at` of an enabled job, past or to come. */
	nextDue(): Promise<Instant | undefined>;
}>;

export type ExecutionFilter = Readonly<{
	job_id?: string | undefined;
	status?: ExecutionStatus | undefined;
	triggered_by?: TriggeredBy | undefined;
	/** Of `scheduled_for`. Inclusive. */
	from?: string | undefined;
	/** Exclusive. */
	to?: string | undefined;
}>;

/** Runs of jobs. */
export type ExecutionStore = Readonly<{
	/** @throws resource_not_found when the job is not the user's, or gone. */
	create(user_id: string, execution: NewExecution): Promise<ExecutionRecord>;
	/** Newest first by `scheduled_for`, then id. Of each output the last `output_bytes`, beginning with a whole character. */
	list(
		user_id: string,
		filter: ExecutionFilter,
		page: PageRequest & Readonly<{output_bytes: number}>,
	): Promise<Page<ExecutionRecord>>;
	/** With the whole output that was kept. */
	get(user_id: string, id: string): Promise<ExecutionRecord | undefined>;
	/** Pending or running becomes `canceled`; `final`: it had ended before, and is unchanged. */
	cancel(
		user_id: string,
		id: string,
	): Promise<Readonly<{outcome: 'canceled' | 'final'; execution: ExecutionRecord}> | undefined>;
	/** Of any tenant: those that ended and of which nobody was told yet that should be, the oldest first. Without output. */
	untold(limit: number): Promise<readonly ExecutionRecord[]>;
	/** Whoever should be told was told. */
	told(id: string): Promise<void>;
	/**
	 * Deletes up to `limit` that ended longer ago than the plan of their user keeps them, and up to `limit` occurrences that
	 * were due longer ago. For upkeep only. @returns how many went, of both.
	 */
	purge(retention: Retention, limit: number): Promise<number>;
}>;

export type ExecutionLeaseRequest = Readonly<{
	user_id: string;
	agent_id: string;
	session_id: string;
	/** One for each execution that may be leased, unguessable. */
	tokens: readonly string[];
	lease_seconds: number;
}>;

/** What proves that an agent holds an execution. */
export type ExecutionHold = Readonly<{execution_id: string; lease_token: string}>;

export type ExecutionEnding = Readonly<{
	result: ExecutionResult;
	/** Created in the same transaction. */
	retry: NewExecution | null;
	/** True when somebody is to be told: see `untold`. */
	tells: boolean;
}>;

export type OutputChunk = ExecutionHold &
	Readonly<{
		stream: 'stdout' | 'stderr';
		/** Bytes of both streams before it. */
		offset: number;
		data: Uint8Array;
	}>;

/** A run that ends without its agent: never leased by its deadline, or started and its agent silent since. */
export type OverdueExecution = Readonly<{execution: ExecutionRecord; cause: 'agent_offline' | 'agent_lost'}>;

/** Executions as agents hold them. Whether a lease or a deadline has run out is judged by the store's clock. */
export type ExecutionLeaseStore = Readonly<{
	/**
	 * Leases pending executions that are due and for this agent (or for the default one, if it is that), the longest due
	 * first, within what its capacity leaves, and no two callers the same. A lease that ran out before `start` is free
	 * again; one whose `start_deadline_at` has passed is not leased. Empty when the session is not the agent's last one, or it is draining.
	 */
	lease(request: ExecutionLeaseRequest): Promise<readonly LeasedExecution[]>;
	/**
	 * The barrier: true, the command may start. Pending becomes running, and the job's `last_run_at` is now. Asked again by
	 * the holder of a running one it says true again; false when the lease is somebody else's or the run has ended. A lease
	 * that ran out still counts while nobody else took it.
	 */
	start(user_id: string, hold: ExecutionHold): Promise<boolean>;
	/**
	 * Adds what a running command printed. What is there already is not added twice, and nothing behind a gap. At most `most_bytes` are kept, the rest is
	 * dropped and `truncated` set. @returns the offset up to which everything is there; undefined: not held any more.
	 */
	append(user_id: string, chunk: OutputChunk, most_bytes: number): Promise<number | undefined>;
	/**
	 * A running one, or a leased pending one that cannot start, ends; false when it is not held, or had ended. Asked again with what
	 * it was given the first time, it says true again.
	 */
	finish(user_id: string, hold: ExecutionHold, ending: ExecutionEnding): Promise<boolean>;
	/**
	 * Of any tenant, the longest overdue first, without output. Pending ones past `start_deadline_at` that nobody holds; running
	 * ones that no heartbeat of their agent has named for `lost_seconds`, counted from their start.
	 */
	overdue(lost_seconds: number, limit: number): Promise<readonly OverdueExecution[]>;
	/** Ends one that still is overdue. @returns whether it did. */
	giveUp(overdue: OverdueExecution, lost_seconds: number, ending: ExecutionEnding): Promise<boolean>;
}>;

/** `running` counts what the agent has started; the status is judged by the store's clock. */
export type AgentState = Readonly<{agent: AgentRecord; running: number; seconds_silent: number}>;

export type Heartbeat = Readonly<{
	user_id: string;
	agent_id: string;
	session_id: string;
	is_draining: boolean;
	running: readonly ExecutionHold[];
	lease_seconds: number;
}>;

/** Agents. */
export type AgentStore = Readonly<{
	/**
	 * A new agent, or, when the id is one of the user's, its new registration: then name, `is_default` and `created_at`
	 * stay, and what its last session leased and did not start is free at once. The user's first one is the default, also
	 * under parallel calls. `last_seen_at` is the store's now.
	 * @throws resource_exists when the id is another user's; conflict for a new one when the user has `most` already, also
	 * under parallel calls.
	 */
	register(agent: AgentRecord, most: number): Promise<AgentState>;
	/** Oldest first. */
	list(user_id: string): Promise<readonly AgentState[]>;
	get(user_id: string, id: string): Promise<AgentState | undefined>;
	/** `is_default` true takes it from the one before; false is refused by the service. */
	update(
		user_id: string,
		id: string,
		change: Readonly<{name?: string | undefined; is_default?: true | undefined}>,
	): Promise<AgentState | undefined>;
	/**
	 * Its jobs and pending runs are the default agent's then, leased ones are free at once; what it runs is lost in time. If
	 * it was the default one, the oldest of the others becomes it.
	 */
	delete(user_id: string, id: string): Promise<boolean>;
	/**
	 * Notes that the agent is alive and renews the leases of what it names and holds. Of what it names, answers what it no
	 * longer may run: `canceled` by somebody, or `lost` to it, also when it has ended or is gone. Undefined when the session is not its last one.
	 */
	heartbeat(
		heartbeat: Heartbeat,
	): Promise<Readonly<{canceled: readonly string[]; lost: readonly string[]}> | undefined>;
	/** The agent ends: it has no session, and leases that were not started are free at once. What it runs is lost in time. */
	leave(user_id: string, agent_id: string, session_id: string): Promise<void>;
}>;

/** What cron needs of storage. */
export type CronStores = Readonly<{
	cronJobs: CronJobStore;
	cronTicks: CronTickStore;
	executions: ExecutionStore;
	executionLeases: ExecutionLeaseStore;
	agents: AgentStore;
}>;
