import type {ExecutionFilter, ExecutionRecord, ExecutionStore} from '@signalbox/core';
import {type Connection, first, type Reader, type Transaction} from '../connection.ts';
import {newestPage} from '../page.ts';
import {and, integer, raw, type Sql, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {cancelExecution, createExecution, recordOf} from './end-execution.ts';
import {executions} from './executions.table.ts';
import {readOutput, readOutputEnds} from './outputs.ts';
import {purgeExecutions} from './purge-executions.ts';

const matching = (user_id: string, {job_id, status, triggered_by, from, to}: ExecutionFilter): Sql => {
	const conditions = [sql`user_id = ${user_id}`];
	if (job_id !== undefined) conditions.push(sql`job_id = ${job_id}`);
	if (status !== undefined) conditions.push(sql`status = ${status}`);
	if (triggered_by !== undefined) conditions.push(sql`triggered_by = ${triggered_by}`);
	if (from !== undefined) conditions.push(sql`scheduled_for >= ${storedInstant(from)}`);
	if (to !== undefined) conditions.push(sql`scheduled_for < ${storedInstant(to)}`);
	return and(conditions);
};

const ofUser = (user_id: string, id: string): Sql => sql`id = ${id} AND user_id = ${user_id}`;

const findExecution = async (reader: Reader, one: Sql): Promise<ExecutionRecord | undefined> => {
	const row = await first(reader, sql`SELECT ${executions.columns} FROM cron_executions WHERE ${one}`);
	if (row === undefined) return undefined;
	const execution = executions.read(row);
	return recordOf(execution, await readOutput(reader, execution));
};

const listPage = async (
	connection: Connection,
	condition: Sql,
	{output_bytes, ...page}: Parameters<ExecutionStore['list']>[2],
) => {
	const selection = {table: executions, condition, by: raw('scheduled_for')};
	const {data, ...bounds} = await newestPage(connection, selection, page);
	const ends = await readOutputEnds(connection, data, output_bytes);
	return {...bounds, data: data.map((execution) => recordOf(execution, ends.get(execution.id)))};
};

const cancel = async (transaction: Transaction, one: Sql): ReturnType<ExecutionStore['cancel']> => {
	const outcome = (await cancelExecution(transaction, one)) ? 'canceled' : 'final';
	const execution = await findExecution(transaction, one);
	return execution && {outcome, execution};
};

export const createExecutionStore = (connection: Connection): ExecutionStore => ({
	create: async (user_id, execution) =>
		connection.write(async (transaction) => createExecution(transaction, user_id, execution)),
	list: async (user_id, filter, page) => listPage(connection, matching(user_id, filter), page),
	get: async (user_id, id) => findExecution(connection, ofUser(user_id, id)),
	cancel: async (user_id, id) => connection.write(async (transaction) => cancel(transaction, ofUser(user_id, id))),
	untold: async (limit) => {
		const rows = await connection.all(
			sql`SELECT ${executions.columns} FROM cron_executions WHERE untold_since IS NOT NULL
				ORDER BY untold_since, id LIMIT ${integer(limit)}`,
		);
		return rows.map((row) => recordOf(executions.read(row)));
	},
	told: async (id) => {
		await connection.write(async (transaction) =>
			transaction.run(sql`UPDATE cron_executions SET untold_since = NULL WHERE id = ${id}`),
		);
	},
	purge: async (...order) => purgeExecutions(connection, ...order),
});
