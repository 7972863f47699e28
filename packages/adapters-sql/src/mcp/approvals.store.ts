import {
	type ApprovalRecord,
	type ApprovalStatus,
	type ApprovalStore,
	type ApprovalViewer,
	type ApprovedCall,
	type Continuation,
	type Decision,
	type NewApproval,
	plusSeconds,
} from '@signalbox/core';
import {type Connection, count, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {integer, list, type Sql, sql} from '../sql.ts';
import {type Row, storedInstant} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {approvals, type StoredApproval} from './approvals.table.ts';
import {attend, leaveAlone} from './attended-calls.table.ts';

const isOpen = (reader: Reader): Sql => sql`status = 'pending' AND expires_at > ${reader.now()}`;
const isOverdue = (reader: Reader): Sql => sql`status = 'pending' AND expires_at <= ${reader.now()}`;

/** The caller is connected, or expected back from between two rounds. */
const isWaitedFor = (reader: Reader): Sql =>
	sql`caller_waiting = 1 AND (detaches_at IS NULL OR detaches_at > ${reader.now()})`;

const visibleTo = ({user_id, team_ids}: ApprovalViewer): Sql =>
	sql`(user_id = ${user_id} OR team_id IN ${list(team_ids)})`;

const yesOrNo = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** Of that status as it is now, each part of one as it is kept: what is past its time is expired before the sweep comes by. */
const seenAs = (reader: Reader, status: ApprovalStatus): readonly Sql[] => {
	// A bare comparison of expires_at would lead SQLite to what is pending of all tenants.
	const overdue = yesOrNo(isOverdue(reader));
	if (status === 'pending') return [sql`status = 'pending' AND ${overdue} = 0`];
	return status === 'expired'
		? [sql`status = 'expired'`, sql`status = 'pending' AND ${overdue} = 1`]
		: [sql`status = ${status}`];
};

/** With what time makes of it, judged by the store's clock in the same statement. */
export const selectApprovals = (reader: Reader, condition: Sql): Sql =>
	sql`SELECT ${approvals.columns}, ${yesOrNo(isOverdue(reader))} AS is_overdue,
		${yesOrNo(isWaitedFor(reader))} AS is_waited_for FROM approvals WHERE ${condition}`;

export const readApproval = (row: Row): ApprovalRecord => {
	const {tool_key: _, ...stored} = approvals.read(row);
	const approval = {...stored, caller_waiting: row.is_waited_for === 1};
	return row.is_overdue === 1 ? {...approval, status: 'expired'} : approval;
};

const pendingRecord = (
	{ttl_seconds, attended_seconds: _, ...approval}: NewApproval,
	created_at: string,
): StoredApproval => ({
	...approval,
	tool_key: textKeyOf(approval.tool_name),
	status: 'pending',
	decided_by: null,
	decision_note: null,
	decided_at: null,
	expires_at: plusSeconds(created_at, ttl_seconds),
	created_at,
	caller_waiting: true,
	detaches_at: null,
	consumed_at: null,
	runs: 0,
});

const openApproval = async (transaction: Transaction, request: NewApproval, max_pending: number) => {
	const {mcp_server_id} = request;
	await lockRow(transaction, 'mcp_servers', mcp_server_id);
	const pending = sql`SELECT COUNT(*) AS count FROM approvals
		WHERE mcp_server_id = ${mcp_server_id} AND ${isOpen(transaction)}`;
	if ((await count(transaction, pending)) >= max_pending) return undefined;
	const stored = pendingRecord(request, await storeNow(transaction));
	await transaction.run(approvals.insert([stored]));
	await attend(transaction, stored.id, request.attended_seconds);
	const {tool_key: _, ...approval} = stored;
	return approval;
};

const updateOne = async (transaction: Transaction, id: string, update: Sql): Promise<ApprovalRecord | undefined> => {
	const row = await guardedUpdate(transaction, update, selectApprovals(transaction, sql`id = ${id}`));
	return row && readApproval(row);
};

const settle = async (
	transaction: Transaction,
	one: Readonly<{id: string; team_ids: readonly string[]}>,
	decision: Decision,
) => {
	const {status, decided_by, decision_note} = decision;
	const changes = sql`${approvals.set({status, decided_by, decision_note})}, decided_at = ${transaction.now()}`;
	const decidable = sql`id = ${one.id} AND team_id IN ${list(one.team_ids)} AND ${isOpen(transaction)}`;
	return updateOne(transaction, one.id, sql`UPDATE approvals SET ${changes} WHERE ${decidable}`);
};

const expireDue = async (transaction: Transaction, limit: number): Promise<readonly ApprovalRecord[]> => {
	const due = await transaction.all(
		sql`SELECT id FROM approvals WHERE ${isOverdue(transaction)} ORDER BY expires_at, id
			LIMIT ${integer(limit)} ${transaction.dialect.claim}`,
	);
	if (due.length === 0) return [];
	const ids = sql`id IN ${list(due.map(({id}) => String(id)))}`;
	// They are held: to name their status once more would lead SQLite to all that are pending.
	await transaction.run(sql`UPDATE approvals SET status = 'expired' WHERE ${ids}`);
	const rows = await transaction.all(sql`${selectApprovals(transaction, ids)} ORDER BY expires_at, id`);
	return rows.map(readApproval);
};

const consumeFirst = (transaction: Transaction, id: string): Sql => {
	// Settling guarded the time of the decision; it is compared once more, so that this holds by itself.
	const usable = sql`status = 'approved' AND consumed_at IS NULL AND decided_at < expires_at`;
	return sql`UPDATE approvals SET consumed_at = ${transaction.now()}, runs = 1 WHERE id = ${id} AND ${usable}`;
};

const consumeNext = async (transaction: Transaction, id: string, {run, within_seconds}: Continuation): Promise<Sql> => {
	const since = storedInstant(plusSeconds(await storeNow(transaction), -within_seconds));
	return sql`UPDATE approvals SET runs = runs + 1 WHERE id = ${id} AND runs = ${integer(run)} AND consumed_at > ${since}`;
};

const detach = async (transaction: Transaction, id: string, after_seconds: number): Promise<Sql> => {
	if (after_seconds === 0) return sql`UPDATE approvals SET caller_waiting = 0, detaches_at = NULL WHERE id = ${id}`;
	const detaches_at = plusSeconds(await storeNow(transaction), after_seconds);
	return sql`UPDATE approvals SET ${approvals.set({detaches_at})} WHERE id = ${id} AND ${isWaitedFor(transaction)}`;
};

const isOfCall = ({mcp_server_id, caller_key, tool_name, arguments_digest}: ApprovedCall): Sql =>
	sql`mcp_server_id = ${mcp_server_id} AND caller_key = ${caller_key}
		AND tool_key = ${textKeyOf(tool_name)} AND arguments_digest = ${arguments_digest}`;

/** Nobody waits for it, so that whoever calls alike may. */
const isFree = (reader: Reader): Sql => sql`NOT (${isWaitedFor(reader)}) AND expires_at > ${reader.now()}`;

const mayBeRejoined = (reader: Reader, id: string): Sql =>
	sql`id = ${id} AND (expires_at > ${reader.now()} OR (status = 'approved' AND ${isWaitedFor(reader)}))`;

const reattach = async (
	transaction: Transaction,
	call: Parameters<ApprovalStore['reattach']>[0],
	named: string | undefined,
): Promise<ApprovalRecord | undefined> => {
	const which = named === undefined ? isFree(transaction) : mayBeRejoined(transaction, named);
	const usable = sql`status IN ('approved', 'pending') AND consumed_at IS NULL AND ${which}`;
	const best = await first(
		transaction,
		sql`SELECT id FROM approvals WHERE ${isOfCall(call)} AND ${usable}
			ORDER BY status, created_at, id LIMIT 1 ${transaction.dialect.forUpdate}`,
	);
	if (!best) return undefined;
	const id = String(best.id);
	await attend(transaction, id, call.attended_seconds);
	const update = sql`UPDATE approvals SET caller_waiting = 1, detaches_at = NULL WHERE id = ${id} AND ${usable}`;
	return updateOne(transaction, id, update);
};

const newestFirst = (a: ApprovalRecord, b: ApprovalRecord): number =>
	(a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at) ? 1 : -1;

/** A look for each owner and kept status: the newest of these an index has together, those of all of them none. */
const listNewest = async (
	connection: Connection,
	...[{user_id, team_ids}, status, limit]: Parameters<ApprovalStore['list']>
): Promise<readonly ApprovalRecord[]> => {
	const owners = [sql`user_id = ${user_id}`, ...team_ids.map((team_id) => sql`team_id = ${team_id}`)];
	const looks = owners.flatMap((owner) => seenAs(connection, status).map((seen) => sql`${owner} AND ${seen}`));
	const found = new Map<string, ApprovalRecord>();
	for (const look of looks) {
		const select = selectApprovals(connection, look);
		const rows = await connection.all(sql`${select} ORDER BY created_at DESC, id DESC LIMIT ${integer(limit)}`);
		for (const approval of rows.map(readApproval)) found.set(approval.id, approval);
	}
	return [...found.values()].sort(newestFirst).slice(0, limit);
};

export const createApprovalStore = (connection: Connection): ApprovalStore => ({
	open: async (approval, max_pending) =>
		connection.write(async (transaction) => openApproval(transaction, approval, max_pending)),
	get: async (viewer, id) => {
		const row = await first(connection, selectApprovals(connection, sql`id = ${id} AND ${visibleTo(viewer)}`));
		return row && readApproval(row);
	},
	list: async (...order) => listNewest(connection, ...order),
	settle: async (team_ids, id, decision) =>
		connection.write(async (transaction) => settle(transaction, {id, team_ids}, decision)),
	consume: async (id, continuation) =>
		connection.write(async (transaction) => {
			const update = continuation ? await consumeNext(transaction, id, continuation) : consumeFirst(transaction, id);
			return (await transaction.run(update)) > 0;
		}),
	expireDue: async (limit) => connection.write(async (transaction) => expireDue(transaction, limit)),
	detach: async (id, after_seconds = 0) =>
		connection.write(async (transaction) => {
			await transaction.run(await detach(transaction, id, after_seconds));
			await leaveAlone(transaction, sql`id = ${id} AND consumed_at IS NULL`);
		}),
	reattach: async (call, id) => connection.write(async (transaction) => reattach(transaction, call, id)),
});
