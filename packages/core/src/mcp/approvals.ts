import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Approval, ApprovalStatus} from './model/approval.ts';

/** Approvals, as people decide them. */
export type Approvals = Readonly<{
	list(caller: Caller, status: ApprovalStatus): Promise<readonly Approval[]>;
	get(caller: Caller, id: string): Promise<Approval>;
	/**
	 * @throws resource_not_found for everyone but members of the server's team; forbidden without scope `approvals`, and
	 * for the very key that made the call; conflict when it is decided or expired.
	 */
	approve(caller: Caller, id: string, note?: string): Promise<Approval>;
	reject(caller: Caller, id: string, note?: string): Promise<Approval>;
	/** Expires what is due and tells the waiters. Run it about once a second. @returns how many expired. */
	expireDue(): Promise<number>;
}>;

export const createApprovals = (
	_needs: Pick<Ports, 'approvals' | 'audit' | 'signals' | 'clock' | 'ids'>,
): Approvals => {
	throw new Error('not built');
};
