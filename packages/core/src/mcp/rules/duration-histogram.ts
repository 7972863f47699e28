/** Relative error of a percentile that is read off the middle of a bucket. */
const accuracy = 0.02;

/** Ratio between a bucket's upper and lower bound, and its logarithm. */
const growth = (1 + accuracy) / (1 - accuracy);
const logGrowth = Math.log(growth);

/** Below this, every whole number of milliseconds has a bucket to itself. */
const exactBelow = 25;

/**
 * Logarithmic buckets (DDSketch, Masson et al. 2019): bucket 0 holds 0, bucket n >= 1 what is over `growth ** (n - 2)`
 * and at most `growth ** (n - 1)`.
 * @param duration_ms Whole milliseconds, not negative.
 */
export const durationBucketOf = (duration_ms: number): number =>
	duration_ms < 1 ? 0 : 1 + Math.ceil(Math.log(duration_ms) / logGrowth);

/** The duration that stands for all of a bucket, in milliseconds: at most 2 % away from each of them, exact below 25 ms. */
export const durationOfBucket = (bucket: number): number => {
	if (bucket <= 0) return 0;
	const middle = (2 * growth ** (bucket - 1)) / (growth + 1);
	return middle < exactBelow ? Math.round(middle) : middle;
};

/** How many durations fell into a bucket. */
export type BucketCount = Readonly<{bucket: number; calls: number}>;

/**
 * The duration that the share `quantile` (0 to 1) of the calls did not exceed, by nearest rank, in milliseconds; 0 without
 * calls. A bucket may be named more than once.
 */
export const durationQuantile = (counts: readonly BucketCount[], quantile: number): number => {
	const total = counts.reduce((sum, {calls}) => sum + calls, 0);
	const rank = Math.max(1, Math.ceil(quantile * total));
	let seen = 0;
	for (const {bucket, calls} of counts.toSorted((a, b) => a.bucket - b.bucket)) {
		seen += calls;
		if (seen >= rank) return durationOfBucket(bucket);
	}
	return 0;
};
