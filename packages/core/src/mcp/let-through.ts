import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Budget} from './budget.ts';
import {type HeldCall, ownerOf} from './held-call.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {Passage, Rounds, ToolCall} from './model/passage.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ResolvedTarget} from './model/target.ts';
import type {RequestState, RequestStates} from './request-states.ts';
import {approvalViewOf} from './rules/approval-lifecycle.ts';
import {isSameInEffect, isSameTarget} from './rules/call-binding.ts';
import type {ApprovalPolicy} from './rules/decide-tool-call.ts';

type Needs = Pick<Ports, 'approvals' | 'attendance' | 'mcpServers' | 'secrets'>;

/** What a held call needs once a person said yes. */
export type Release = Readonly<{
	states: RequestStates;
	budget: Budget;
	policyOf: (server: McpServerRecord) => ApprovalPolicy;
	targetOf: (server: McpServerRecord) => Promise<ResolvedTarget>;
}>;

/** A call and the approval that allows it: to run, or with a state of a later run, to go on with what runs. */
export type Allowance = Readonly<{call: HeldCall; approval: ApprovalRecord; state?: RequestState}>;

/** How long after its begin an execution may be continued, in seconds: people fill in what the upstream asks meanwhile. */
const continuedFor = 3600;

/**
 * Turns an approval into its one execution, or one state into the one continuation that it stands for. The money comes
 * first: an approval that could not be paid for is left behind for the next identical call. What changes until the
 * approval is consumed still ends the call: then nothing runs.
 */
export const letThrough = async (needs: Needs, release: Release, allowance: Allowance): Promise<Passage> => {
	const {call, approval} = allowance;
	const server = await validServer(needs, release, allowance);
	if ('outcome' in server) return server;
	const passage = await release.budget.reserve({...call, server}, approval.id).catch(unlessGone);
	if (!passage) return changed(approval);
	if (passage.outcome !== 'pass') {
		await needs.approvals.detach(approval.id);
		return passage;
	}
	if (call.signal.aborted) {
		await passage.release();
		await needs.approvals.detach(approval.id);
		return {outcome: 'detached', approval: approvalViewOf({...approval, caller_waiting: false})};
	}
	try {
		const refused = (await consume(needs, allowance))
			? await lastRefusal(needs, release, allowance)
			: consumedBefore(allowance);
		if (!refused) return {...passage, target: call.target, rounds: roundsOf(needs, release, allowance)};
		await passage.release();
		return refused;
	} catch (error) {
		await passage.release();
		throw error;
	}
};

/** Looks once more when nothing can be decided any more: a call that was consumed and is not let run has no outcome to log. */
const lastRefusal = async (needs: Needs, release: Release, allowance: Allowance): Promise<Passage | undefined> => {
	let refused = true;
	try {
		const server = await validServer(needs, release, allowance);
		refused = 'outcome' in server;
		return 'outcome' in server ? server : undefined;
	} finally {
		if (refused) await needs.attendance.end(allowance.approval.id);
	}
};

const runOf = ({state}: Allowance): number => state?.run ?? 0;

const consume = ({approvals}: Needs, allowance: Allowance): Promise<boolean> => {
	const run = runOf(allowance);
	const {id} = allowance.approval;
	return run === 0 ? approvals.consume(id) : approvals.consume(id, {run, within_seconds: continuedFor});
};

const consumedBefore = (allowance: Allowance): Passage =>
	runOf(allowance) === 0
		? {outcome: 'spent', approval: approvalViewOf(allowance.approval)}
		: {outcome: 'refused', message: 'This requestState was used already, or is too old: make the call anew.'};

const roundsOf = (needs: Needs, {states}: Release, allowance: Allowance): Rounds => {
	const {call, approval, state} = allowance;
	const run = runOf(allowance) + 1;
	return {
		run,
		// A call that comes out of a hold brought a state of ours, but none of the upstream's.
		brought: call.request_state === undefined ? undefined : {upstream_state: state?.upstream_state},
		seal: (upstream_state) => states.write(ownerOf(needs, call), {approval_id: approval.id, run, upstream_state}),
	};
};

const changed = (approval: ApprovalRecord): Passage => ({outcome: 'changed', approval: approvalViewOf(approval)});

/** The server as it is now, or why the call may no longer run there. */
const validServer = async (
	needs: Needs,
	{policyOf, targetOf}: Release,
	{call, approval}: Allowance,
): Promise<McpServerRecord | Passage> => {
	const server = await needs.mcpServers.get([approval.team_id], approval.mcp_server_id);
	if (!server || !stillApplies(policyOf, call, server)) return changed(approval);
	if (!isSameTarget(call.target, await targetOf(server))) return changed(approval);
	if ((await call.mayStillCall?.(server)) === false) return {outcome: 'revoked', approval: approvalViewOf(approval)};
	return server;
};

const unlessGone = (error: unknown): undefined => {
	if (error instanceof DomainError && error.reason === 'resource_not_found') return undefined;
	throw error;
};

/** What was approved must still be what would happen now, and must still need the approval. */
const stillApplies = (
	policyOf: Release['policyOf'],
	{server: before, tool_name}: ToolCall,
	now: McpServerRecord,
): boolean => now.is_active && isSameInEffect(before, now) && policyOf(now)(tool_name).action === 'require';
