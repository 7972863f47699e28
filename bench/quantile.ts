/** The value below which that share of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** The quantile of a half: of an even number of values the greater one in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
