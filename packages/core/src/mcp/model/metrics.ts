import {z} from 'zod';
import {instantText} from '../../values/text.ts';

const milliseconds = z.number().meta({description: 'milliseconds'});

export const callMetricsSchema = z.object({
	from: instantText,
	to: instantText,
	total_calls: z.int(),
	success_count: z.int(),
	error_count: z.int(),
	timeout_count: z.int(),
	success_rate: z.number(),
	avg_duration_ms: milliseconds,
	p50_duration_ms: milliseconds,
	p95_duration_ms: milliseconds,
	p99_duration_ms: milliseconds,
	total_cost_cents: z.int(),
	by_tool: z.array(
		z.object({
			tool_name: z.string(),
			calls: z.int(),
			errors: z.int(),
			avg_duration_ms: milliseconds,
			p95_duration_ms: milliseconds,
			cost_cents: z.int(),
		}),
	),
	by_day: z.array(z.object({date: z.string(), calls: z.int(), errors: z.int(), avg_duration_ms: milliseconds})),
});
export type CallMetrics = z.infer<typeof callMetricsSchema>;

type CallStatus = 'success' | 'error' | 'timeout';

/** The calls of one tool, outcome and duration bucket; percentiles are read off the histogram by a rule. */
export type ToolSum = Readonly<{
	tool_name: string;
	status: CallStatus;
	/** Index of the logarithmic duration bucket (rules/duration-histogram). */
	bucket: number;
	calls: number;
	duration_ms: number;
	cost_cents: number;
}>;

/** The calls of one day and outcome. */
export type DaySum = Readonly<{
	/** `2026-01-31`, UTC. */
	date: string;
	status: CallStatus;
	calls: number;
	duration_ms: number;
}>;

/** What a store sums up over its rollups, twice: each call is in one sum of a tool and in one of a day. */
export type CallSums = Readonly<{by_tool: readonly ToolSum[]; by_day: readonly DaySum[]}>;

export const costReportSchema = z.object({
	total_cents: z.int(),
	budget_cents: z.int().nullable(),
	usage_percent: z.number().nullable(),
	tool_breakdown: z.array(z.object({tool_name: z.string(), total_cents: z.int(), call_count: z.int()})),
});
export type CostReport = z.infer<typeof costReportSchema>;

/** Money spent by one tool of one server in one UTC month. */
export type ToolSpend = Readonly<{tool_name: string; total_cents: number; call_count: number}>;
