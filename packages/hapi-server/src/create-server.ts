import {once} from 'node:events';
import type {Server as Listener} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Server as Hapi} from '@hapi/hapi';
import type {Core, Ports} from '@signalbox/core';
import type {Logger} from 'pino';
import {addDeviceLoginPage} from './accounts/device-login.routes.ts';
import {addDashboard, builtDashboard} from './dashboard/dashboard.routes.ts';
import {addDocs} from './docs/docs.routes.ts';
import {type ClientAddress, createClientAddress} from './http/client-address.ts';
import {type ApiNeeds, addRoutes, createApi} from './http/create-api.ts';
import {createEdge, type RequestHandler, serveNothingYet} from './http/edge.ts';
import {createEventStreams, type EventStreams} from './http/event-streams.ts';
import {addHealth, type Health} from './http/health.routes.ts';
import {createServer as createListener} from './http/node-http.ts';
import {createOwnHost} from './http/own-host.ts';
import {createRateLimits} from './http/rate-limit.ts';
import {createIngestHandler, type IngestHandler} from './ingest/create-ingest-handler.ts';
import type {Metrics} from './metrics.ts';
import {createProxyHandler, type ProxyHandler} from './proxy/create-proxy-handler.ts';
import {defaultProxySettings} from './proxy/proxy-settings.ts';
import {routes} from './routes.ts';
import {type Addresses, addressesOf, type ServerSettings} from './server-settings.ts';
import type {DeliverLoop} from './work/deliver-loop.ts';

export type ServerNeeds = Readonly<{
	core: Core;
	ports: Ports;
	settings: ServerSettings;
	health: Health;
	log: Logger;
	metrics: Metrics;
	/** Delivers webhooks in this process; undefined: another one does. */
	deliver?: DeliverLoop | undefined;
}>;

/** A server that listens. */
export type RunningServer = Readonly<{
	addresses: Addresses;
	port: number;
	/** Takes no new requests, lets those on their way end, and cuts what has not ended after the grace. */
	stop(): Promise<void>;
}>;

/** How long answers on their way may take after the stop began: the process is to be gone within ten seconds. Milliseconds. */
const stopGrace = 8_000;

const isProxied = (url: string): boolean =>
	url.startsWith('/p/') || url.startsWith('/.well-known/oauth-protected-resource/');

const isWebhook = (url: string): boolean => url.startsWith('/wh/');

/** What is known once the server listens. */
type Place = Readonly<{addresses: Addresses; clientAddress: ClientAddress; streams: EventStreams}>;

const proxyPlane = (needs: ServerNeeds, {addresses, clientAddress}: Place): ProxyHandler => {
	const {settings, core, ports, log, metrics} = needs;
	return createProxyHandler({
		core,
		ports: {...ports, callLog: core.mcp.callLog},
		settings: {
			...defaultProxySettings,
			proxy_url: addresses.proxy_url,
			base_url: addresses.base_url,
			allowed_origins: settings.allowedOrigins,
			local: settings.local,
			allowed_private_cidrs: settings.allowedPrivateCidrs,
			max_body_bytes: settings.maxProxyBody,
			upstream_timeout_ms: settings.upstreamTimeout,
			client_address: clientAddress,
		},
		log,
		metrics: metrics.proxy,
	});
};

const ingestPlane = ({core, ports, settings, deliver, log, metrics}: ServerNeeds, place: Place): IngestHandler =>
	createIngestHandler(
		{
			intake: core.webhook.intake,
			deliver,
			ids: ports.ids,
			client_address: place.clientAddress,
			log,
			metrics: metrics.ingest,
		},
		{max_body_bytes: settings.maxWebhookBody},
	);

const apiNeedsOf = (needs: ServerNeeds, {addresses, clientAddress, streams}: Place): ApiNeeds => ({
	streams,
	core: needs.core,
	ids: needs.ports.ids,
	limits: createRateLimits({
		rateLimiter: needs.ports.rateLimiter,
		clock: needs.ports.clock,
		settings: needs.core.settings,
		limits: needs.settings.limits,
	}),
	clientAddress,
	log: needs.log,
	allowedOrigins: needs.settings.allowedOrigins,
	secure: addresses.base_url.startsWith('https:'),
	isOwnHost: needs.settings.loopback ? createOwnHost({addresses: Object.values(addresses), local: true}) : () => true,
	hasPages: needs.settings.roles.includes('api'),
	observe: needs.metrics.observeRequest,
});

/** hapi behind a listener that never listens: the edge hands it the requests that are no data plane's. */
const openApi = async (inner: Listener, needs: ServerNeeds, place: Place): Promise<Hapi> => {
	const apiNeeds = apiNeedsOf(needs, place);
	const api = createApi(inner, apiNeeds);
	addHealth(api, {
		health: needs.health,
		metrics: needs.metrics,
		secrets: needs.ports.secrets,
		metricsToken: needs.settings.metricsToken,
	});
	if (needs.settings.roles.includes('api')) {
		addRoutes(api, routes, apiNeeds);
		const {origin} = new URL(place.addresses.base_url);
		addDeviceLoginPage(api, {core: needs.core, limits: apiNeeds.limits, origin});
		addDocs(api, place.addresses.base_url);
		await addDashboard(api, builtDashboard, place.addresses);
	}
	await api.start();
	return api;
};

const listen = async (edge: Listener, settings: ServerSettings): Promise<number> => {
	edge.listen(settings.port, settings.host);
	await once(edge, 'listening');
	return (edge.address() as AddressInfo).port;
};

/** Waits for the answers on their way; what is left after the grace is cut. */
const drain = async (edge: Listener): Promise<void> => {
	const closed = once(edge, 'close');
	edge.close();
	// A client that never pauses would keep its connection open: the next answer on it is the last one.
	edge.maxRequestsPerSocket = 1;
	const idle = setInterval(() => edge.closeIdleConnections(), 50);
	const cut = setTimeout(() => edge.closeAllConnections(), stopGrace);
	await closed;
	clearInterval(idle);
	clearTimeout(cut);
};

/** The planes of the roles, ahead of hapi. */
const dataPlanes = (needs: ServerNeeds, place: Place) => {
	const {roles} = needs.settings;
	const proxy = roles.includes('proxy') ? proxyPlane(needs, place) : undefined;
	const ingest = roles.includes('ingest') ? ingestPlane(needs, place) : undefined;
	return {
		/** Undefined for what is the API's. */
		handlerOf: (url: string): RequestHandler | undefined => {
			if (proxy && isProxied(url)) return proxy.handle;
			return ingest && isWebhook(url) ? ingest.handle : undefined;
		},
		close: (drained: Promise<void>) => proxy?.close(drained),
		/** Resolves when every webhook was answered. */
		settled: () => ingest?.close(),
	};
};

/**
 * Starts listening and serves what the roles name: the API and its description, the proxy, the door for webhooks, and
 * always health. All share one port; the data planes are dispatched ahead of hapi.
 */
export const createServer = async (needs: ServerNeeds): Promise<RunningServer> => {
	const {settings} = needs;
	let dispatch: RequestHandler = serveNothingYet(needs.ports.ids);
	const edge = createEdge((req, res) => dispatch(req, res), needs.ports.ids, settings.timeouts);
	const port = await listen(edge, settings);
	const addresses = addressesOf(settings, port);
	const streams = createEventStreams({
		authentication: needs.core.accounts.authentication,
		clock: needs.ports.clock,
	});
	const place = {addresses, clientAddress: createClientAddress(settings.trustedProxies), streams};
	const inner = createListener();
	const api = await openApi(inner, needs, place);
	const planes = dataPlanes(needs, place);
	dispatch = (req, res) => {
		const handle = planes.handlerOf(req.url ?? '');
		if (handle) handle(req, res);
		else inner.emit('request', req, res);
	};
	return {
		addresses,
		port,
		stop: async () => {
			streams.close();
			const drained = drain(edge);
			await Promise.all([drained, planes.close(drained)]);
			await planes.settled();
			await api.stop({timeout: stopGrace});
		},
	};
};
