import type {Caller} from '../../values/caller.ts';
import type {Approval} from './approval.ts';
import type {McpServerRecord} from './server.ts';
import type {ResolvedTarget} from './target.ts';

/** One `tools/call` that asks to pass. */
export type ToolCall = Readonly<{
	server: McpServerRecord;
	/** Undefined for an anonymous caller of the slug. */
	caller: Caller | undefined;
	tool_name: string;
	arguments: Readonly<Record<string, unknown>>;
	/** The raw bytes of `params.arguments` as they were sent. */
	arguments_bytes: Uint8Array;
	/** `params.requestState` as it was sent. */
	request_state?: unknown;
	/** True for a client that can be told to come back: one request of it at a time waits for an approval. Default false. */
	in_rounds?: boolean;
	/** Size of the whole message, in bytes. Default: that of the arguments. */
	message_bytes?: number;
	/** Aborts when the caller goes away: its pending approval is then detached, and nothing runs. */
	signal: AbortSignal;
	/** Asked once a person said yes: false when this caller may not call the server, as it is then, any more. Default: true. */
	mayStillCall?(server: McpServerRecord): Promise<boolean>;
}>;

/**
 * An approved call may take several rounds (MCP 2026-07-28, multi round-trip requests). The client only ever gets states
 * of ours, which let exactly the next round of this very call through.
 */
export type Rounds = Readonly<{
	/** 1 for the call that the approval lets run, 2 for the round after it, and so on. */
	run: number;
	/** Set when the request brought a state of ours: what the upstream gets in its place, undefined for none. */
	brought: Readonly<{upstream_state: string | undefined}> | undefined;
	/** What the client gets in place of the state that the upstream gives it, or when it gives none. */
	seal(upstream_state: string | undefined): string;
}>;

export type Passage =
	/** Forward it now, once, and log it. */
	| Readonly<{
			outcome: 'pass';
			/**
			 * The log entry of a call that an approval let run has this very id: so there is one outcome, never two. Those of
			 * its later rounds have ids of their own.
			 */
			approval_id: string | null;
			cost_cents: number;
			/** Where a call that was held must go: what was approved. Without it, wherever the server leads. */
			target?: ResolvedTarget;
			/** For a call that a person approved: how it goes on, should it take several rounds. */
			rounds?: Rounds;
			/** Takes the cost back, for a call that never left; once is enough. */
			release(): Promise<void>;
			/** The outcome is logged; once is enough. What its process never got to log is logged as of unknown outcome. */
			done(): void;
	  }>
	/** A person said no, or nobody said anything in time. */
	| Readonly<{outcome: 'rejected' | 'expired'; approval: Approval}>
	/** The server changed in effect, went inactive or went away while the call was held. */
	| Readonly<{outcome: 'changed'; approval: Approval}>
	/** The approval let the call through already, or its time was over when the caller came back. */
	| Readonly<{outcome: 'spent'; approval: Approval}>
	/** The caller lost the right to call the server while the call was held. */
	| Readonly<{outcome: 'revoked'; approval: Approval}>
	/** Too many approvals pending, or the month's budget is spent. Until it expires, a granted approval stays usable by an identical call. */
	| Readonly<{outcome: 'limited'; message: string; retry_after_seconds: number; approval_id: string | null}>
	/** The caller went away first. */
	| Readonly<{outcome: 'detached'; approval: Approval}>
	/** The round ended first: a caller that comes back with this state waits on. */
	| Readonly<{outcome: 'paused'; approval: Approval; request_state: string}>
	/** The call brought a `requestState` that is none of ours for it, or that was used already. */
	| Readonly<{outcome: 'refused'; message: string}>;

export type Admission =
	| Passage
	/** It waits for a person. `passage` settles when it is decided, expires, or the caller goes away. Never rejects for those. */
	| Readonly<{
			outcome: 'held';
			approval: Approval;
			passage: Promise<Passage>;
			/** Ends the round: `passage` settles as paused, unless it is decided. */
			pause(): void;
	  }>;
