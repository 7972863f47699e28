import type {ContestantName} from './contestant.ts';
import type {Machine} from './machine.ts';
import type {Scenario} from './scenarios.ts';
import {type Outcome, rowNamed} from './summary.ts';

/** A goal and what was measured; `value` is undefined when what it takes was not part of the run. */
export type Goal = Readonly<{
	title: string;
	bound: 'at least' | 'at most';
	limit: number;
	unit: string;
	value?: number;
}>;

export const isMet = ({bound, limit, value}: Goal): boolean =>
	value !== undefined && (bound === 'at least' ? value >= limit : value <= limit);

type Figure = 'per_second' | 'p50_ms' | 'p99_ms' | 'peak_mb';
type Look = (figure: Figure, scenario: Scenario['name'], name: ContestantName) => number | undefined;
type Aim = Omit<Goal, 'value'> &
	Readonly<{measure(look: Look, scenarios: readonly Scenario['name'][]): number | undefined}>;

const combine = (a: number | undefined, b: number | undefined, by: (a: number, b: number) => number) =>
	a === undefined || b === undefined ? undefined : by(a, b);

const divide = (a: number, b: number): number => a / b;

const ratio =
	(figure: Figure, scenario: Scenario['name'], other: ContestantName): Aim['measure'] =>
	(look) =>
		combine(look(figure, scenario, 'ours'), look(figure, scenario, other), divide);

const throughput = (scenario: Scenario['name'], other: ContestantName, limit: number): Aim => ({
	title: `requests/s against ${other}, ${scenario}`,
	bound: 'at least',
	limit,
	unit: 'x',
	measure: ratio('per_second', scenario, other),
});

const addedLatency: Aim['measure'] = (look) => {
	const [ours, direct] = (['ours', 'direct'] as const).map((name) => look('p50_ms', 'cheap, one connection', name));
	return combine(ours, direct, (a, b) => a - b);
};

const largestPeak: Aim['measure'] = (look, scenarios) => {
	const peaks = scenarios.map((scenario) => look('peak_mb', scenario, 'ours')).filter((each) => each !== undefined);
	return peaks.length > 0 ? Math.max(...peaks) : undefined;
};

const aimsOn = ({fdatasync_p50_ms}: Machine): readonly Aim[] => [
	throughput('cheap', 'http-proxy', 1.1),
	throughput('node:http', 'http-proxy', 0.75),
	throughput('large answers', 'http-proxy', 0.65),
	throughput('cheap', 'mcp-proxy', 15),
	{
		title: 'requests/s on MariaDB against SQLite, cheap',
		bound: 'at least',
		limit: 0.8,
		unit: 'x',
		measure: (look) =>
			combine(look('per_second', 'cheap', 'ours on MariaDB'), look('per_second', 'cheap', 'ours'), divide),
	},
	{
		title: 'p99 against http-proxy, cheap',
		bound: 'at most',
		limit: 2,
		unit: 'x',
		measure: ratio('p99_ms', 'cheap', 'http-proxy'),
	},
	{
		title: 'p50 added to direct, one connection (0.6 ms or two fdatasyncs)',
		bound: 'at most',
		limit: Math.max(0.6, 2 * fdatasync_p50_ms),
		unit: 'ms',
		measure: addedLatency,
	},
	{title: 'peak memory', bound: 'at most', limit: 300, unit: 'MiB', measure: largestPeak},
];

/** The goals of the proxy over everything that was measured. */
export const judgeGoals = (outcomes: readonly Outcome[], machine: Machine): readonly Goal[] => {
	const look: Look = (figure, name, contestant) =>
		rowNamed(
			outcomes.find(({scenario}) => scenario.name === name),
			contestant,
		)?.[figure];
	const scenarios = outcomes.map(({scenario}) => scenario.name);
	return aimsOn(machine).map(({measure, ...goal}) => ({...goal, value: measure(look, scenarios)}));
};
