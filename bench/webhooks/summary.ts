import {median} from '../quantile.ts';
import type {Delay, Measurement} from './measure.ts';
import {type TargetName, targetNames} from './target.ts';

/** Medians over the rounds; of memory and events the most of all rounds. */
export type Row = Measurement;

const rowOf = (name: TargetName, all: readonly Measurement[]): Row => {
	const of = (figure: 'accepted_per_s' | 'p50_ms' | 'p99_ms' | 'cpu_us') => median(all.map((each) => each[figure]));
	const delivered = all.flatMap(({delivered_per_s}) => delivered_per_s ?? []);
	return {
		name,
		accepted_per_s: of('accepted_per_s'),
		delivered_per_s: delivered.length > 0 ? median(delivered) : undefined,
		p50_ms: of('p50_ms'),
		p99_ms: of('p99_ms'),
		cpu_us: of('cpu_us'),
		peak_mb: Math.max(...all.map(({peak_mb}) => peak_mb)),
		events: Math.max(...all.map(({events}) => events)),
	};
};

const byName = <T extends Readonly<{name: TargetName}>, R>(
	all: readonly T[],
	summarise: (name: TargetName, own: readonly T[]) => R,
): readonly R[] =>
	targetNames
		.map((name) => ({name, own: all.filter((each) => each.name === name)}))
		.filter(({own}) => own.length > 0)
		.map(({name, own}) => summarise(name, own));

export const summarise = (all: readonly Measurement[]): readonly Row[] => byName(all, rowOf);

export const summariseDelays = (all: readonly Delay[]): readonly Delay[] =>
	byName(all, (name, own) => ({
		name,
		p50_ms: median(own.map(({p50_ms}) => p50_ms)),
		p99_ms: median(own.map(({p99_ms}) => p99_ms)),
	}));
