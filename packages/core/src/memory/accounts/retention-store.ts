import type {RetentionStore} from '../../ports/index.ts';
import {hourOf, plusSeconds} from '../../values/instant.ts';
import {keptSince, type Retention} from '../../values/retention.ts';
import type {MemoryDatabase} from '../database.ts';
import {deleteWhere, rowsWhere} from '../rows.ts';

/** @returns the rows that went. */
const deleteSome = <T extends Readonly<{id: string}>>(
	table: Map<string, T>,
	isOver: (row: T) => boolean,
	limit: number,
): readonly T[] => {
	const over = rowsWhere(table, isOver).slice(0, limit);
	for (const {id} of over) table.delete(id);
	return over;
};

export const createRetentionStore = (db: MemoryDatabase): RetentionStore => {
	const edgeFor = (retention: Retention, user_id = ''): string =>
		keptSince(retention, db.users.get(user_id)?.plan, db.now());
	const edgeOf = (retention: Retention, row: Readonly<{mcp_server_id: string}>): string =>
		edgeFor(retention, db.mcpServers.get(row.mcp_server_id)?.user_id);
	return {
		purgeCalls: async (retention, limit) => {
			const gone = deleteSome(db.calls, (row) => row.created_at < edgeOf(retention, row), limit);
			for (const row of gone) db.forgottenCalls.set(row.id, {...row, request_body: '', response_body: '', headers: {}});
			return gone.length;
		},
		purgeApprovals: async (retention, limit) =>
			deleteSome(db.approvals, (row) => row.status !== 'pending' && row.expires_at < edgeOf(retention, row), limit)
				.length,
		purgeNotifications: async (retention, limit) =>
			deleteSome(db.notifications, (row) => row.created_at < edgeFor(retention, row.user_id), limit).length,
		purgeRollups: async (days) => {
			const edge = hourOf(plusSeconds(db.now(), -days * 24 * 3600));
			return deleteWhere(db.forgottenCalls, (row) => hourOf(row.created_at) < edge);
		},
	};
};
