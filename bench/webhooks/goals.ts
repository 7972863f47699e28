import type {Goal} from '../proxy/goals.ts';
import type {Delay} from './measure.ts';
import type {Row} from './summary.ts';
import type {TargetName} from './target.ts';

/** Everything that was measured; a part that was left out is empty. */
export type Figures = Readonly<{
	delivered: readonly Row[];
	accepted: readonly Row[];
	paced: readonly Delay[];
	flood: readonly Row[];
	statements_per_event: number | undefined;
}>;

const named = <T extends Readonly<{name: TargetName}>>(rows: readonly T[], name: TargetName): T | undefined =>
	rows.find((row) => row.name === name);

const over = (a: number | undefined, b: number | undefined): number | undefined =>
	a === undefined || b === undefined ? undefined : a / b;

const deliveredAgainst = ({delivered}: Figures, name: TargetName, limit: number): Goal => ({
	title: `events delivered against ${name}`,
	bound: 'at least',
	limit,
	unit: 'x',
	value: over(named(delivered, 'ours')?.delivered_per_s, named(delivered, name)?.delivered_per_s),
});

/** Of deliveries: a webhook that goes to three destinations is sent three times. */
const fanOut = ({delivered}: Figures): Goal => {
	const events = named(delivered, 'ours, fan-out 3')?.delivered_per_s;
	return {
		title: 'deliveries at fan-out 3 against fan-out 1',
		bound: 'at least',
		limit: 0.8,
		unit: 'x',
		value: over(events && 3 * events, named(delivered, 'ours')?.delivered_per_s),
	};
};

const acceptedAgainst = (
	{accepted}: Figures,
	[name, other]: readonly [TargetName, TargetName],
	limit: number,
): Goal => ({
	title: `${name}, against ${other}`,
	bound: 'at least',
	limit,
	unit: 'x',
	value: over(named(accepted, name)?.accepted_per_s, named(accepted, other)?.accepted_per_s),
});

const atMost = (title: string, [limit, unit]: readonly [number, string], value: number | undefined): Goal => ({
	...{title, bound: 'at most', limit, unit},
	value,
});

/** The goals of webhooks over everything that was measured. */
export const judgeGoals = (figures: Figures): readonly Goal[] => [
	deliveredAgainst(figures, 'BullMQ', 1.5),
	deliveredAgainst(figures, 'Node-RED', 4),
	deliveredAgainst(figures, 'plain', 15),
	fanOut(figures),
	acceptedAgainst(figures, ['ours, accept alone', 'one insert per event'], 2.5),
	acceptedAgainst(figures, ['ours on MariaDB, accept alone', 'ours, accept alone'], 0.8),
	atMost('p99 until accepted, 32 connections', [30, 'ms'], named(figures.delivered, 'ours')?.p99_ms),
	atMost('p99 until delivered, 40 events/s', [10, 'ms'], named(figures.paced, 'ours')?.p99_ms),
	atMost('peak memory in the flood', [300, 'MiB'], named(figures.flood, 'ours')?.peak_mb),
	atMost('SQL statements an event, fan-out 1', [4, ''], figures.statements_per_event),
];
