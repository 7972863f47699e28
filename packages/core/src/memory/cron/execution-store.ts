import type {ExecutionFilter, ExecutionStore} from '../../ports/index.ts';
import {keptSince, type Retention} from '../../values/retention.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, pageOf, rowsWhere} from '../rows.ts';
import {deleteExecution} from './cascades.ts';
import {addDueExecution, cancelExecution, isOpen, recordOf} from './executions.ts';
import type {ExecutionRow} from './tables.ts';

const latestFirst = (a: ExecutionRow, b: ExecutionRow): number => by('scheduled_for', 'id')(b, a);

const matches = (row: ExecutionRow, {job_id, status, triggered_by, from, to}: ExecutionFilter): boolean =>
	(job_id === undefined || row.job_id === job_id) &&
	(status === undefined || row.status === status) &&
	(triggered_by === undefined || row.triggered_by === triggered_by) &&
	(from === undefined || row.scheduled_for >= from) &&
	(to === undefined || row.scheduled_for < to);

const purge = (db: MemoryDatabase, retention: Retention, limit: number): number => {
	const edgeOf = (user_id: string) => keptSince(retention, db.users.get(user_id)?.plan, db.now());
	const ended = rowsWhere(
		db.executions,
		({completed_at, user_id}) => completed_at !== null && completed_at < edgeOf(user_id),
	).slice(0, limit);
	for (const {id} of ended) deleteExecution(db, id);
	const occurred = [...db.occurrences]
		.filter(([, {user_id, scheduled_for}]) => scheduled_for < edgeOf(user_id))
		.slice(0, limit);
	for (const [key] of occurred) db.occurrences.delete(key);
	return ended.length + occurred.length;
};

export const createExecutionStore = (db: MemoryDatabase): ExecutionStore => {
	const find = (user_id: string, id: string) => {
		const row = db.executions.get(id);
		return row?.user_id === user_id ? row : undefined;
	};
	return {
		create: async (user_id, execution) => recordOf(addDueExecution(db, user_id, execution)),
		list: async (user_id, filter, {output_bytes, ...page}) => {
			const rows = rowsWhere(db.executions, (row) => row.user_id === user_id && matches(row, filter));
			const {data, ...bounds} = pageOf(rows.sort(latestFirst), page);
			return {...bounds, data: data.map((row) => recordOf(row, output_bytes))};
		},
		get: async (user_id, id) => {
			const row = find(user_id, id);
			return row && recordOf(row);
		},
		cancel: async (user_id, id) => {
			const row = find(user_id, id);
			if (row === undefined) return undefined;
			if (!isOpen(row)) return {outcome: 'final', execution: recordOf(row)};
			return {outcome: 'canceled', execution: recordOf(cancelExecution(db, row))};
		},
		untold: async (limit) =>
			rowsWhere(db.executions, ({tells}) => tells)
				.map((row) => ({...row, completed_at: row.completed_at ?? ''}))
				.sort(by('completed_at', 'id'))
				.slice(0, limit)
				.map((row) => recordOf(row, 0)),
		told: async (id) => {
			const row = db.executions.get(id);
			if (row !== undefined) db.executions.set(id, {...row, tells: false});
		},
		purge: async (retention, limit) => purge(db, retention, limit),
	};
};
