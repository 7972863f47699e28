import type {Core, McpServerRecord, Ports} from '@signalbox/core';
import type {ProxyCaller} from './caller.ts';
import type {Exchange} from './exchange.ts';
import type {HeldCalls} from './held-calls.ts';
import type {OpenStreams} from './open-streams.ts';
import type {ProxyLogger, ProxyMetrics} from './proxy-observers.ts';
import type {ProxySettings} from './proxy-settings.ts';
import type {CallRecorder} from './record-call.ts';
import type {ResourceMetadata} from './resource-metadata.ts';
import type {Upstream} from './upstream.ts';

/** What the proxy is made with. */
export type ProxyNeeds = Readonly<{
	core: Core;
	ports: Pick<Ports, 'callLog' | 'rateLimiter' | 'clock' | 'ids' | 'secrets'>;
	settings: ProxySettings;
	log: ProxyLogger;
	metrics: ProxyMetrics;
}>;

/** What every request is served with. */
export type ProxyContext = ProxyNeeds &
	Readonly<{
		upstream: Upstream;
		resourceMetadata: ResourceMetadata;
		heldCalls: HeldCalls;
		openStreams: OpenStreams;
		recorder: CallRecorder;
	}>;

/** A request that found its server and said who it is from. */
export type Visit = ProxyCaller & Readonly<{exchange: Exchange; server: McpServerRecord}>;
