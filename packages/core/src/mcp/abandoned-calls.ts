import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import {renewEveryMs} from './attendance.ts';
import type {ApprovalRecord} from './model/approval.ts';
import {unknownOutcome} from './rules/unknown-outcome.ts';

/** The approved and the waiting calls of processes that died. */
export type AbandonedCalls = Readonly<{
	/**
	 * Detaches what waited, so that an identical call may take its place, and logs what was let run as of unknown outcome:
	 * it is never sent again. Run it about once a second: it acts on what it found lapsed for ten. @returns on how many calls.
	 */
	recover(): Promise<number>;
}>;

type Needs = Pick<Ports, 'attendance' | 'mcpServers' | 'callLog' | 'clock'> &
	Readonly<{
		/** True for the approvals that this very process attends to. */
		isAttended(approval_id: string): boolean;
	}>;

const batchSize = 100;

/** Twice as long as a living process takes to renew. After an outage of the store everybody's calls have lapsed. */
const doubtMs = 2 * renewEveryMs;

/** @returns which of those that are lapsed now were so for as long as it takes to be sure. */
const createDoubt = ({clock}: Pick<Ports, 'clock'>) => {
	let since = new Map<string, number>();
	return {
		outlasted: (lapsed: readonly ApprovalRecord[]): readonly ApprovalRecord[] => {
			const now = millisecondsOf(clock.now());
			since = new Map(lapsed.map(({id}) => [id, since.get(id) ?? now]));
			return lapsed.filter(({id}) => now - (since.get(id) ?? now) >= doubtMs);
		},
		beginAgain: () => {
			since = new Map();
		},
	};
};

export const createAbandonedCalls = (needs: Needs): AbandonedCalls => {
	const doubt = createDoubt(needs);
	const lapsed = () =>
		needs.attendance.lapsed(batchSize).catch((error: unknown) => {
			// Nobody can have renewed meanwhile either.
			doubt.beginAgain();
			throw error;
		});
	return {
		recover: async () => {
			// A process that was stopped for a while, with its machine perhaps, still has the calls that it had.
			const others = (await lapsed()).filter(({id}) => !needs.isAttended(id));
			const abandoned = doubt.outlasted(others);
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
