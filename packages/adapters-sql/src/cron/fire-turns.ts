import type {Fired} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {lockRows} from '../lock-rows.ts';
import {join, raw, type Sql, sql} from '../sql.ts';
import {cancelExecution} from './end-execution.ts';
import {type FiringPart, type FiringTurn, never, type TurnExceptions} from './firing-turns.ts';
import {type PackedRows, splitRows, tableOf} from './packed-rows.ts';

/** By job: its scheduled executions that are not over. */
type Live = ReadonlyMap<string, readonly string[]>;

const none: Live = new Map();

const namesOf = ({dialect}: Transaction, {cells}: PackedRows): Sql =>
	sql`SELECT f.name FROM ${dialect.fields(cells)} f`;

const lockJobs = async (transaction: Transaction, turn: FiringTurn): Promise<void> => {
	const names = turn.map(({rows}) => namesOf(transaction, rows));
	await lockRows(transaction, 'cron_jobs', sql`(${join(names, ' UNION ALL ')})`);
};

/** What was fired, or whose job was changed, meanwhile is lost; of the rest, the ticks that were judged before are `judged`. */
const readStale = async (transaction: Transaction, rows: PackedRows) => {
	const stale = await transaction.all(
		sql`SELECT f.name, j.id IS NULL AS is_lost FROM ${tableOf(transaction.dialect, rows)} f
			LEFT JOIN cron_jobs j ON j.id = f.name AND j.is_enabled = 1 AND j.next_run_at = f.from_at
			LEFT JOIN cron_occurrences o
				ON o.user_id = j.user_id AND o.scheduled_for = f.scheduled_for AND o.job_id = j.id
			WHERE j.id IS NULL OR o.job_id IS NOT NULL`,
	);
	const namesWhere = (is_lost: number) =>
		new Set(stale.filter((row) => Number(row.is_lost) === is_lost).map(({name}) => String(name)));
	return {lost: namesWhere(1), judged: namesWhere(0)};
};

const moveOn = async ({dialect, run}: Transaction, rows: PackedRows): Promise<void> => {
	if (rows.size === 0) return;
	await run(
		dialect.updateFrom({
			...{table: 'cron_jobs', rows: tableOf(dialect, rows), on: raw('cron_jobs.id = f.name')},
			...{column: 'next_run_at', value: sql`NULLIF(f.next_run_at, ${never})`},
		}),
	);
};

const readLive = async (transaction: Transaction, {policy, rows}: FiringPart): Promise<Live> => {
	if (policy === 'too_late' || policy === 'allow') return none;
	const live = await transaction.all(
		sql`SELECT job_id, id FROM cron_executions WHERE job_id IN (${namesOf(transaction, rows)})
			AND triggered_by = 'scheduled' AND ${transaction.dialect.isSet('watched_at')} ORDER BY id`,
	);
	const byJob = Map.groupBy(live, ({job_id}) => String(job_id));
	return new Map(Array.from(byJob, ([job_id, its]) => [job_id, its.map(({id}) => String(id))] as const));
};

const recordOccurrences = async (transaction: Transaction, rows: PackedRows, outcome: Fired['outcome']) => {
	if (rows.size === 0) return;
	await transaction.run(
		sql`INSERT INTO cron_occurrences (user_id, scheduled_for, job_id, outcome)
			SELECT j.user_id, f.scheduled_for, j.id, ${outcome}
			FROM ${tableOf(transaction.dialect, rows)} f CROSS JOIN cron_jobs j ON j.id = f.name`,
	);
};

const created = raw(
	`id, job_id, job_name, user_id, team_id, agent_id, status, triggered_by, attempt, scheduled_for, due_at,
	start_deadline_at, missed_count, truncated, available_at, watched_at, kept_bytes, received_bytes`,
);

/** Pending ones, as `pendingExecution` has them: what they take from their jobs does not leave the database. */
const createExecutions = async (transaction: Transaction, rows: PackedRows): Promise<void> => {
	if (rows.size === 0) return;
	await transaction.run(
		sql`INSERT INTO cron_executions (${created})
			SELECT f.id, j.id, j.name, j.user_id, j.team_id, j.agent_id, 'pending', 'scheduled', 1, f.scheduled_for,
				f.scheduled_for, f.start_deadline_at, f.missed_count, 0, f.scheduled_for, f.start_deadline_at, 0, 0
			FROM ${tableOf(transaction.dialect, rows)} f CROSS JOIN cron_jobs j ON j.id = f.name`,
	);
};

/** Fires what nobody has fired yet, as far as the job's other runs let it. */
const firePart = async (transaction: Transaction, part: FiringPart): Promise<[string, Fired][]> => {
	const {policy, rows} = part;
	if (policy === 'too_late') {
		await recordOccurrences(transaction, rows, policy);
		return [];
	}
	const live = await readLive(transaction, part);
	const busy = new Set(policy === 'forbid' ? live.keys() : []);
	const {named: skipped, others: fired} = splitRows(rows, busy);
	await recordOccurrences(transaction, skipped, 'skipped');
	await recordOccurrences(transaction, fired, 'fired');
	const replaced = policy === 'replace' ? [...live] : [];
	for (const id of replaced.flatMap(([, ids]) => ids)) await cancelExecution(transaction, sql`id = ${id}`);
	await createExecutions(transaction, fired);
	return [
		...Array.from(busy, (job_id): [string, Fired] => [job_id, {outcome: 'skipped'}]),
		...replaced.map(([job_id, ids]): [string, Fired] => [job_id, {outcome: 'fired', replaced: ids}]),
	];
};

/** Moves all on that still are where they were. @returns of those what nobody has fired yet. */
const takeFresh = async (transaction: Transaction, {policy, rows}: FiringPart) => {
	const {lost, judged} = await readStale(transaction, rows);
	const {others: taken} = splitRows(rows, lost);
	await moveOn(transaction, taken);
	const {others: fresh} = splitRows(taken, judged);
	return {fresh: {policy, rows: fresh}, stale: [...lost, ...judged]};
};

const fireTurn = async (transaction: Transaction, turn: FiringTurn): Promise<TurnExceptions> => {
	await lockJobs(transaction, turn);
	const exceptions: [string, Fired][] = [];
	for (const part of turn) {
		const {fresh, stale} = await takeFresh(transaction, part);
		for (const job_id of stale) exceptions.push([job_id, {outcome: 'lost'}]);
		exceptions.push(...(await firePart(transaction, fresh)));
	}
	return exceptions;
};

/** Fires turns, one after the other. */
export const fireTurns = async (
	transaction: Transaction,
	turns: readonly FiringTurn[],
): Promise<readonly TurnExceptions[]> => {
	const exceptions: TurnExceptions[] = [];
	for (const turn of turns) exceptions.push(await fireTurn(transaction, turn));
	return exceptions;
};
