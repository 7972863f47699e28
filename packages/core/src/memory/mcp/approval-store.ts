import {DomainError} from '../../errors.ts';
import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import {
	consumed,
	continued,
	expired,
	expiryOf,
	isWaitedFor,
	mayReattach,
	mayRejoin,
	settled,
	statusAt,
} from '../../mcp/rules/approval-lifecycle.ts';
import type {ApprovalStore, ApprovalViewer, ApprovedCall, NewApproval} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, newestFirst, rowsWhere} from '../rows.ts';

const isVisible = (approval: ApprovalRecord, viewer: ApprovalViewer): boolean =>
	approval.user_id === viewer.user_id || viewer.team_ids.includes(approval.team_id);

const isOfCall = (approval: ApprovalRecord, call: ApprovedCall): boolean =>
	approval.mcp_server_id === call.mcp_server_id &&
	approval.caller_key === call.caller_key &&
	approval.tool_name === call.tool_name &&
	approval.arguments_digest === call.arguments_digest;

const pendingRecord = (
	{ttl_seconds, attended_seconds: _, ...approval}: NewApproval,
	created_at: string,
): ApprovalRecord => ({
	...copyOf(approval),
	status: 'pending',
	decided_by: null,
	decision_note: null,
	decided_at: null,
	expires_at: expiryOf(created_at, ttl_seconds),
	created_at,
	caller_waiting: true,
	detaches_at: null,
	consumed_at: null,
	runs: 0,
});

/** As it reads now: what is past its time is expired, whether the sweep has come by or not. */
export const seen = (db: MemoryDatabase, approval: ApprovalRecord): ApprovalRecord =>
	copyOf({
		...approval,
		status: statusAt(approval, db.now()),
		caller_waiting: isWaitedFor(approval, db.now()),
	});

const save = (db: MemoryDatabase, approval: ApprovalRecord): ApprovalRecord => {
	db.approvals.set(approval.id, approval);
	return seen(db, approval);
};

const attend = (db: MemoryDatabase, id: string, seconds: number): void =>
	void db.attendance.set(id, plusSeconds(db.now(), seconds));

const openApproval = (db: MemoryDatabase, request: NewApproval, max_pending: number): ApprovalRecord | undefined => {
	if (!db.mcpServers.has(request.mcp_server_id)) throw new DomainError('resource_not_found');
	const now = db.now();
	const isPending = (row: ApprovalRecord) =>
		row.mcp_server_id === request.mcp_server_id && statusAt(row, now) === 'pending';
	if (rowsWhere(db.approvals, isPending).length >= max_pending) return undefined;
	attend(db, request.id, request.attended_seconds);
	return save(db, pendingRecord(request, now));
};

const expireDue = (db: MemoryDatabase, limit: number): readonly ApprovalRecord[] => {
	const now = db.now();
	return rowsWhere(db.approvals, () => true)
		.flatMap((row) => expired(row, now) ?? [])
		.sort(by('expires_at', 'id'))
		.slice(0, limit)
		.map((row) => save(db, row));
};

type Returning = Parameters<ApprovalStore['reattach']>[0];

const reattach = (db: MemoryDatabase, call: Returning, id: string | undefined): ApprovalRecord | undefined => {
	const now = db.now();
	const isUsable = (row: ApprovalRecord) =>
		id === undefined ? mayReattach(row, now) : row.id === id && mayRejoin(row, now);
	const usable = rowsWhere(db.approvals, (row) => isOfCall(row, call) && isUsable(row));
	// `approved` sorts before `pending`: a grant is used before another one is waited for.
	const best = usable.sort(by('status', 'created_at', 'id')).at(0);
	if (best === undefined) return undefined;
	attend(db, best.id, call.attended_seconds);
	return save(db, {...best, caller_waiting: true, detaches_at: null});
};

const detached = (approval: ApprovalRecord, after_seconds: number, now: string): ApprovalRecord | undefined => {
	if (after_seconds === 0) return {...approval, caller_waiting: false, detaches_at: null};
	return isWaitedFor(approval, now) ? {...approval, detaches_at: plusSeconds(now, after_seconds)} : undefined;
};

export const createApprovalStore = (db: MemoryDatabase): ApprovalStore => {
	/** Stores what the rule makes of it, if it makes anything of it. */
	const move = (id: string, rule: (approval: ApprovalRecord) => ApprovalRecord | undefined) => {
		const approval = db.approvals.get(id);
		const next = approval === undefined ? undefined : rule(approval);
		return next === undefined ? undefined : save(db, next);
	};
	return {
		open: async (approval, max_pending) => openApproval(db, approval, max_pending),
		get: async (viewer, id) => {
			const approval = db.approvals.get(id);
			return approval !== undefined && isVisible(approval, viewer) ? seen(db, approval) : undefined;
		},
		list: async (viewer, status, limit) =>
			rowsWhere(db.approvals, (row) => isVisible(row, viewer) && statusAt(row, db.now()) === status)
				.sort(newestFirst)
				.slice(0, limit)
				.map((row) => seen(db, row)),
		settle: async (team_ids, id, {status, decided_by, decision_note}) =>
			move(id, (row) =>
				team_ids.includes(row.team_id) ? settled(row, {status, decided_by, decision_note}, db.now()) : undefined,
			),
		consume: async (id, continuation) =>
			move(id, (row) => (continuation ? continued(row, continuation, db.now()) : consumed(row, db.now()))) !==
			undefined,
		expireDue: async (limit) => expireDue(db, limit),
		detach: async (id, after_seconds = 0) => {
			move(id, (row) => detached(row, after_seconds, db.now()));
			if (db.approvals.get(id)?.consumed_at === null) db.attendance.delete(id);
		},
		reattach: async (call, id) => reattach(db, call, id),
	};
};
