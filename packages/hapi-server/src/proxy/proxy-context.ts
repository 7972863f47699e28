import type {Core, McpServerRecord, Ports} from '@signalbox/core';
import type {BodyBudget} from '../bodies/body-budget.ts';
import type {Exchange} from './exchange.ts';
import type {ProxyCaller} from './gate/caller.ts';
import type {HeldCalls} from './hold/held-calls.ts';
import type {ResourceMetadata} from './metadata/resource-metadata.ts';
import type {ProxyLogger, ProxyMetrics} from './proxy-observers.ts';
import type {ProxySettings} from './proxy-settings.ts';
import type {LogOutage} from './relay/log-outage.ts';
import type {CallRecorder} from './relay/record-call.ts';
import type {OpenStreams} from './upstream/open-streams.ts';
import type {Upstream} from './upstream/upstream.ts';

/** What the proxy is made with. */
export type ProxyNeeds = Readonly<{
	core: Core;
	ports: Pick<Ports, 'callLog' | 'rateLimiter' | 'clock' | 'ids' | 'secrets' | 'signals'>;
	settings: ProxySettings;
	log: ProxyLogger;
	metrics: ProxyMetrics;
}>;

/** What every request is served with. */
export type ProxyContext = ProxyNeeds &
	Readonly<{
		bodies: BodyBudget;
		/** Whether a target is an address under which we answer. */
		isOwnAddress(target: URL): boolean;
		upstream: Upstream;
		resourceMetadata: ResourceMetadata;
		heldCalls: HeldCalls;
		openStreams: OpenStreams;
		logOutage: LogOutage;
		recorder: CallRecorder;
	}>;

/** A request that found its server and said who it is from. */
export type Visit = ProxyCaller & Readonly<{exchange: Exchange; server: McpServerRecord}>;
