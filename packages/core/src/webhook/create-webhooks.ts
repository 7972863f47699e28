import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {createDeliveries, type Deliveries} from './deliveries.ts';
import {createDryRun, type DryRun} from './dry-run.ts';
import {createEndpointDirectory} from './endpoint-directory.ts';
import {createEndpoints, type Endpoints} from './endpoints.ts';
import {createWebhookEvents, type WebhookEvents} from './events.ts';
import {createWebhookIntake, type WebhookIntake} from './intake.ts';
import {createMiddlewares, type Middlewares} from './middlewares.ts';
import {createNotices, type Notices} from './notices.ts';
import {createRoutingRules, type RoutingRules} from './routing-rules.ts';

/** Webhooks, from the endpoints that take them in to what became of each. */
export type Webhooks = Readonly<{
	endpoints: Endpoints;
	middlewares: Middlewares;
	routingRules: RoutingRules;
	dryRun: DryRun;
	intake: WebhookIntake;
	events: WebhookEvents;
	deliveries: Deliveries;
	notices: Notices;
}>;

/** Wires the services of webhooks; they share one directory of compiled endpoints. */
export const createWebhooks = (ports: Ports & Resolver, settings: CoreSettings): Webhooks => {
	const needs = {...ports, ...createEndpointDirectory(ports, settings)};
	return {
		endpoints: createEndpoints(needs, settings),
		middlewares: createMiddlewares(needs),
		routingRules: createRoutingRules(needs),
		dryRun: createDryRun(needs),
		intake: createWebhookIntake(needs),
		events: createWebhookEvents(needs),
		deliveries: createDeliveries({...needs, random: Math.random}),
		notices: createNotices(ports),
	};
};
