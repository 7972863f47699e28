import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {holdsLongNumber} from '../values/parse-json.ts';
import {type Attendance, attendedSeconds} from './attendance.ts';
import {createBudget} from './budget.ts';
import {approvedCalls, type HeldCall, ownerOf} from './held-call.ts';
import {createHold} from './hold.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {Admission, Passage, ToolCall} from './model/passage.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ResolvedTarget} from './model/target.ts';
import {createRequestStates} from './request-states.ts';
import {createResume, refusedState} from './rounds.ts';
import {type ApprovalPolicy, compileApprovalPolicy} from './rules/decide-tool-call.ts';
import {tellOfApproval} from './tell-of-approval.ts';

/** Decides a tool call, holds it while a person must decide, and reserves its cost (decisions, "Holding a call"). */
export type ToolCallGate = Readonly<{
	/**
	 * @throws resource_not_found when the server went away meanwhile; payload_too_large for a message of more than
	 * `max_held_bytes` that a person must approve.
	 */
	admit(call: ToolCall): Promise<Admission>;
	/** True when `admit` would let the call pass without asking anybody, at no cost: then it need not be called. */
	isFree(call: Pick<ToolCall, 'server' | 'tool_name' | 'request_state'>): boolean;
}>;

export type GatePorts = Pick<
	Ports,
	| 'approvals'
	| 'attendance'
	| 'mcpServers'
	| 'spend'
	| 'teams'
	| 'notifications'
	| 'signals'
	| 'clock'
	| 'ids'
	| 'secrets'
> &
	Readonly<{attend: Attendance['begin']}>;

type GateNeeds = GatePorts & Readonly<{targetOf: (server: McpServerRecord) => Promise<ResolvedTarget>}>;

export const createToolCallGate = (needs: GateNeeds, settings: CoreSettings): ToolCallGate => {
	const policyOf = createPolicyCache();
	const budget = createBudget(needs);
	const states = createRequestStates(needs.secrets);
	const release = {budget, policyOf, targetOf: needs.targetOf, states};
	const hold = createHold(needs, release);
	const resume = createResume(needs, {...release, hold});
	const bound = async (call: ToolCall): Promise<HeldCall> => ({...call, target: await needs.targetOf(call.server)});
	const ask = async (call: ToolCall): Promise<Admission> => {
		refuseOversized(call, settings.max_held_bytes);
		const held = await bound(call);
		const approval = await approvalFor(needs, held, settings.max_pending_approvals);
		if (!approval) return tooManyPending(call);
		return hold.wait({...held, turn: hold.takeTurn(held, approval.id)}, approval);
	};
	const isAllowed = ({server, tool_name}: Pick<ToolCall, 'server' | 'tool_name'>): boolean =>
		policyOf(server)(tool_name).action === 'allow';
	return {
		isFree: (call) => call.request_state === undefined && call.server.default_cost_cents === 0 && isAllowed(call),
		admit: async (call) => {
			const state = states.read(() => ownerOf(needs, call), call.request_state);
			if (state?.run === 0) refuseOversized(call, settings.max_held_bytes);
			if (state) return resume(await bound(call), state);
			if (isAllowed(call)) return budget.reserve(call, null);
			return call.request_state === undefined ? ask(call) : foreignState;
		},
	};
};

const stateMember = ',"requestState":""';

const foreignState = refusedState('This requestState was not given to this call: make the call anew, without it.');

const refuseOversized = (call: ToolCall, limit: number): void => {
	const {arguments_bytes, message_bytes = arguments_bytes.length, request_state} = call;
	// What we ourselves made the client add since it was let in does not count.
	const added = typeof request_state === 'string' ? stateMember.length + request_state.length : 0;
	if (message_bytes - added <= limit) return;
	const message = `This call needs the approval of a person: then its message may hold at most ${limit} bytes.`;
	throw new DomainError('payload_too_large', {message});
};

/** What a person has to be shown in place of what was parsed from it. */
const textUnlessExact = (bytes: Uint8Array): string | null => {
	const text = new TextDecoder().decode(bytes);
	return holdsLongNumber(text) ? text : null;
};

/** An approval that this very call left behind and may use, or else a new one; undefined when too many are pending. */
const approvalFor = async (
	needs: GatePorts,
	call: HeldCall,
	max_pending: number,
): Promise<ApprovalRecord | undefined> => {
	const {server, caller} = call;
	const [identity] = approvedCalls(needs, call);
	if (identity === undefined) throw new Error('the server has no key of its own');
	const left = await needs.approvals.reattach({...identity, attended_seconds: attendedSeconds});
	if (left) return left;
	const opened = await needs.approvals.open(
		{
			...identity,
			id: needs.ids.next(),
			team_id: server.team_id,
			user_id: caller?.user_id ?? server.user_id,
			api_key_id: caller?.credential.kind === 'api_key' ? caller.credential.id : null,
			request_body: call.arguments,
			arguments_json: textUnlessExact(call.arguments_bytes),
			ttl_seconds: server.approval_config.ttl_seconds,
			attended_seconds: attendedSeconds,
		},
		max_pending,
	);
	if (opened) {
		const {id: approval_id, mcp_server_id, team_id} = opened;
		needs.signals.publish({type: 'approval.pending', approval_id, mcp_server_id, team_id});
		await tellOfApproval(needs, server, opened);
	}
	return opened;
};

const tooManyPending = ({server}: ToolCall): Passage => ({
	outcome: 'limited',
	message: 'Too many calls wait for approval on this server.',
	// A place becomes free when one is decided, at the latest when all that wait now have expired.
	retry_after_seconds: Math.min(server.approval_config.ttl_seconds, 60),
	approval_id: null,
});

const cachedPolicies = 1000;

/** Compiled policies of the servers that were called last, each for one version of its server. */
const createPolicyCache = () => {
	const compiled = new Map<string, Readonly<{version: number; policy: ApprovalPolicy}>>();
	return (server: McpServerRecord): ApprovalPolicy => {
		const known = compiled.get(server.id);
		if (known?.version === server.version) return known.policy;
		const policy = compileApprovalPolicy(server.approval_config);
		compiled.delete(server.id);
		compiled.set(server.id, {version: server.version, policy});
		for (const [oldest] of compiled) {
			if (compiled.size <= cachedPolicies) break;
			compiled.delete(oldest);
		}
		return policy;
	};
};
