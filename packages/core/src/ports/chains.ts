import type {ChainRecord} from '../cron/model/chain.ts';
import type {ChainEffect, ChainExecutionRecord, NewChainExecution, StepRun} from '../cron/model/chain-execution.ts';
import type {ExecutionRecord} from '../cron/model/execution.ts';
import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Retention} from '../values/retention.ts';

/** What a deletion ended. */
export type DeletedChain = Readonly<{
	/** Executions that were running. They are gone with it. */
	executions: readonly ChainExecutionRecord[];
	/** Runs of theirs that were canceled. They stay, with their jobs. */
	runs: readonly ExecutionRecord[];
}>;

/** Chains of cron jobs. Their jobs and their endpoint may go: they stay. */
export type ChainStore = Readonly<{
	create(chain: ChainRecord): Promise<void>;
	get(user_id: string, id: string): Promise<ChainRecord | undefined>;
	/** All of them, newest first. */
	list(user_id: string): Promise<readonly ChainRecord[]>;
	/**
	 * Writes the record with all of its steps if its stored version still is `version`; the stored version becomes
	 * `version + 1`. Executions go on with the steps that they began with. @returns what is stored then.
	 */
	update(user_id: string, chain: ChainRecord, version: number): Promise<ChainRecord | undefined>;
	/** With its executions; what runs of them is canceled. */
	delete(user_id: string, id: string): Promise<DeletedChain | undefined>;
}>;

/** A chain of any tenant whose schedule is due. */
export type DueChain = Readonly<{
	id: string;
	user_id: string;
	schedule_cron: string;
	timezone: string;
	next_run_at: Instant;
}>;

/** The ticks of one chain that are past, as one. */
export type ChainFiring = Readonly<{
	chain_id: string;
	/** The chain's `next_run_at` until now: if it is another one by then, somebody else has fired. */
	from: Instant;
	/** Null: never again. */
	next_run_at: Instant | null;
	/** The newest of the ticks: the occurrence. */
	scheduled_for: Instant;
	/** Null: it is too late to start. */
	execution_id: string | null;
}>;

/**
 * What became of it: `skipped`, an execution of the chain is running; `lost`, somebody else fired it, or the chain was
 * changed, disabled or deleted.
 */
export type ChainFired = 'fired' | 'skipped' | 'too_late' | 'lost';

/** The ticks of all chains, judged by the store's clock. */
export type ChainTickStore = Readonly<{
	/** Those whose `next_run_at` has come, the longest due first, and the moment of the reading. */
	due(limit: number): Promise<Readonly<{now: Instant; chains: readonly DueChain[]}>>;
	/**
	 * Moves `next_run_at` on if it still is `from`, records the occurrence (unique by chain and `scheduled_for`), and creates
	 * the execution, triggered by `schedule`, unless one of the chain, however it was started, is running.
	 */
	fire(firing: ChainFiring): Promise<ChainFired>;
}>;

export type DueChainExecution = Readonly<{execution: ChainExecutionRecord; run: StepRun | null}>;

/** What an advance did with runs. */
export type Advanced = Readonly<{
	started: readonly ExecutionRecord[];
	canceled: readonly ExecutionRecord[];
}>;

/**
 * Runs of chains. One that is running is due at the deadline of its step, and at once when the step's run has ended, was
 * followed by another attempt, or is gone: whichever store method made it so has noted that in its own transaction, and
 * raised the version.
 */
export type ChainExecutionStore = Readonly<{
	/**
	 * Copies the chain as it is stored, with the names that its jobs have. Running, due at once, no step begun.
	 * @throws resource_not_found when the chain is not the user's, or gone.
	 */
	create(user_id: string, execution: NewChainExecution): Promise<ChainExecutionRecord>;
	/** Newest first by `started_at`, then id. Undefined when the chain is not the user's. */
	list(user_id: string, chain_id: string, page: PageRequest): Promise<Page<ChainExecutionRecord> | undefined>;
	get(user_id: string, id: string): Promise<ChainExecutionRecord | undefined>;
	/**
	 * Of any tenant, the longest due first, each with the last attempt of the step that runs (null: none is there), and the
	 * moment of the reading.
	 */
	due(limit: number): Promise<Readonly<{now: Instant; executions: readonly DueChainExecution[]}>>;
	/**
	 * Writes `next` if the stored version still is `next.version` and the execution is running; the stored version becomes one
	 * more. In the same transaction does its effects: a run that a step starts is created once, and when its job is gone
	 * it is not, and the execution is due at once.
	 * @returns undefined when somebody was first: nothing happened.
	 */
	advance(next: ChainExecutionRecord, effects: readonly ChainEffect[]): Promise<Advanced | undefined>;
	/** Of any tenant: those that ended and of which somebody is to be told, the oldest first. */
	untold(limit: number): Promise<readonly ChainExecutionRecord[]>;
	told(id: string): Promise<void>;
	/** Deletes up to `limit` that ended longer ago than the plan of their user keeps them. @returns how many went. */
	purge(retention: Retention, limit: number): Promise<number>;
}>;

/** What chains need of storage. */
export type ChainStores = Readonly<{
	chains: ChainStore;
	chainTicks: ChainTickStore;
	chainExecutions: ChainExecutionStore;
}>;
