import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import {createCallDurations} from './call-durations.ts';
import type {IngestMetrics} from './ingest/create-ingest-handler.ts';
import type {ProxyMetrics} from './proxy/proxy-observers.ts';
import type {DeliverMetrics} from './work/deliver-loop.ts';

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300];

/** What operators watch, in a registry of its own. Labels are route templates and methods of the protocol: few, no secrets. */
export type Metrics = Readonly<{
	proxy: ProxyMetrics;
	ingest: IngestMetrics;
	deliver: DeliverMetrics;
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

const ingestMetrics = (registers: Registry[]): IngestMetrics => {
	const answered = new Histogram({
		name: 'signalbox_webhook_ingest_duration_seconds',
		help: 'Webhooks by the status that their sender was answered',
		labelNames: ['status'] as const,
		buckets: durations,
		registers,
	});
	return {observeIngest: (status, seconds) => answered.observe({status: String(status)}, seconds)};
};

const deliverMetrics = (registers: Registry[]): DeliverMetrics => {
	const attempts = new Counter({
		name: 'signalbox_webhook_attempts_total',
		help: 'Attempts to deliver by how they ended',
		labelNames: ['outcome'] as const,
		registers,
	});
	const inFlight = new Gauge({
		name: 'signalbox_webhook_attempts_in_flight',
		help: 'Attempts to deliver that are under way now',
		registers,
	});
	const lag = new Gauge({
		name: 'signalbox_webhook_delivery_lag_seconds',
		help: 'How long the delivery that has been due longest waits',
		registers,
	});
	return {
		countAttempt: (outcome) => attempts.inc({outcome}),
		countInFlight: (count) => inFlight.set(count),
		observeLag: (seconds) => lag.set(seconds),
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
		ingest: ingestMetrics(registers),
		deliver: deliverMetrics(registers),
		observeRequest: (method, route, {status, seconds}) =>
			requests.observe({method: method.toUpperCase(), route, status: String(status)}, seconds),
		countSwept: (task, count) => swept.inc({task}, count),
		text: () => registry.metrics(),
		contentType: registry.contentType,
	};
};
