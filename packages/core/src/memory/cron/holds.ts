import type {ExecutionHold} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {rowsWhere} from '../rows.ts';
import type {ExecutionRow, HoldRow} from './tables.ts';

/** Pending, and nobody holds it, or no longer. */
export const isFree = ({status, hold}: ExecutionRow, now: string): boolean =>
	status === 'pending' && (hold === null || hold.leased_until <= now);

/** What the agent has leased or started. */
export const heldCount = (db: MemoryDatabase, agent_id: string): number =>
	rowsWhere(
		db.executions,
		(row) =>
			row.hold?.agent_id === agent_id &&
			(row.status === 'running' || (row.status === 'pending' && !isFree(row, db.now()))),
	).length;

/** The execution of the user, if that is its last lease; it may have ended. */
export const heldRow = (
	db: MemoryDatabase,
	user_id: string,
	{execution_id, lease_token}: ExecutionHold,
): (ExecutionRow & Readonly<{hold: HoldRow}>) | undefined => {
	const row = db.executions.get(execution_id);
	return row?.user_id === user_id && row.hold?.token === lease_token ? {...row, hold: row.hold} : undefined;
};
