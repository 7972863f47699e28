import {DomainError} from '../../errors.ts';
import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {ApprovalStore, ApprovalViewer, NewApproval} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, newestFirst, oldestFirst, rowsWhere} from '../rows.ts';

type CallKey = Parameters<ApprovalStore['reattach']>[0];

const isVisible = (approval: ApprovalRecord, viewer: ApprovalViewer): boolean =>
	approval.user_id === viewer.user_id || viewer.team_ids.includes(approval.team_id);

const isOfCall = (approval: ApprovalRecord, call: CallKey): boolean =>
	approval.mcp_server_id === call.mcp_server_id &&
	approval.caller_key === call.caller_key &&
	approval.tool_name === call.tool_name &&
	approval.arguments_digest === call.arguments_digest;

const pendingRecord = ({ttl_seconds, ...approval}: NewApproval, created_at: string): ApprovalRecord => ({
	...copyOf(approval),
	status: 'pending',
	decided_by: null,
	decision_note: null,
	decided_at: null,
	expires_at: plusSeconds(created_at, ttl_seconds),
	created_at,
	caller_waiting: true,
	consumed_at: null,
});

/** The table as its rules see it; every write goes through `change`. */
const createApprovalTable = (db: MemoryDatabase) => {
	const isOpen = ({status, expires_at}: ApprovalRecord) => status === 'pending' && expires_at > db.now();
	const isOverdue = ({status, expires_at}: ApprovalRecord) => status === 'pending' && expires_at <= db.now();
	return {
		isOpen,
		isOverdue,
		/** As it reads now: what is past its time is expired, whether the sweep has come by or not. */
		seen: (approval: ApprovalRecord): ApprovalRecord =>
			copyOf(isOverdue(approval) ? {...approval, status: 'expired'} : approval),
		change: (approval: ApprovalRecord, change: Partial<ApprovalRecord>): ApprovalRecord => {
			const changed = {...approval, ...change};
			db.approvals.set(approval.id, changed);
			return copyOf(changed);
		},
	};
};

type ApprovalTable = ReturnType<typeof createApprovalTable>;

const openApproval = (db: MemoryDatabase, table: ApprovalTable, request: NewApproval, max_pending: number) => {
	if (!db.mcpServers.has(request.mcp_server_id)) throw new DomainError('resource_not_found');
	const ofServer = (row: ApprovalRecord) => row.mcp_server_id === request.mcp_server_id;
	const pending = rowsWhere(db.approvals, (row) => ofServer(row) && table.isOpen(row)).length;
	return pending >= max_pending ? undefined : table.change(pendingRecord(request, db.now()), {});
};

const reattach = (db: MemoryDatabase, table: ApprovalTable, call: CallKey) => {
	const isUsable = (row: ApprovalRecord) =>
		table.isOpen(row) || (row.status === 'approved' && row.consumed_at === null);
	const detached = rowsWhere(db.approvals, (row) => !row.caller_waiting && isOfCall(row, call) && isUsable(row));
	const oldest = detached.sort(oldestFirst).at(0);
	return oldest === undefined ? undefined : table.change(oldest, {caller_waiting: true});
};

const expireDue = (db: MemoryDatabase, table: ApprovalTable, limit: number) =>
	rowsWhere(db.approvals, table.isOverdue)
		.sort(by('expires_at', 'id'))
		.slice(0, limit)
		.map((row) => table.change(row, {status: 'expired'}));

export const createApprovalStore = (db: MemoryDatabase): ApprovalStore => {
	const table = createApprovalTable(db);
	return {
		open: async (approval, max_pending) => openApproval(db, table, approval, max_pending),
		get: async (viewer, id) => {
			const approval = db.approvals.get(id);
			return approval !== undefined && isVisible(approval, viewer) ? table.seen(approval) : undefined;
		},
		list: async (viewer, status, limit) =>
			rowsWhere(db.approvals, (row) => isVisible(row, viewer))
				.map(table.seen)
				.filter((row) => row.status === status)
				.sort(newestFirst)
				.slice(0, limit),
		settle: async (team_ids, id, decision) => {
			const approval = db.approvals.get(id);
			if (approval === undefined || !team_ids.includes(approval.team_id) || !table.isOpen(approval)) return undefined;
			const {status, decided_by, decision_note} = decision;
			return table.change(approval, {status, decided_by, decision_note, decided_at: db.now()});
		},
		consume: async (id) => {
			const approval = db.approvals.get(id);
			if (approval?.status !== 'approved' || approval.consumed_at !== null) return false;
			table.change(approval, {consumed_at: db.now()});
			return true;
		},
		expireDue: async (limit) => expireDue(db, table, limit),
		detach: async (id) => {
			const approval = db.approvals.get(id);
			if (approval !== undefined) table.change(approval, {caller_waiting: false});
		},
		reattach: async (call) => reattach(db, table, call),
	};
};
