import type {Fired, Firing} from '@signalbox/core';
import type {Transaction} from '../connection.ts';
import {paddedList, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {cancelExecution} from './end-execution.ts';
import {newExecutions, type Occurrence, occurrences, pendingExecution} from './executions.table.ts';
import type {JobRow} from './jobs.table.ts';

/** A job as it stands between the firings of a group. */
type FiredJob = Pick<JobRow, 'name' | 'user_id' | 'team_id' | 'agent_id'> & {next_run_at: string | null};

/** What a group of firings is judged by. It changes from firing to firing, so that each sees what those before it did. */
type Facts = Readonly<{
	jobs: ReadonlyMap<string, FiredJob>;
	/** By `occurrenceKey`. */
	judged: Set<string>;
	/** By job: its scheduled executions that are not over. */
	live: Map<string, readonly string[]>;
}>;

type Verdict = Readonly<{
	fired: Fired;
	occurrence: Occurrence;
	execution: Parameters<typeof pendingExecution>[0] | undefined;
}>;

const occurrenceKey = (job_id: unknown, scheduled_for: unknown): string => `${job_id} ${scheduled_for}`;

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

const readJobs = async (transaction: Transaction, ids: readonly string[]) => {
	const rows = await transaction.all(
		sql`SELECT id, name, user_id, team_id, agent_id, next_run_at FROM cron_jobs
			WHERE id IN ${paddedList(ids)} AND is_enabled = 1 ${transaction.dialect.forUpdate}`,
	);
	return new Map(rows.map(({id, ...job}) => [String(id), job as FiredJob]));
};

/**
 * Firings of one user at one moment, and most are, take one statement together. A group is fired in the order of its ids:
 * others of the same moment are mostly before and behind it, so that what is read is little.
 */
const readJudged = async (transaction: Transaction, jobs: Facts['jobs'], firings: readonly Firing[]) => {
	const judged = new Set<string>();
	const ticks = Map.groupBy(firings, ({job_id, scheduled_for}) =>
		JSON.stringify([jobs.get(job_id)?.user_id ?? '', storedInstant(scheduled_for)]),
	);
	for (const [tick, alike] of ticks) {
		const [user_id, scheduled_for] = JSON.parse(tick);
		const ids = alike.map(({job_id}) => job_id).sort();
		const rows = await transaction.all(
			sql`SELECT job_id FROM cron_occurrences WHERE user_id = ${user_id} AND scheduled_for = ${scheduled_for}
				AND job_id >= ${ids[0] ?? ''} AND job_id <= ${ids.at(-1) ?? ''}`,
		);
		for (const {job_id} of rows) judged.add(occurrenceKey(job_id, scheduled_for));
	}
	return judged;
};

const readLive = async (transaction: Transaction, ids: readonly string[]) => {
	const rows = await transaction.all(
		sql`SELECT job_id, id FROM cron_executions
			WHERE job_id IN ${paddedList(ids)} AND triggered_by = 'scheduled' AND watched_at IS NOT NULL ORDER BY id`,
	);
	const byJob = Map.groupBy(rows, ({job_id}) => String(job_id));
	return new Map(Array.from(byJob, ([job_id, live]) => [job_id, live.map(({id}) => String(id))] as const));
};

const readFacts = async (transaction: Transaction, firings: readonly Firing[]): Promise<Facts> => {
	const ids = distinct(firings.map(({job_id}) => job_id));
	const jobs = await readJobs(transaction, ids);
	return {
		jobs,
		judged: await readJudged(transaction, jobs, firings),
		live: await readLive(transaction, ids),
	};
};

const outcomeOf = ({job_id, execution, concurrency}: Firing, {live}: Facts): Exclude<Fired, {outcome: 'lost'}> => {
	if (execution === null) return {outcome: 'too_late'};
	const running = live.get(job_id) ?? [];
	if (concurrency === 'forbid' && running.length > 0) return {outcome: 'skipped'};
	return {outcome: 'fired', replaced: concurrency === 'replace' ? running : []};
};

const executionOf = (
	{job_id, scheduled_for, execution}: Firing,
	{name: job_name, user_id, team_id, agent_id}: FiredJob,
	{outcome}: Fired,
): Verdict['execution'] => {
	if (execution === null || outcome !== 'fired') return undefined;
	const by = {triggered_by: 'scheduled', attempt: 1, retry_of: null} as const;
	return {...execution, ...by, job_id, job_name, user_id, team_id, agent_id, scheduled_for};
};

/** Notes in the facts what the firing does to them. Undefined: somebody else fired it, or the job is another one by now. */
const judge = (firing: Firing, facts: Facts): Verdict | undefined => {
	const {job_id, from, next_run_at, scheduled_for} = firing;
	const job = facts.jobs.get(job_id);
	if (job?.next_run_at !== storedInstant(from)) return undefined;
	job.next_run_at = next_run_at && storedInstant(next_run_at);
	const key = occurrenceKey(job_id, storedInstant(scheduled_for));
	if (facts.judged.has(key)) return undefined;
	facts.judged.add(key);
	const fired = outcomeOf(firing, facts);
	const execution = executionOf(firing, job, fired);
	if (execution && fired.outcome === 'fired') {
		const others = fired.replaced.length > 0 ? [] : (facts.live.get(job_id) ?? []);
		facts.live.set(job_id, [...others, execution.id]);
	}
	return {fired, occurrence: {job_id, scheduled_for, user_id: job.user_id, outcome: fired.outcome}, execution};
};

/** Jobs that are next due together take one statement together. */
const moveOn = async (transaction: Transaction, {jobs}: Facts, firings: readonly Firing[]) => {
	const ids = distinct(firings.map(({job_id}) => job_id));
	const alike = Map.groupBy(ids, (id) => jobs.get(id)?.next_run_at ?? null);
	for (const [next_run_at, group] of alike) {
		await transaction.run(sql`UPDATE cron_jobs SET next_run_at = ${next_run_at} WHERE id IN ${paddedList(group)}`);
	}
};

const cancelReplaced = async (transaction: Transaction, verdicts: readonly Verdict[]): Promise<void> => {
	const ids = verdicts.flatMap(({fired}) => (fired.outcome === 'fired' ? fired.replaced : []));
	for (const id of ids) await cancelExecution(transaction, sql`id = ${id}`);
};

/** Fires a group, in its order. @returns of each what became of it. */
export const fireGroup = async (transaction: Transaction, firings: readonly Firing[]): Promise<readonly Fired[]> => {
	const facts = await readFacts(transaction, firings);
	const before = new Map(Array.from(facts.jobs, ([id, {next_run_at}]) => [id, next_run_at]));
	const judged = firings.map((firing) => judge(firing, facts));
	const verdicts = judged.filter((verdict) => verdict !== undefined);
	await moveOn(
		transaction,
		facts,
		firings.filter(({job_id}) => facts.jobs.get(job_id)?.next_run_at !== before.get(job_id)),
	);
	await transaction.insert(
		occurrences,
		verdicts.map(({occurrence}) => occurrence),
	);
	await transaction.insert(
		newExecutions,
		verdicts.flatMap(({execution}) => (execution ? [pendingExecution(execution)] : [])),
	);
	await cancelReplaced(transaction, verdicts);
	return judged.map((verdict) => verdict?.fired ?? {outcome: 'lost'});
};
