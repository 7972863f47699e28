import type {Fired, Firing} from '@signalbox/core';
import {storedInstant} from '../table.ts';
import {type PackedRows, packRows} from './packed-rows.ts';

/** Firings that are judged alike, by their jobs. `too_late`: nothing runs. */
export type FiringPart = Readonly<{policy: Firing['concurrency'] | 'too_late'; rows: PackedRows}>;

/** Firings of a job each, packed: they go to another thread, and from there into statements, as a few texts. */
export type FiringTurn = readonly FiringPart[];

/** In the place of an instant, and as long. */
export const never = '----------- never -----';

/** By job, what became of firings that were not simply fired, or too late. */
export type TurnExceptions = readonly (readonly [job_id: string, fired: Fired])[];

/** Instants are written as they are stored, each once: most firings share them. */
const storing = (): ((instant: string) => string) => {
	const stored = new Map<string, string>();
	return (instant) => {
		const known = stored.get(instant) ?? storedInstant(instant);
		stored.set(instant, known);
		return known;
	};
};

const policyOf = ({execution, concurrency}: Firing): FiringPart['policy'] =>
	execution === null ? 'too_late' : concurrency;

/** Digits of a count: the values of a column are of one length. */
const digits = 16;

const packTurn = (firings: readonly Firing[]): FiringTurn => {
	const stored = storing();
	const cellsOf = ({job_id, from, next_run_at, scheduled_for, execution}: Firing) =>
		[
			job_id,
			stored(from),
			next_run_at === null ? never : stored(next_run_at),
			stored(scheduled_for),
			execution === null ? never : stored(execution.start_deadline_at),
			String(execution?.missed_count ?? 0).padStart(digits, '0'),
			execution?.id ?? '',
		] as const;
	const columns = ['from_at', 'next_run_at', 'scheduled_for', 'start_deadline_at', 'missed_count', 'id'];
	const parts = Map.groupBy(firings, policyOf);
	return Array.from(parts, ([policy, alike]) => ({policy, rows: packRows(columns, alike.map(cellsOf))}));
};

/** The first firings of each job, then the second ones, and so on: each sees what those before it did. */
const inTurns = (firings: readonly Firing[]): readonly (readonly Firing[])[] => {
	const seen = new Map<string, number>();
	const turns = Map.groupBy(firings, ({job_id}) => {
		const turn = seen.get(job_id) ?? 0;
		seen.set(job_id, turn + 1);
		return turn;
	});
	return [...turns.values()];
};

const firedOf = (firing: Firing): Fired =>
	firing.execution === null ? {outcome: 'too_late'} : {outcome: 'fired', replaced: []};

/** Packs firings. `answers` says of each, in its place, what became of it, by the exceptions of each turn. */
export const packFirings = (firings: readonly Firing[]) => {
	const turns = inTurns(firings);
	const answers = (exceptions: readonly TurnExceptions[]): readonly Fired[] => {
		const fired = new Map<Firing, Fired>();
		for (const [index, turn] of turns.entries()) {
			const other = new Map(exceptions[index]);
			if (other.size > 0) for (const firing of turn) fired.set(firing, other.get(firing.job_id) ?? firedOf(firing));
		}
		return firings.map((firing) => fired.get(firing) ?? firedOf(firing));
	};
	return {turns: turns.map(packTurn), answers};
};
