import type {AgentRecord} from '../../cron/model/agent.ts';
import type {ChainRecord} from '../../cron/model/chain.ts';
import type {ChainExecutionRecord} from '../../cron/model/chain-execution.ts';
import type {ExecutionRecord, StepLimits} from '../../cron/model/execution.ts';
import type {CronJobRecord} from '../../cron/model/job.ts';
import type {ChainFired, Fired} from '../../ports/index.ts';
import type {Instant} from '../../values/instant.ts';

/** How an execution is held: leased until it is started, and heard of from then on. */
export type HoldRow = Readonly<{agent_id: string; token: string; leased_until: Instant; heard_at: Instant}>;

export type ExecutionRow = Omit<ExecutionRecord, 'output'> &
	Readonly<{
		output: Uint8Array;
		/** Bytes that have come, those that were dropped too. */
		output_end: number;
		/** Stays when it ends, to tell its holder from others. Null: nobody leased it, or the lease was given back. */
		hold: HoldRow | null;
		/** Somebody is to be told how it ended. */
		tells: boolean;
	}>;

export type OccurrenceRow = Readonly<{
	/** Or a chain. */
	job_id: string;
	user_id: string;
	scheduled_for: Instant;
	outcome: Exclude<Fired['outcome'] | ChainFired, 'lost'>;
}>;

export type ChainExecutionRow = ChainExecutionRecord &
	Readonly<{
		/** Somebody is to be told how it ended. */
		tells: boolean;
	}>;

/** That an execution of a job is an attempt at a step. */
export type StepRunRow = StepLimits & Readonly<{execution_id: string; chain_execution_id: string; step_order: number}>;

/** The tables of cron, by id where nothing else is said. */
export type CronTables = Readonly<{
	cronJobs: Map<string, CronJobRecord>;
	/** By `compositeKey(job_id, scheduled_for)`. */
	occurrences: Map<string, OccurrenceRow>;
	executions: Map<string, ExecutionRow>;
	agents: Map<string, AgentRecord>;
	chains: Map<string, ChainRecord>;
	chainExecutions: Map<string, ChainExecutionRow>;
	/** By the id of the run. */
	stepRuns: Map<string, StepRunRow>;
}>;

export const createCronTables = (): CronTables => ({
	cronJobs: new Map(),
	occurrences: new Map(),
	executions: new Map(),
	agents: new Map(),
	chains: new Map(),
	chainExecutions: new Map(),
	stepRuns: new Map(),
});
