import type {CallMetrics, CallSums, DaySum, ToolSum} from '../model/metrics.ts';
import {durationQuantile} from './duration-histogram.ts';

/** A call that timed out counts among the errors here. */
const totalsOf = (sums: readonly (ToolSum | DaySum)[]) => {
	const add = (field: 'calls' | 'duration_ms', of = sums) => of.reduce((sum, row) => sum + row[field], 0);
	const callsWith = (status: DaySum['status']) =>
		add(
			'calls',
			sums.filter((row) => row.status === status),
		);
	const calls = add('calls');
	return {
		calls,
		success: callsWith('success'),
		error: callsWith('error'),
		timeout: callsWith('timeout'),
		errors: calls - callsWith('success'),
		avg_duration_ms: calls === 0 ? 0 : add('duration_ms') / calls,
	};
};

const costOf = (sums: readonly ToolSum[]): number => sums.reduce((cents, {cost_cents}) => cents + cost_cents, 0);

/** What the metrics of a range answer, from the store's sums (decisions, section 5). Shares are 0 without calls. */
export const callMetricsOf = (
	{by_tool: tools, by_day: days}: CallSums,
	range: Readonly<{from: string; to: string}>,
): CallMetrics => {
	const totals = totalsOf(tools);
	return {
		...range,
		total_calls: totals.calls,
		success_count: totals.success,
		error_count: totals.error,
		timeout_count: totals.timeout,
		success_rate: totals.calls === 0 ? 0 : totals.success / totals.calls,
		avg_duration_ms: totals.avg_duration_ms,
		p50_duration_ms: durationQuantile(tools, 0.5),
		p95_duration_ms: durationQuantile(tools, 0.95),
		p99_duration_ms: durationQuantile(tools, 0.99),
		total_cost_cents: costOf(tools),
		by_tool: byTool(tools),
		by_day: byDay(days),
	};
};

/** Busiest tool first. Calls of other methods have no tool, and are in the totals only. */
const byTool = (sums: readonly ToolSum[]): CallMetrics['by_tool'] =>
	[...Map.groupBy(sums, (row) => row.tool_name)]
		.filter(([tool_name]) => tool_name !== '')
		.map(([tool_name, rows]) => {
			const {calls, errors, avg_duration_ms} = totalsOf(rows);
			const p95_duration_ms = durationQuantile(rows, 0.95);
			return {tool_name, calls, errors, avg_duration_ms, p95_duration_ms, cost_cents: costOf(rows)};
		})
		.sort((a, b) => b.calls - a.calls || (a.tool_name < b.tool_name ? -1 : 1));

/** The days that saw calls, in order. */
const byDay = (sums: readonly DaySum[]): CallMetrics['by_day'] =>
	[...Map.groupBy(sums, (row) => row.date)]
		.map(([date, rows]) => {
			const {calls, errors, avg_duration_ms} = totalsOf(rows);
			return {date, calls, errors, avg_duration_ms};
		})
		.sort((a, b) => (a.date < b.date ? -1 : 1));
