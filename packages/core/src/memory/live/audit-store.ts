import type {AuditStore} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, newestFirst, pageOf, rowsWhere} from '../rows.ts';

export const createAuditStore = (db: MemoryDatabase): AuditStore => ({
	append: async (entry) => {
		db.audit.set(entry.id, copyOf(entry));
	},
	list: async (team_id, page) =>
		pageOf(rowsWhere(db.audit, (entry) => entry.team_id === team_id).sort(newestFirst), page),
});
