import {z} from 'zod';

const costConfigSchema = z.strictObject({
	budget_cents: z.int().min(0).max(1_000_000_000),
	alert_threshold_percent: z.int().min(1).max(100).default(80),
});

/** How many calls, and how much money a calendar month (UTC), a server may take; what is left out is not limited. */
export const rateLimitConfigSchema = z.strictObject({
	requests_per_minute: z.int().min(1).max(1_000_000).optional(),
	burst: z.int().min(0).max(1_000_000).optional(),
	cost: costConfigSchema.optional(),
});
