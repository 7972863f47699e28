import type {Ports} from '../ports/index.ts';

const batchSize = 100;

/** Expires every pending approval whose time is over, and tells whoever waits. @returns how many expired. */
export const expireDueApprovals = async ({
	approvals,
	signals,
}: Pick<Ports, 'approvals' | 'signals'>): Promise<number> => {
	let count = 0;
	for (;;) {
		const expired = await approvals.expireDue(batchSize);
		for (const {id, mcp_server_id, team_id} of expired) {
			signals.publish({type: 'approval.decided', approval_id: id, mcp_server_id, team_id});
		}
		count += expired.length;
		if (expired.length < batchSize) return count;
	}
};
