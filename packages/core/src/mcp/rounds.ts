import type {Ports} from '../ports/index.ts';
import {attendedSeconds} from './attendance.ts';
import {approvedCalls, type HeldCall} from './held-call.ts';
import type {Hold} from './hold.ts';
import {letThrough, type Release} from './let-through.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {Admission, Passage} from './model/passage.ts';
import type {RequestState} from './request-states.ts';
import {approvalViewOf} from './rules/approval-lifecycle.ts';

type Needs = Pick<Ports, 'approvals' | 'attendance' | 'mcpServers' | 'secrets'>;

/** Takes up a call that comes back with a state of ours: one that is held goes on waiting, one that runs goes on running. */
export type Resume = (call: HeldCall, state: RequestState) => Promise<Admission>;

export const refusedState = (message: string): Passage => ({outcome: 'refused', message});

export const createResume = (needs: Needs, release: Release & Readonly<{hold: Hold}>): Resume => {
	const rejoin = createRejoin(needs, release);
	const proceed = createProceed(needs, release);
	return (call, state) => (state.run === 0 ? rejoin(call, state) : proceed(call, state));
};

/** The approval that a state names, whether or not the call is still what it was given for. */
const find = ({approvals}: Needs, {server}: HeldCall, {approval_id}: RequestState) =>
	approvals.get({user_id: server.user_id, team_ids: [server.team_id]}, approval_id);

const ended = (outcome: 'changed' | 'spent' | 'rejected' | 'expired', approval: ApprovalRecord): Passage => ({
	outcome,
	approval: approvalViewOf(approval),
});

const gone = refusedState('The approval that this requestState belongs to is gone: make the call anew.');

const createRejoin =
	(needs: Needs, {hold, policyOf}: Pick<Release, 'policyOf'> & Readonly<{hold: Hold}>): Resume =>
	async (call, state) => {
		const turn = hold.takeTurn(call, state.approval_id);
		const approval = await reattached(needs, call, state).catch((error: unknown) => {
			turn.end();
			throw error;
		});
		if (approval !== undefined && policyOf(call.server)(call.tool_name).action === 'require')
			return hold.wait({...call, turn}, approval);
		turn.end();
		if (approval === undefined) return whyNot(needs, call, await find(needs, call, state));
		await needs.approvals.detach(approval.id);
		return ended('changed', approval);
	};

const reattached = async (
	needs: Needs,
	call: HeldCall,
	{approval_id}: RequestState,
): Promise<ApprovalRecord | undefined> => {
	for (const identity of approvedCalls(needs, call)) {
		const approval = await needs.approvals.reattach({...identity, attended_seconds: attendedSeconds}, approval_id);
		if (approval) return approval;
	}
	return undefined;
};

/** Why an approval could not be taken up again by the call that it was asked for. */
const whyNot = (needs: Needs, call: HeldCall, approval: ApprovalRecord | undefined): Passage => {
	if (!approval) return gone;
	const {status} = approval;
	if (status === 'rejected' || status === 'expired') return ended(status, approval);
	return ended(status === 'approved' && isStillApproved(needs, call, approval) ? 'spent' : 'changed', approval);
};

/** The upstream asked for more of a call that a person approved: nobody is asked again, and each round is let through once. */
const createProceed =
	(needs: Needs, release: Release): Resume =>
	async (call, state) => {
		const approval = await find(needs, call, state);
		if (!approval) return gone;
		if (!isStillApproved(needs, call, approval)) return ended('changed', approval);
		return await letThrough(needs, release, {call, approval, state});
	};

const isStillApproved = (needs: Needs, call: HeldCall, {arguments_digest}: ApprovalRecord): boolean =>
	approvedCalls(needs, call).some((identity) => identity.arguments_digest === arguments_digest);
