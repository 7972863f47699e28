import type {Transaction} from './connection.ts';
import {list, type Sql} from './sql.ts';

/**
 * Makes parallel decisions about what belongs to rows queue at them until their transactions end: whoever counts before
 * inserting (plan limits, pending approvals, claims, owners) calls this first, so that counting and inserting are one
 * decision at any isolation level.
 * @param ids A list of them, or a SELECT in parentheses.
 */
export const lockRows = async (transaction: Transaction, table: string, ids: Sql): Promise<void> => {
	const lock = transaction.dialect.lockRows(table, ids);
	if (lock) await transaction.later(lock);
};

export const lockRow = async (transaction: Transaction, table: string, id: string): Promise<void> =>
	lockRows(transaction, table, list([id]));
