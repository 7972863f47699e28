import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {createLastingLapses} from './lasting-lapses.ts';
import type {ApprovalRecord} from './model/approval.ts';
import {unknownOutcome} from './rules/unknown-outcome.ts';

/** The approved and the waiting calls of processes that died. */
export type AbandonedCalls = Readonly<{
	/**
	 * Detaches what waited, so that an identical call may take its place, and logs what was let run as of unknown outcome:
	 * it is never sent again. Run it about once a second: it acts upon what stays unattended for a while in which it looks.
	 * @returns how many calls it found.
	 */
	recover(): Promise<number>;
}>;

type Needs = Pick<Ports, 'attendance' | 'mcpServers' | 'callLog' | 'clock'> &
	Readonly<{
		/** True for the approvals that this very process attends to. */
		isAttended(approval_id: string): boolean;
	}>;

const batchSize = 100;

export const createAbandonedCalls = (needs: Needs): AbandonedCalls => {
	const lapses = createLastingLapses(needs);
	return {
		recover: async () => {
			const lapsed = await lapses.look();
			// A process that was stopped for a while, with its machine perhaps, still has the calls that it had.
			const others = lapsed.filter((id) => !needs.isAttended(id));
			const abandoned = await needs.attendance.stillLapsed(others.slice(0, batchSize));
			for (const approval of abandoned) {
				if (approval.consumed_at === null) await needs.attendance.release(approval.id);
				else await logUnknownOutcome(needs, approval);
			}
			return abandoned.length;
		},
	};
};

const logUnknownOutcome = async ({mcpServers, callLog}: Needs, approval: ApprovalRecord): Promise<void> => {
	const server = await mcpServers.get([approval.team_id], approval.mcp_server_id);
	if (server) await callLog.append(unknownOutcome(approval, server)).catch(unlessLogged);
};

/** Another process was first, with the same entry or with the outcome itself. */
const unlessLogged = (error: unknown): void => {
	if (!(error instanceof DomainError && error.reason === 'resource_exists')) throw error;
};
