import type {ChainFired, ExecutionRecord, Fired, OutputChunk} from '@signalbox/core';
import {bytes, type Codecs, defineTable, flag, instant, nullable, number, text} from '../table.ts';

/** What it printed stands in `outputs`. */
export type ExecutionRow = Omit<ExecutionRecord, 'output'>;

/** How an execution is held and looked after. */
export type ExecutionState = Readonly<{
	/** Who has leased or started it, and of that lease. They stay when it ends, to tell its holder from others. */
	held_by: string | null;
	lease_token: string | null;
	/** Pending: when it may be leased, once it is due or its lease has run out. Null: never again. */
	available_at: string | null;
	/** Pending: its start deadline. Running: when its agent named it last. Null: it is over. */
	watched_at: string | null;
	/** Since when somebody should be told how it ended. */
	untold_since: string | null;
	kept_bytes: number;
	/** With what was dropped. */
	received_bytes: number;
}>;

type Planned = Pick<
	ExecutionRow,
	| 'id'
	| 'job_id'
	| 'job_name'
	| 'user_id'
	| 'team_id'
	| 'agent_id'
	| 'triggered_by'
	| 'attempt'
	| 'retry_of'
	| 'scheduled_for'
	| 'start_deadline_at'
	| 'missed_count'
>;

/** What a pending one is written with: the rest is null. */
type Pending = Pick<
	ExecutionRow & ExecutionState,
	keyof Planned | 'status' | 'due_at' | 'truncated' | 'available_at' | 'watched_at' | 'kept_bytes' | 'received_bytes'
>;

const pending: Codecs<Pending> = {
	id: text(),
	job_id: text(),
	job_name: text(),
	user_id: text(),
	team_id: text(),
	agent_id: nullable(text()),
	status: text(),
	triggered_by: text(),
	attempt: number,
	retry_of: nullable(text()),
	scheduled_for: instant,
	due_at: instant,
	start_deadline_at: instant,
	missed_count: number,
	truncated: flag,
	available_at: nullable(instant),
	watched_at: nullable(instant),
	kept_bytes: number,
	received_bytes: number,
};

export const newExecutions = defineTable<Pending>('cron_executions', pending);

export const executions = defineTable<ExecutionRow & ExecutionState>('cron_executions', {
	...pending,
	exit_code: nullable(number),
	duration_ms: nullable(number),
	error: nullable(text()),
	started_at: nullable(instant),
	completed_at: nullable(instant),
	held_by: nullable(text()),
	lease_token: nullable(text()),
	untold_since: nullable(instant),
});

/** One that waits for an agent. */
export const pendingExecution = (planned: Planned): ExecutionRow & ExecutionState => ({
	...planned,
	status: 'pending',
	due_at: planned.scheduled_for,
	exit_code: null,
	duration_ms: null,
	error: null,
	truncated: false,
	started_at: null,
	completed_at: null,
	held_by: null,
	lease_token: null,
	available_at: planned.scheduled_for,
	watched_at: planned.start_deadline_at,
	untold_since: null,
	kept_bytes: 0,
	received_bytes: 0,
});

/** What is true of every one that has ended. */
export const over = {available_at: null, watched_at: null} satisfies Partial<ExecutionState>;

export type Occurrence = Readonly<{
	/** Or a chain. */
	job_id: string;
	scheduled_for: string;
	user_id: string;
	outcome: Exclude<Fired['outcome'] | ChainFired, 'lost'>;
}>;

export const occurrences = defineTable<Occurrence>('cron_occurrences', {
	job_id: text(),
	scheduled_for: instant,
	user_id: text(),
	outcome: text(),
});

export type Output = Pick<OutputChunk, 'execution_id' | 'stream' | 'data'> &
	Readonly<{
		/** Bytes before it. */
		starts_at: number;
		ends_at: number;
	}>;

export const outputs = defineTable<Output>('cron_outputs', {
	execution_id: text(),
	starts_at: number,
	ends_at: number,
	stream: text(),
	data: bytes,
});
