import type {Goal} from '../proxy/goals.ts';
import type {DueFigures, UpcomingFigures} from './contestants.ts';
import {names} from './contestants.ts';

/** Medians over the rounds. */
export type Row = DueFigures & Readonly<{name: string}>;

const over = (a: number | undefined, b: number | undefined): number | undefined =>
	a === undefined || b === undefined ? undefined : a / b;

const atMost = (title: string, limit: number, value: number | undefined): Goal => ({
	...{title, bound: 'at most', limit, unit: 'ms'},
	...(value === undefined ? {} : {value}),
});

const against = (title: string, limit: number, value: number | undefined): Goal => ({
	...{title, bound: 'at least', limit, unit: 'x'},
	...(value === undefined ? {} : {value}),
});

/** The goals of cron over everything that was measured. */
export const judgeGoals = (rows: readonly Row[], upcoming: UpcomingFigures): readonly Goal[] => {
	const of = (name: string): Row | undefined => rows.find((row) => row.name === name);
	const [ours, distinct] = [of(names.ours), of(names.oursDistinct)];
	return [
		atMost(`until all are kept, ${names.ours}`, 250, ours?.ms),
		atMost(`until all are kept, ${names.oursDistinct}`, 700, distinct?.ms),
		atMost('longest stop of the event loop', 25, ours?.block_ms),
		against(`${names.bullmq} takes as long`, 7, over(of(names.bullmq)?.ms, ours?.ms)),
		against(`${names.croner} take as long`, 8, over(of(names.croner)?.ms, ours?.ms)),
		atMost(`longest stop of the event loop, ${names.oursDistinct}`, 25, distinct?.block_ms),
		{...atMost('peak memory', 150, ours?.peak_mb), unit: 'MiB'},
		atMost('first page of what is next', 100, upcoming.p50_ms),
	];
};
