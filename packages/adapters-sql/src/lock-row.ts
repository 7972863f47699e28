import type {Transaction} from './connection.ts';

/**
 * Makes parallel decisions about what belongs to a row queue at it until their transactions end: whoever counts before
 * inserting (plan limits, pending approvals, claims, owners) calls this first, so that counting and inserting are one
 * decision at any isolation level.
 */
export const lockRow = async (transaction: Transaction, table: string, id: string): Promise<void> => {
	const lock = transaction.dialect.lockRow(table, id);
	if (lock) await transaction.all(lock);
};
