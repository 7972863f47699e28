import {once} from 'node:events';
import {createServer as createListener, type Server as Listener} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Server as Hapi} from '@hapi/hapi';
import type {Core, Ports} from '@signalbox/core';
import type {Logger} from 'pino';
import {addDocs} from './docs/docs.routes.ts';
import {type ClientAddress, createClientAddress} from './http/client-address.ts';
import {type ApiNeeds, addRoutes, createApi} from './http/create-api.ts';
import {createEdge, type RequestHandler, serveNothingYet} from './http/edge.ts';
import {addHealth, type Health} from './http/health.routes.ts';
import {createRateLimits} from './http/rate-limit.ts';
import type {Metrics} from './metrics.ts';
import {createProxyHandler, type ProxyHandler} from './proxy/create-proxy-handler.ts';
import {defaultProxySettings} from './proxy/proxy-settings.ts';
import {routes} from './routes.ts';
import {type Addresses, addressesOf, type ServerSettings} from './server-settings.ts';

export type ServerNeeds = Readonly<{
	core: Core;
	ports: Ports;
	settings: ServerSettings;
	health: Health;
	log: Logger;
	metrics: Metrics;
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

/** What is known once the server listens. */
type Place = Readonly<{addresses: Addresses; clientAddress: ClientAddress}>;

const proxyPlane = (needs: ServerNeeds, {addresses, clientAddress}: Place): ProxyHandler => {
	const {settings, core, ports, log, metrics} = needs;
	return createProxyHandler({
		core,
		ports,
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

const apiNeedsOf = (needs: ServerNeeds, {addresses, clientAddress}: Place): ApiNeeds => ({
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
	observe: needs.metrics.observeRequest,
});

/** hapi behind a listener that never listens: the edge hands it the requests that are not the proxy's. */
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
		addDocs(api, place.addresses.base_url);
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

/**
 * Starts listening and serves what the roles name: the API and its description, the proxy, and always health.
 * The proxy and the API share one port; the proxy is dispatched ahead of hapi.
 */
export const createServer = async (needs: ServerNeeds): Promise<RunningServer> => {
	const {settings} = needs;
	let dispatch: RequestHandler = serveNothingYet(needs.ports.ids);
	const edge = createEdge((req, res) => dispatch(req, res), needs.ports.ids, settings.timeouts);
	const port = await listen(edge, settings);
	const addresses = addressesOf(settings, port);
	const clientAddress = createClientAddress(settings.trustedProxies);
	const inner = createListener();
	const api = await openApi(inner, needs, {addresses, clientAddress});
	const proxy = settings.roles.includes('proxy') ? proxyPlane(needs, {addresses, clientAddress}) : undefined;
	dispatch = (req, res) => {
		if (proxy && isProxied(req.url ?? '')) proxy.handle(req, res);
		else inner.emit('request', req, res);
	};
	return {
		addresses,
		port,
		stop: async () => {
			const drained = drain(edge);
			await Promise.all([drained, proxy?.close(drained)]);
			await api.stop({timeout: stopGrace});
		},
	};
};
