import {type ContestantName, contestantNames} from './contestant.ts';
import type {Measurement} from './measure.ts';
import type {Scenario} from './scenarios.ts';

/** Medians over the rounds of one contestant in one scenario; undefined where there is no proxy to look at. */
export type Row = Readonly<{
	contestant: ContestantName;
	per_second: number;
	p50_ms: number;
	p99_ms: number;
	cpu_us: number | undefined;
	/** The largest of all rounds. */
	peak_mb: number | undefined;
}>;

export type Outcome = Readonly<{scenario: Scenario; measurements: readonly Measurement[]; rows: readonly Row[]}>;

const median = (values: readonly number[]): number => {
	const sorted = [...values].sort((a, b) => a - b);
	const [low, high] = [sorted[(values.length - 1) >> 1], sorted[values.length >> 1]];
	return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
};

const known = (values: readonly (number | undefined)[]): readonly number[] =>
	values.filter((each) => each !== undefined);

const rowOf = (contestant: ContestantName, measurements: readonly Measurement[]): Row => {
	const cpu = known(measurements.map(({cpu_us}) => cpu_us));
	const peaks = known(measurements.map(({peak_mb}) => peak_mb));
	return {
		contestant,
		per_second: median(measurements.map(({requests, seconds}) => requests / seconds)),
		p50_ms: median(measurements.map(({p50_ms}) => p50_ms)),
		p99_ms: median(measurements.map(({p99_ms}) => p99_ms)),
		cpu_us: cpu.length > 0 ? median(cpu) : undefined,
		peak_mb: peaks.length > 0 ? Math.max(...peaks) : undefined,
	};
};

export const summarise = (scenario: Scenario, measurements: readonly Measurement[]): Outcome => ({
	scenario,
	measurements,
	rows: contestantNames
		.map((name) => ({name, own: measurements.filter(({contestant}) => contestant === name)}))
		.filter(({own}) => own.length > 0)
		.map(({name, own}) => rowOf(name, own)),
});

export const rowNamed = (outcome: Outcome | undefined, name: ContestantName): Row | undefined =>
	outcome?.rows.find(({contestant}) => contestant === name);
