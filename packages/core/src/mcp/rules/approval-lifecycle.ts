import {type Instant, plusSeconds} from '../../values/instant.ts';
import {createView} from '../../values/view.ts';
import {
	type Approval,
	type ApprovalRecord,
	type ApprovalStatus,
	approvalSchema,
	type Continuation,
	type Decision,
} from '../model/approval.ts';

/** The state as time has made it: a pending approval is expired from `expires_at` on, whether or not that was written. */
export const statusAt = (
	{status, expires_at}: Pick<ApprovalRecord, 'status' | 'expires_at'>,
	now: Instant,
): ApprovalStatus => (status === 'pending' && now >= expires_at ? 'expired' : status);

/** A decision by a person; undefined when another one, or time, was first. */
export const settled = (approval: ApprovalRecord, decision: Decision, now: Instant): ApprovalRecord | undefined => {
	if (statusAt(approval, now) !== 'pending') return undefined;
	const {status, decided_by, decision_note} = decision;
	return {...approval, status, decided_by, decision_note, decided_at: now};
};

/** The end without a decision; undefined while there is still time, and when there is nothing to end. */
export const expired = (approval: ApprovalRecord, now: Instant): ApprovalRecord | undefined =>
	approval.status === 'pending' && statusAt(approval, now) === 'expired' ? {...approval, status: 'expired'} : undefined;

/** The one execution that an approval allows; undefined when there is none, or none left. */
export const consumed = (approval: ApprovalRecord, now: Instant): ApprovalRecord | undefined =>
	approval.status === 'approved' && approval.consumed_at === null
		? {...approval, consumed_at: now, runs: 1}
		: undefined;

/** The next request of an execution that takes several; undefined for one that was made already, or comes too late. */
export const continued = (
	approval: ApprovalRecord,
	{run, within_seconds}: Continuation,
	now: Instant,
): ApprovalRecord | undefined => {
	const {consumed_at, runs} = approval;
	if (consumed_at === null || runs !== run || now >= plusSeconds(consumed_at, within_seconds)) return undefined;
	return {...approval, runs: runs + 1};
};

/** True while the caller waits, or is expected back from between two rounds. */
export const isWaitedFor = (
	{caller_waiting, detaches_at}: Pick<ApprovalRecord, 'caller_waiting' | 'detaches_at'>,
	now: Instant,
): boolean => caller_waiting && (detaches_at === null || now < detaches_at);

/** True while a caller that comes back may wait for it again, or use it: a grant does not outlive its time. */
export const mayReattach = (approval: ApprovalRecord, now: Instant): boolean =>
	!isWaitedFor(approval, now) &&
	now < approval.expires_at &&
	(approval.status === 'pending' || consumed(approval, now) !== undefined);

/** True while the next round of a held call may wait for it, or use it. A grant outlives its time by the gap it came in. */
export const mayRejoin = (approval: ApprovalRecord, now: Instant): boolean =>
	statusAt(approval, now) === 'pending' ||
	(consumed(approval, now) !== undefined && (now < approval.expires_at || isWaitedFor(approval, now)));

/** When an approval made at `created_at` expires. */
export const expiryOf = (created_at: Instant, ttl_seconds: number): Instant => plusSeconds(created_at, ttl_seconds);

/**
 * Members of the server's team see it, and whoever made the call. Anonymous calls are put down to the server's creator,
 * who did not make them: once out of the team, they do not see what others call there.
 */
export const maySee = (
	{user_id, team_ids}: Readonly<{user_id: string; team_ids: readonly string[]}>,
	approval: Pick<ApprovalRecord, 'user_id' | 'team_id' | 'caller_key'>,
): boolean =>
	team_ids.includes(approval.team_id) || (approval.user_id === user_id && approval.caller_key !== 'anonymous');

/** What people see of it. */
export const approvalViewOf: (approval: ApprovalRecord) => Approval = createView(approvalSchema);
