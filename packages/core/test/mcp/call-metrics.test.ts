import test from 'ava';
import {type CallSums, callMetricsSchema, type DaySum, type ToolSum} from '../../src/mcp/model/metrics.ts';
import {callMetricsOf} from '../../src/mcp/rules/call-metrics.ts';
import {durationBucketOf} from '../../src/mcp/rules/duration-histogram.ts';

const range = {from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T09:30:00.000Z'};

type Calls = ToolSum & DaySum;

const callsOf = (fields: Partial<Calls> & Readonly<{each_ms: number}>): Calls => {
	const {each_ms, ...rest} = fields;
	const calls = fields.calls ?? 1;
	return {
		tool_name: 'get_user',
		date: '2026-01-30',
		status: 'success',
		bucket: durationBucketOf(each_ms),
		duration_ms: each_ms * calls,
		cost_cents: 0,
		...rest,
		calls,
	};
};

const sumsOf = (calls: readonly Calls[]): CallSums => ({by_tool: calls, by_day: calls});

const first = callsOf({each_ms: 10, calls: 6, cost_cents: 12});
const sums = sumsOf([
	first,
	callsOf({each_ms: 20, calls: 1, status: 'error'}),
	callsOf({each_ms: 5000, calls: 1, status: 'timeout', date: '2026-01-31'}),
	callsOf({each_ms: 4, calls: 1, tool_name: 'send_mail', cost_cents: 30}),
	callsOf({each_ms: 1, calls: 1, tool_name: '', date: '2026-01-31'}),
]);

test('[MCP-070 MCP-072] metrics sum up the calls, their outcomes and their cost', (t) => {
	t.like(callMetricsOf(sums, range), {
		...range,
		total_calls: 10,
		success_count: 8,
		error_count: 1,
		timeout_count: 1,
		success_rate: 0.8,
		total_cost_cents: 42,
	});
});

test('[MCP-071] metrics answer the mean and the percentiles of the durations', (t) => {
	const metrics = callMetricsOf(sums, range);
	t.is(metrics.avg_duration_ms, (60 + 20 + 5000 + 4 + 1) / 10);
	t.is(metrics.p50_duration_ms, 10);
	for (const late of [metrics.p95_duration_ms, metrics.p99_duration_ms]) t.true(Math.abs(late - 5000) <= 100);
});

test('[MCP-073] by_tool answers each tool, the busiest first, and no other method', (t) => {
	const {by_tool} = callMetricsOf(sums, range);
	t.deepEqual(
		by_tool.map(({p95_duration_ms, ...tool}) => tool),
		[
			{tool_name: 'get_user', calls: 8, errors: 2, avg_duration_ms: 635, cost_cents: 12},
			{tool_name: 'send_mail', calls: 1, errors: 0, avg_duration_ms: 4, cost_cents: 30},
		],
	);
	t.is(by_tool[1]?.p95_duration_ms, 4);
});

test('[MCP-074] by_day answers each day that saw calls, in order', (t) => {
	t.deepEqual(callMetricsOf(sums, range).by_day, [
		{date: '2026-01-30', calls: 8, errors: 1, avg_duration_ms: 10.5},
		{date: '2026-01-31', calls: 2, errors: 1, avg_duration_ms: 2500.5},
	]);
});

test('[MCP-088] success_rate is between 0 and 1, and 0 without calls', (t) => {
	const metrics = callMetricsOf(sumsOf([]), range);
	t.like(metrics, {total_calls: 0, success_rate: 0, avg_duration_ms: 0, p99_duration_ms: 0, by_tool: [], by_day: []});
	t.is(callMetricsOf(sumsOf([first]), range).success_rate, 1);
	for (const answer of [metrics, callMetricsOf(sums, range)]) t.deepEqual(callMetricsSchema.parse(answer), answer);
});
