import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import {createCallDurations} from './call-durations.ts';
import type {ProxyMetrics} from './proxy/proxy-observers.ts';

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300];

/** What operators watch, in a registry of its own. Labels are route templates and methods of the protocol: few, no secrets. */
export type Metrics = Readonly<{
	proxy: ProxyMetrics;
	/** One API request was answered. */
	observeRequest(method: string, route: string, answered: Readonly<{status: number; seconds: number}>): void;
	countSwept(task: string, count: number): void;
	/** Prometheus text. */
	text(): Promise<string>;
	contentType: string;
}>;

const proxyMetrics = (registry: Registry): ProxyMetrics => {
	const registers = [registry];
	const calls = createCallDurations(registry, {
		name: 'signalbox_mcp_call_duration_seconds',
		help: 'Proxied MCP calls by method and outcome, the wait for approvals included',
		buckets: durations,
	});
	const held = new Gauge({name: 'signalbox_mcp_calls_held', help: 'Calls that wait for a person now', registers});
	return {
		observeCall: ({method, status, duration_ms}) => calls.observe(method, status, duration_ms / 1000),
		countHeld: (change) => held.inc(change),
	};
};

export const createMetrics = (): Metrics => {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({register: registry});
	const requests = new Histogram({
		name: 'signalbox_http_request_duration_seconds',
		help: 'API requests by route template and status',
		labelNames: ['method', 'route', 'status'] as const,
		buckets: durations,
		registers,
	});
	const swept = new Counter({
		name: 'signalbox_swept_total',
		help: 'Records that due work changed or removed',
		labelNames: ['task'] as const,
		registers,
	});
	return {
		proxy: proxyMetrics(registry),
		observeRequest: (method, route, {status, seconds}) =>
			requests.observe({method: method.toUpperCase(), route, status: String(status)}, seconds),
		countSwept: (task, count) => swept.inc({task}, count),
		text: () => registry.metrics(),
		contentType: registry.contentType,
	};
};
