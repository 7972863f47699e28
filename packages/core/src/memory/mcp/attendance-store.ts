import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {AttendanceStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {seen} from './approval-store.ts';

type Lapsed = Readonly<{until: string; approval: ApprovalRecord}>;

const lapsed = (db: MemoryDatabase): readonly Lapsed[] =>
	[...db.attendance].flatMap(([id, until]) => {
		const approval = db.approvals.get(id);
		return approval !== undefined && until <= db.now() ? [{until, approval}] : [];
	});

export const createAttendanceStore = (db: MemoryDatabase): AttendanceStore => ({
	renew: async (approval_ids, attended_seconds) => {
		const until = plusSeconds(db.now(), attended_seconds);
		for (const id of approval_ids) if (db.attendance.has(id)) db.attendance.set(id, until);
	},
	lapsed: async (limit) =>
		lapsed(db)
			.toSorted((a, b) => (a.until < b.until ? -1 : 1))
			.slice(0, limit)
			.map(({approval}) => approval.id),
	stillLapsed: async (approval_ids) =>
		lapsed(db).flatMap(({approval}) => (approval_ids.includes(approval.id) ? [seen(db, approval)] : [])),
	end: async (id) => {
		if (db.approvals.get(id)?.consumed_at) db.attendance.delete(id);
	},
	release: async (id) => {
		const found = lapsed(db).find(({approval}) => approval.id === id && approval.consumed_at === null);
		if (found === undefined) return false;
		db.approvals.set(id, {...found.approval, caller_waiting: false});
		return db.attendance.delete(id);
	},
});
