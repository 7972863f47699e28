import type {Instant} from '../../values/instant.ts';
import type {ApprovalRecord, ApprovalStatus} from '../model/approval.ts';

type Lifetime = Pick<ApprovalRecord, 'status' | 'expires_at'>;

/** The state as time has made it: a pending approval is expired from `expires_at` on, whether or not that was written. */
export const statusAt = (approval: Lifetime, now: Instant): ApprovalStatus =>
	approval.status === 'pending' && now >= approval.expires_at ? 'expired' : approval.status;

/** A decision by a person; undefined when another one, or time, was first. */
export const settled = (
	approval: ApprovalRecord,
	decision: Readonly<{status: 'approved' | 'rejected'; decided_by: string; decision_note: string | null}>,
	now: Instant,
): ApprovalRecord | undefined =>
	statusAt(approval, now) === 'pending' ? {...approval, ...decision, decided_at: now} : undefined;

/** The end without a decision; undefined while there is still time, and when there is nothing to end. */
export const expired = (approval: ApprovalRecord, now: Instant): ApprovalRecord | undefined =>
	approval.status === 'pending' && now >= approval.expires_at ? {...approval, status: 'expired'} : undefined;

/** The one execution that an approval allows; undefined when there is none (left). */
export const consumed = (approval: ApprovalRecord, now: Instant): ApprovalRecord | undefined =>
	approval.status === 'approved' && approval.consumed_at === null ? {...approval, consumed_at: now} : undefined;

/** True while a caller that comes back may wait for it again, or use it. */
export const mayReattach = (approval: ApprovalRecord, now: Instant): boolean =>
	!approval.caller_waiting &&
	(statusAt(approval, now) === 'pending' || (approval.status === 'approved' && approval.consumed_at === null));
