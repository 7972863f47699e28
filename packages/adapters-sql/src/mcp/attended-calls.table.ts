import {plusSeconds} from '@signalbox/core';
import {storeNow, type Transaction} from '../connection.ts';
import {type Sql, sql} from '../sql.ts';
import {defineTable, instant, text} from '../table.ts';

/** Approvals whose call a process holds or runs; the row goes when the caller leaves, or with the outcome's log entry. */
export const attendedCalls = defineTable<Readonly<{approval_id: string; attended_until: string}>>('attended_calls', {
	approval_id: text(),
	attended_until: instant,
});

/** Marks an approval as attended for that many seconds, whatever was known of it. */
export const attend = async (transaction: Transaction, approval_id: string, seconds: number): Promise<void> => {
	const attended_until = plusSeconds(await storeNow(transaction), seconds);
	await transaction.run(sql`DELETE FROM attended_calls WHERE approval_id = ${approval_id}`);
	await transaction.run(attendedCalls.insert([{approval_id, attended_until}]));
};

/** Nobody attends to those of these approvals that somebody did attend to. */
export const leaveAlone = async (transaction: Transaction, which: Sql): Promise<void> => {
	await transaction.run(sql`DELETE FROM attended_calls WHERE approval_id IN (SELECT id FROM approvals WHERE ${which})`);
};
