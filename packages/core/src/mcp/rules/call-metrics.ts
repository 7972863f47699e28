import type {CallMetrics, RollupSum} from '../model/metrics.ts';
import {durationQuantile} from './duration-histogram.ts';

/** Sums over the calls of some rollups. A call that timed out counts among the errors here. */
const totalsOf = (sums: readonly RollupSum[]) => {
	const add = (field: 'calls' | 'duration_ms' | 'cost_cents', of = sums) =>
		of.reduce((sum, row) => sum + row[field], 0);
	const callsWith = (status: RollupSum['status']) =>
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
		cost_cents: add('cost_cents'),
	};
};

/** What the metrics of a range answer, from the store's sums (decisions, section 5). Shares are 0 without calls. */
export const callMetricsOf = (sums: readonly RollupSum[], range: Readonly<{from: string; to: string}>): CallMetrics => {
	const totals = totalsOf(sums);
	return {
		...range,
		total_calls: totals.calls,
		success_count: totals.success,
		error_count: totals.error,
		timeout_count: totals.timeout,
		success_rate: totals.calls === 0 ? 0 : totals.success / totals.calls,
		avg_duration_ms: totals.avg_duration_ms,
		p50_duration_ms: durationQuantile(sums, 0.5),
		p95_duration_ms: durationQuantile(sums, 0.95),
		p99_duration_ms: durationQuantile(sums, 0.99),
		total_cost_cents: totals.cost_cents,
		by_tool: byTool(sums),
		by_day: byDay(sums),
	};
};

/** Busiest tool first. Calls of other methods have no tool, and are in the totals only. */
const byTool = (sums: readonly RollupSum[]): CallMetrics['by_tool'] =>
	[...Map.groupBy(sums, (row) => row.tool_name)]
		.filter(([tool_name]) => tool_name !== '')
		.map(([tool_name, rows]) => {
			const {calls, errors, avg_duration_ms, cost_cents} = totalsOf(rows);
			return {tool_name, calls, errors, avg_duration_ms, p95_duration_ms: durationQuantile(rows, 0.95), cost_cents};
		})
		.sort((a, b) => b.calls - a.calls || (a.tool_name < b.tool_name ? -1 : 1));

/** The days that saw calls, in order. */
const byDay = (sums: readonly RollupSum[]): CallMetrics['by_day'] =>
	[...Map.groupBy(sums, (row) => row.date)]
		.map(([date, rows]) => {
			const {calls, errors, avg_duration_ms} = totalsOf(rows);
			return {date, calls, errors, avg_duration_ms};
		})
		.sort((a, b) => (a.date < b.date ? -1 : 1));
