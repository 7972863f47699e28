import {createAuditTrail} from '../audit-trail.ts';
import {demandScope} from '../demand-scope.ts';
import {DomainError, invalidField} from '../errors.ts';
import type {ApprovalViewer, Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {expireDueApprovals} from './expire-due-approvals.ts';
import type {Approval, ApprovalRecord, ApprovalStatus, Decision} from './model/approval.ts';
import {approvalViewOf, maySee} from './rules/approval-lifecycle.ts';

/** Approvals, as people decide them. */
export type Approvals = Readonly<{
	/**
	 * The caller's own, and those on the active team's servers: the newest 1,000 of that status. Who left a team does not
	 * see anonymous calls of the servers they made there.
	 */
	list(caller: Caller, status: ApprovalStatus): Promise<readonly Approval[]>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<Approval>;
	/**
	 * @throws resource_not_found for everyone but members of the server's team; forbidden without scope `approvals`, and
	 * for the very key that made the call; conflict when it is decided or expired; validation_error for a note of more than
	 * 2,000 characters.
	 */
	approve(caller: Caller, id: string, note?: string): Promise<Approval>;
	reject(caller: Caller, id: string, note?: string): Promise<Approval>;
	/** Expires what is due and tells the waiters. Run it about once a second. @returns how many expired. */
	expireDue(): Promise<number>;
}>;

type Needs = Pick<Ports, 'approvals' | 'audit' | 'signals' | 'clock' | 'ids'>;

const listedAtMost = 1000;
const longestNote = 2000;

export const createApprovals = (needs: Needs): Approvals => {
	const decide = createDecide(needs);
	return {
		list: async (caller, status) => {
			const viewer = {user_id: caller.user_id, team_ids: [caller.team_id]};
			const found = await needs.approvals.list(viewer, status, listedAtMost);
			return found.filter((approval) => maySee(caller, approval)).map(approvalViewOf);
		},
		get: async (caller, id) => {
			const approval = await needs.approvals.get(viewerOf(caller), id);
			if (!approval || !maySee(caller, approval)) throw new DomainError('resource_not_found');
			return approvalViewOf(approval);
		},
		approve: async (caller, id, note) => decide(caller, id, decisionOf(caller, 'approved', note)),
		reject: async (caller, id, note) => decide(caller, id, decisionOf(caller, 'rejected', note)),
		expireDue: () => expireDueApprovals(needs),
	};
};

const createDecide = (needs: Needs) => {
	const record = createAuditTrail(needs);
	return async (caller: Caller, id: string, decision: Decision): Promise<Approval> => {
		demandScope(caller, 'approvals', 'Deciding an approval');
		const approval = await needs.approvals.get(viewerOf(caller), id);
		refuseUnfit(caller, approval);
		const settled = await needs.approvals.settle(caller.team_ids, id, decision);
		if (!settled) throw await conflictOver(needs, caller, id);
		const {mcp_server_id, team_id, tool_name, decision_note, status} = settled;
		// The call may go on at once: whoever waits is told before the record of it is written.
		needs.signals.publish({type: 'approval.decided', approval_id: id, mcp_server_id, team_id});
		const data = {mcp_server_id, tool_name, decision_note};
		await record(caller, {
			action: status === 'approved' ? 'approval.approved' : 'approval.rejected',
			team_id,
			target_id: id,
			data,
		});
		return approvalViewOf(settled);
	};
};

/** Whoever made the call sees its approval, but only members of the server's team decide it, and never the very key. */
const refuseUnfit = (caller: Caller, approval: ApprovalRecord | undefined): void => {
	if (!approval || !caller.team_ids.includes(approval.team_id)) throw new DomainError('resource_not_found');
	if (caller.credential.kind === 'api_key' && caller.credential.id === approval.api_key_id) {
		throw new DomainError('forbidden', {message: 'The API key that made the call cannot decide its approval.'});
	}
};

const conflictOver = async (needs: Needs, caller: Caller, id: string): Promise<DomainError> => {
	const approval = await needs.approvals.get(viewerOf(caller), id);
	if (!approval) return new DomainError('resource_not_found');
	const state = approval.status === 'pending' ? 'expired' : approval.status;
	return new DomainError('conflict', {message: `The approval is ${state}: it can no longer be decided.`});
};

const viewerOf = ({user_id, team_ids}: Caller): ApprovalViewer => ({user_id, team_ids});

const decisionOf = (caller: Caller, status: Decision['status'], note: string | undefined): Decision => {
	if (note !== undefined && note.length > longestNote) {
		throw invalidField('note', `must have at most ${longestNote} characters`);
	}
	return {status, decided_by: caller.user_id, decision_note: note ?? null};
};
