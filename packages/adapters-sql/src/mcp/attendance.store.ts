import {type AttendanceStore, plusSeconds} from '@signalbox/core';
import {type Connection, type Reader, storeNow, type Transaction} from '../connection.ts';
import {integer, list, type Sql, sql} from '../sql.ts';
import {readApproval, selectApprovals} from './approvals.store.ts';
import {attendedCalls, leaveAlone} from './attended-calls.table.ts';

const isLapsed = (reader: Reader): Sql => sql`attended_until <= ${reader.now()}`;

const release = async (transaction: Transaction, id: string): Promise<boolean> => {
	const unused = sql`SELECT id FROM approvals WHERE id = ${id} AND consumed_at IS NULL ${transaction.dialect.forUpdate}`;
	if ((await transaction.all(unused)).length === 0) return false;
	const lapsed = sql`approval_id = ${id} AND ${isLapsed(transaction)}`;
	if ((await transaction.run(sql`DELETE FROM attended_calls WHERE ${lapsed}`)) === 0) return false;
	await transaction.run(sql`UPDATE approvals SET caller_waiting = 0 WHERE id = ${id}`);
	return true;
};

export const createAttendanceStore = (connection: Connection): AttendanceStore => ({
	renew: async (approval_ids, attended_seconds) => {
		await connection.write(async (transaction) => {
			const attended_until = plusSeconds(await storeNow(transaction), attended_seconds);
			const update = sql`UPDATE attended_calls SET ${attendedCalls.set({attended_until})}`;
			await transaction.run(sql`${update} WHERE approval_id IN ${list(approval_ids)}`);
		});
	},
	lapsed: async (limit) => {
		const ids = await connection.all(
			sql`SELECT approval_id FROM attended_calls WHERE ${isLapsed(connection)}
				ORDER BY attended_until LIMIT ${integer(limit)}`,
		);
		return ids.map(({approval_id}) => String(approval_id));
	},
	stillLapsed: async (approval_ids) => {
		if (approval_ids.length === 0) return [];
		const still = sql`SELECT approval_id FROM attended_calls
			WHERE approval_id IN ${list(approval_ids)} AND ${isLapsed(connection)}`;
		return (await connection.all(selectApprovals(connection, sql`id IN (${still})`))).map(readApproval);
	},
	end: async (id) => {
		const consumed = sql`id = ${id} AND consumed_at IS NOT NULL`;
		await connection.write(async (transaction) => leaveAlone(transaction, consumed));
	},
	release: async (id) => connection.write(async (transaction) => release(transaction, id)),
});
