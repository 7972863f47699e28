import type {Fired, Firing} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {raw, type Sql, type SqlValue, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {cancelExecution} from './end-execution.ts';

/** A firing and what became of it, which is settled as it goes. */
type Case = {readonly firing: Firing; fired: Fired};

/** Cases as a table in FROM, all of them one value that is bound: thousands take one statement, no longer than for a few. */
type CaseTable = Readonly<{cases: readonly Case[]; rows: Sql}>;

const columns = ['job_id', 'from_at', 'scheduled_for', 'id', 'start_deadline_at', 'missed_count'];

const tupleOf = ({firing: {job_id, from, scheduled_for, execution}}: Case): readonly SqlValue[] => {
	const due = storedInstant(from);
	const occurrence = [job_id, due, scheduled_for === from ? due : storedInstant(scheduled_for)];
	if (execution === null) return occurrence;
	return [...occurrence, execution.id, storedInstant(execution.start_deadline_at), execution.missed_count];
};

const tableOf = ({dialect}: Transaction, cases: readonly Case[]): CaseTable => ({
	cases,
	rows: dialect.records(JSON.stringify(cases.map(tupleOf)), columns),
});

/** Those of a table that are wanted, which mostly are all. */
const those = (
	transaction: Transaction,
	table: CaseTable,
	isWanted: (one: Case, place: number) => boolean,
): CaseTable => {
	const cases = table.cases.filter(isWanted);
	return cases.length === table.cases.length ? table : tableOf(transaction, cases);
};

/** What was fired, or whose job was changed, meanwhile is lost; of the rest, the ticks that were judged before are `judged`. */
const readStale = async (transaction: Transaction, {rows: table}: CaseTable) => {
	const rows = await transaction.all(
		sql`SELECT f.place, j.id IS NULL AS is_lost FROM ${table} f
			LEFT JOIN cron_jobs j ON j.id = f.job_id AND j.is_enabled = 1 AND j.next_run_at = f.from_at
			LEFT JOIN cron_occurrences o
				ON o.user_id = j.user_id AND o.scheduled_for = f.scheduled_for AND o.job_id = j.id
			WHERE j.id IS NULL OR o.job_id IS NOT NULL ${transaction.dialect.forUpdate}`,
	);
	const placesOf = (is_lost: number) =>
		new Set(rows.filter((row) => Number(row.is_lost) === is_lost).map(({place}) => Number(place)));
	return {lost: placesOf(1), judged: placesOf(0)};
};

const idsOf = ({dialect}: Transaction, cases: readonly Case[]): Sql =>
	dialect.records(JSON.stringify(cases.map(({firing}) => [firing.job_id])), ['job_id']);

/** Jobs that are next due together take one statement together. */
const moveOn = async (transaction: Transaction, cases: readonly Case[]): Promise<void> => {
	for (const [next_run_at, group] of Map.groupBy(cases, ({firing}) => firing.next_run_at)) {
		await transaction.run(
			sql`UPDATE cron_jobs SET next_run_at = ${next_run_at && storedInstant(next_run_at)}
				WHERE id IN (SELECT f.job_id FROM ${idsOf(transaction, group)} f)`,
		);
	}
};

/** By job: its scheduled executions that are not over. */
const readLive = async (transaction: Transaction, cases: readonly Case[]) => {
	if (cases.length === 0) return new Map<string, readonly string[]>();
	const rows = await transaction.all(
		sql`SELECT job_id, id FROM cron_executions
			WHERE job_id IN (SELECT f.job_id FROM ${idsOf(transaction, cases)} f)
			AND triggered_by = 'scheduled' AND watched_at IS NOT NULL ORDER BY id`,
	);
	const byJob = Map.groupBy(rows, (row) => String(row.job_id));
	return new Map(Array.from(byJob, ([id, live]) => [id, live.map((row) => String(row.id))] as const));
};

const outcomeOf = ({execution, concurrency}: Firing, live: readonly string[]): Exclude<Fired, {outcome: 'lost'}> => {
	if (execution === null) return {outcome: 'too_late'};
	if (concurrency === 'forbid' && live.length > 0) return {outcome: 'skipped'};
	return {outcome: 'fired', replaced: concurrency === 'replace' ? live : []};
};

const judge = async (transaction: Transaction, cases: readonly Case[]): Promise<void> => {
	const limited = cases.filter(({firing}) => firing.execution !== null && firing.concurrency !== 'allow');
	const live = await readLive(transaction, limited);
	for (const one of cases) one.fired = outcomeOf(one.firing, live.get(one.firing.job_id) ?? []);
};

const recordOccurrences = async (transaction: Transaction, table: CaseTable, outcome: Fired['outcome']) => {
	const {cases, rows} = those(transaction, table, ({fired}) => fired.outcome === outcome);
	if (cases.length === 0) return;
	await transaction.run(
		sql`INSERT INTO cron_occurrences (user_id, scheduled_for, job_id, outcome)
			SELECT j.user_id, f.scheduled_for, j.id, ${outcome} FROM ${rows} f CROSS JOIN cron_jobs j ON j.id = f.job_id`,
	);
};

const created = raw(
	`id, job_id, job_name, user_id, team_id, agent_id, status, triggered_by, attempt, scheduled_for, due_at,
	start_deadline_at, missed_count, truncated, available_at, watched_at, kept_bytes, received_bytes`,
);

/** Pending ones, as `pendingExecution` has them: what they take from their jobs does not leave the database. */
const createExecutions = async (transaction: Transaction, table: CaseTable): Promise<void> => {
	const {cases, rows} = those(transaction, table, ({fired}) => fired.outcome === 'fired');
	if (cases.length === 0) return;
	await transaction.run(
		sql`INSERT INTO cron_executions (${created})
			SELECT f.id, j.id, j.name, j.user_id, j.team_id, j.agent_id, 'pending', 'scheduled', 1, f.scheduled_for,
				f.scheduled_for, f.start_deadline_at, f.missed_count, 0, f.scheduled_for, f.start_deadline_at, 0, 0
			FROM ${rows} f CROSS JOIN cron_jobs j ON j.id = f.job_id`,
	);
};

const cancelReplaced = async (transaction: Transaction, cases: readonly Case[]): Promise<void> => {
	const ids = cases.flatMap(({fired}) => (fired.outcome === 'fired' ? fired.replaced : []));
	for (const id of ids) await cancelExecution(transaction, sql`id = ${id}`);
};

/** Fires cases of a job each. */
const fireEach = async (transaction: Transaction, cases: readonly Case[]): Promise<void> => {
	const all = tableOf(transaction, cases);
	const {lost, judged} = await readStale(transaction, all);
	await moveOn(
		transaction,
		cases.filter((_, place) => !lost.has(place)),
	);
	const fresh = those(transaction, all, (_, place) => !lost.has(place) && !judged.has(place));
	await judge(transaction, fresh.cases);
	for (const outcome of ['fired', 'skipped', 'too_late'] as const) await recordOccurrences(transaction, fresh, outcome);
	await cancelReplaced(transaction, fresh.cases);
	await createExecutions(transaction, fresh);
};

/** The first firings of each job, then the second ones, and so on: each sees what those before it did. */
const inTurns = (cases: readonly Case[]): Iterable<readonly Case[]> => {
	const seen = new Map<string, number>();
	return Map.groupBy(cases, ({firing}) => {
		const turn = seen.get(firing.job_id) ?? 0;
		seen.set(firing.job_id, turn + 1);
		return turn;
	}).values();
};

/** Fires a group, in its order. @returns of each what became of it. */
export const fireGroup = async (transaction: Transaction, firings: readonly Firing[]): Promise<readonly Fired[]> => {
	const cases = firings.map((firing): Case => ({firing, fired: {outcome: 'lost'}}));
	for (const turn of inTurns(cases)) await fireEach(transaction, turn);
	return cases.map(({fired}) => fired);
};
