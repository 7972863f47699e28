import {first, type Transaction} from './connection.ts';
import type {Sql} from './sql.ts';
import type {Row} from './table.ts';

/**
 * Compare-and-set: one UPDATE whose WHERE names the state it starts from, and the row as it is then. Neither RETURNING,
 * which MySQL lacks, nor an isolation level is relied on: the UPDATE itself judges the row as it stands, and holds it
 * until the end of the transaction.
 * @returns the row, or undefined when the UPDATE met no row in that state.
 */
export const guardedUpdate = async (transaction: Transaction, update: Sql, select: Sql): Promise<Row | undefined> =>
	(await transaction.run(update)) === 0 ? undefined : first(transaction, select);
