import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import type {Approval} from './model/approval.ts';
import type {McpServerRecord} from './model/server.ts';

/** One `tools/call` that asks to pass. */
export type ToolCall = Readonly<{
	server: McpServerRecord;
	/** Undefined for an anonymous caller of the slug. */
	caller: Caller | undefined;
	tool_name: string;
	arguments: Readonly<Record<string, unknown>>;
	/** The raw bytes of `params.arguments` as they were sent. */
	arguments_bytes: Uint8Array;
	/** Aborts when the caller goes away: its pending approval is then detached, and nothing runs. */
	signal: AbortSignal;
}>;

export type Passage =
	/** Forward it now, once. */
	| Readonly<{outcome: 'pass'; approval_id: string | null; cost_cents: number; release(): Promise<void>}>
	/** A person said no, or nobody said anything in time. */
	| Readonly<{outcome: 'rejected' | 'expired'; approval: Approval}>
	/** The server changed, went inactive or went away while the call was held. */
	| Readonly<{outcome: 'changed'; approval: Approval}>
	/** Too many approvals pending, or the month's budget is spent. */
	| Readonly<{outcome: 'limited'; message: string; retry_after_seconds: number; approval_id: string | null}>
	/** The caller went away first. */
	| Readonly<{outcome: 'detached'; approval: Approval}>;

export type Admission =
	| Passage
	/** It waits for a person. `passage` settles when it is decided, expires, or the caller goes away. Never rejects for those. */
	| Readonly<{outcome: 'held'; approval: Approval; passage: Promise<Passage>}>;

/** Decides a tool call, holds it while a person must decide, and reserves its cost (decisions, "Holding a call"). */
export type ToolCallGate = Readonly<{admit(call: ToolCall): Promise<Admission>}>;

export const createToolCallGate = (
	_needs: Pick<Ports, 'approvals' | 'mcpServers' | 'spend' | 'signals' | 'clock' | 'ids' | 'secrets'>,
	_settings: CoreSettings,
): ToolCallGate => {
	throw new Error('not built');
};
