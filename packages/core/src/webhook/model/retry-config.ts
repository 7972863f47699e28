import {z} from 'zod';

const daySeconds = 24 * 3600;

export const retryConfigSchema = z.strictObject({
	max_retries: z.int().min(0).max(50),
	/** Seconds before each retry; the last one repeats. */
	intervals: z.array(z.int().min(1).max(daySeconds)).min(1).max(50),
});
/** When a delivery that failed is tried again (decisions, "Delivery"). */
export type RetryConfig = z.infer<typeof retryConfigSchema>;

const minute = 60;
const hour = 3600;

/** Nine retries over about three days. */
export const defaultRetryConfig: RetryConfig = {
	max_retries: 9,
	intervals: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
};
