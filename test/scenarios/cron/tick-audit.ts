import {rowsOf} from '../../support/data-directory.ts';

/** A job that was made over the API: when it was due first, and how far apart its ticks are. */
export type TickingJob = Readonly<{id: string; first: number; period: number}>;

/** A time in which servers stood still: any of them, which may have held others up, or all. Milliseconds. */
export type Standstill = Readonly<{from: number; until: number; of_all: boolean}>;

/** Names of ticks, `job scheduled_for`, by what is wrong with them. Empty: nothing. */
export type TickFaults = Readonly<{
	/** Two runs of one tick. */
	doubled: readonly string[];
	/** Runs at moments at which the job has no tick, which the job has yet to reach, or which were to come. */
	invented: readonly string[];
	/** Ticks that have neither a run, nor are counted by the next one, nor are on record as too late. */
	lost: readonly string[];
	/** Runs that count more or fewer missed ticks than there were. */
	miscounted: readonly string[];
	/** Too late, although the next tick came before the start deadline, or although nothing held a server up. */
	given_up: readonly string[];
	/** More than one run of the ticks that came while nobody was there. */
	uncollapsed: readonly string[];
}>;

export const noTickFaults: TickFaults = {
	...{doubled: [], invented: [], lost: [], miscounted: [], given_up: [], uncollapsed: []},
};

export type TickAudit = Readonly<{
	faults: TickFaults;
	ticks: number;
	runs: number;
	/** Ticks that a later run counts. */
	missed: number;
	/** Judgements that it was too late. */
	too_late: number;
}>;

type Judged = Readonly<{at: number; missed: number | null}>;

/** When the servers ended, and when some stood still. */
export type Course = Readonly<{end: number; standstills: readonly Standstill[]}>;

type History = TickingJob & Readonly<{judged: readonly Judged[]; next: number}>;

const anHour = 3_600_000;

const timeOf = (stored: unknown): number => Date.parse(`${String(stored).replace(' ', 'T')}Z`);

const readHistories = async (directory: string, jobs: readonly TickingJob[]): Promise<readonly History[]> => {
	const runs = await rowsOf(
		directory,
		"SELECT job_id, scheduled_for, missed_count FROM cron_executions WHERE triggered_by = 'scheduled'",
	);
	const others = await rowsOf(
		directory,
		"SELECT job_id, scheduled_for, NULL AS missed_count FROM cron_occurrences WHERE outcome <> 'fired'",
	);
	const rows = Map.groupBy([...runs, ...others], ({job_id}) => String(job_id));
	const stored = await rowsOf(directory, 'SELECT id, next_run_at FROM cron_jobs');
	const next = new Map(stored.map(({id, next_run_at}) => [id, timeOf(next_run_at)]));
	return jobs.map((job) => ({
		...job,
		next: next.get(job.id) ?? 0,
		judged: (rows.get(job.id) ?? [])
			.map(({scheduled_for, missed_count}) => ({
				at: timeOf(scheduled_for),
				missed: missed_count === null ? null : Number(missed_count),
			}))
			.sort((a, b) => a.at - b.at),
	}));
};

/** Moments of one job, as they are named in faults. */
const named = ({id}: TickingJob, moments: readonly number[]): string[] =>
	moments.map((at) => `${id} ${new Date(at).toISOString()}`);

/** Each judged tick accounts for those since the one before. */
const faultsOf = (history: History, {end, standstills}: Course): TickFaults => {
	const {judged, first, period, next} = history;
	const after = (index: number) => (judged[index - 1]?.at ?? first - period) + period;
	const pick = (is: (tick: Judged, index: number) => boolean) =>
		named(
			history,
			judged.filter(is).map(({at}) => at),
		);
	const covers = ({from, until}: Standstill, at: number) => from < at + anHour && at < until;
	const last = after(judged.length);
	const within = ({from, until}: Standstill) =>
		judged.filter(({at, missed}) => missed !== null && from < at && at < until).map(({at}) => at);
	return {
		doubled: pick(({at}, index) => judged[index - 1]?.at === at),
		invented: pick(({at}) => (at - first) % period !== 0 || at < first || at >= next || at > end),
		lost: last < next ? named(history, [last]) : [],
		miscounted: pick(({at, missed}, index) => missed !== null && missed !== (at - after(index)) / period),
		given_up: pick(
			({at, missed}) => missed === null && (period <= anHour || !standstills.some((each) => covers(each, at))),
		),
		uncollapsed: standstills.filter(({of_all}) => of_all).flatMap((each) => named(history, within(each).slice(1))),
	};
};

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/**
 * Holds what became of the ticks of jobs, in a database that nobody writes, against what should have.
 * @param jobs whose runs may go side by side (`allow`).
 */
export const auditTicks = async (
	directory: string,
	jobs: readonly TickingJob[],
	course: Course,
): Promise<TickAudit> => {
	const histories = await readHistories(directory, jobs);
	const faults = histories.map((history) => faultsOf(history, course));
	const all = (kind: keyof TickFaults) => faults.flatMap((each) => each[kind]);
	const judged = histories.flatMap((history) => history.judged);
	return {
		faults: {
			...{doubled: all('doubled'), invented: all('invented'), lost: all('lost'), miscounted: all('miscounted')},
			...{given_up: all('given_up'), uncollapsed: all('uncollapsed')},
		},
		ticks: total(histories.map(({first, next, period}) => (next - first) / period)),
		runs: judged.filter(({missed}) => missed !== null).length,
		missed: total(judged.map(({missed}) => missed ?? 0)),
		too_late: judged.filter(({missed}) => missed === null).length,
	};
};
