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
	/** Size of the whole message, in bytes. Default: that of the arguments. */
	message_bytes?: number;
	/** Aborts when the caller goes away: its pending approval is then detached, and nothing runs. */
	signal: AbortSignal;
	/** Asked once a person said yes: false when this caller may not call the server, as it is then, any more. Default: true. */
	mayStillCall?(server: McpServerRecord): Promise<boolean>;
}>;

export type Passage =
	/** Forward it now, once, and log it. */
	| Readonly<{
			outcome: 'pass';
			/** The log entry of a call that an approval let run has this very id: so there is one outcome, never two. */
			approval_id: string | null;
			cost_cents: number;
			/** Where a call that was held must go: what was approved. Without it, wherever the server leads. */
			target?: ResolvedTarget;
			/** Takes the cost back, for a call that never left; once is enough. */
			release(): Promise<void>;
			/** The outcome is logged; once is enough. What its process never got to log is logged as of unknown outcome. */
			done(): void;
	  }>
	/** A person said no, or nobody said anything in time. */
	| Readonly<{outcome: 'rejected' | 'expired'; approval: Approval}>
	/** The server changed in effect, went inactive or went away while the call was held, or its approval is used up. */
	| Readonly<{outcome: 'changed'; approval: Approval}>
	/** The caller lost the right to call the server while the call was held. */
	| Readonly<{outcome: 'revoked'; approval: Approval}>
	/** Too many approvals pending, or the month's budget is spent. Until it expires, a granted approval stays usable by an identical call. */
	| Readonly<{outcome: 'limited'; message: string; retry_after_seconds: number; approval_id: string | null}>
	/** The caller went away first. */
	| Readonly<{outcome: 'detached'; approval: Approval}>;

export type Admission =
	| Passage
	/** It waits for a person. `passage` settles when it is decided, expires, or the caller goes away. Never rejects for those. */
	| Readonly<{outcome: 'held'; approval: Approval; passage: Promise<Passage>}>;
