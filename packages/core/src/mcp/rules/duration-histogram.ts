/** Relative error of a percentile that is read off the middle of a bucket. */
const accuracy = 0.02;

/** Logarithm of the ratio between a bucket's upper and lower bound. */
const logGrowth = Math.log((1 + accuracy) / (1 - accuracy));

/**
 * Logarithmic buckets (DDSketch, Masson et al. 2019): bucket 0 holds 0, bucket n >= 1 what is over `growth ** (n - 2)`
 * and at most `growth ** (n - 1)`.
 * @param duration_ms Whole milliseconds, not negative.
 */
export const durationBucketOf = (duration_ms: number): number =>
	duration_ms < 1 ? 0 : 1 + Math.ceil(Math.log(duration_ms) / logGrowth);
