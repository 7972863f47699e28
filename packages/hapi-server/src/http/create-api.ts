import {isBoom} from '@hapi/boom';
import Hapi, {type Lifecycle, type Request, type ResponseObject, type Server} from '@hapi/hapi';
import {type Core, DomainError, type Ids} from '@signalbox/core';
import type {Logger} from 'pino';
import {addAuthentication} from './authenticate.ts';
import type {ClientAddress} from './client-address.ts';
import type {Route} from './define-route.ts';
import type {EventStreams} from './event-streams.ts';
import {notFoundPage, wantsNotFoundPage} from './not-found.page.ts';
import type {RateLimits, RateStanding} from './rate-limit.ts';
import {addRefreshCookie} from './refresh-cookie.ts';
import {registerRoute} from './register-route.ts';
import {renderError} from './render-error.ts';
import {requestIdOf} from './request-id.ts';
import {isApi, settleRate} from './request-state.ts';
import {dataHeaders} from './security-headers.ts';

export type ApiNeeds = Readonly<{
	core: Core;
	ids: Ids;
	limits: RateLimits;
	clientAddress: ClientAddress;
	log: Logger;
	/** Browser origins besides our own that may call. */
	allowedOrigins: readonly string[];
	streams: EventStreams;
	/** True when users reach the server by https. */
	secure: boolean;
	/** False for a request that was sent to a name which is not ours. */
	isOwnHost(host: string | undefined): boolean;
	/** Whether people open pages here: the dashboard, and the reference. */
	hasPages: boolean;
	observe(method: string, route: string, answered: Readonly<{status: number; seconds: number}>): void;
}>;

const rateHeaders = (standing: RateStanding): Readonly<Record<string, string>> => ({
	'x-ratelimit-limit': String(standing.limit),
	'x-ratelimit-remaining': String(standing.remaining),
	'x-ratelimit-reset': String(standing.resets_at_seconds),
});

const addHeaders = (response: ResponseObject, headers: Readonly<Record<string, string>>): void => {
	for (const [name, value] of Object.entries(headers)) response.header(name, value, {override: false});
};

const foreignHost = (): DomainError =>
	new DomainError('forbidden', {message: 'This Host is not one that may be called here: see BASE_URL.'});

/** Names the request and its sender before anything else looks at it. */
const identify =
	(needs: ApiNeeds): Lifecycle.Method =>
	(request, h) => {
		request.app.requestId = requestIdOf(request.raw.req, request.raw.res, needs.ids);
		request.app.clientAddress = needs.clientAddress(request.raw.req);
		if (isApi(request) && !needs.isOwnHost(request.raw.req.headers.host)) throw foreignHost();
		return h.continue;
	};

/** A request to /v1 that met no route was not counted yet. @returns the refusal, when it is one too many. */
const countStray = async (needs: ApiNeeds, request: Request): Promise<unknown> => {
	if (!isApi(request) || request.app.standing !== undefined) return undefined;
	try {
		settleRate(request, await needs.limits.anonymous(request.app.clientAddress ?? ''));
		return undefined;
	} catch (refusal) {
		return refusal;
	}
};

const finish =
	(needs: ApiNeeds): Lifecycle.Method =>
	async (request, h) => {
		const refusal = await countStray(needs, request);
		const failure = refusal ?? (isBoom(request.response) ? request.response : undefined);
		const response =
			failure === undefined ? (request.response as ResponseObject) : answerError(needs, request, [h, failure]);
		addHeaders(response, dataHeaders);
		if (needs.secure) addHeaders(response, {'strict-transport-security': 'max-age=31536000'});
		if (isApi(request)) addHeaders(response, {'cache-control': 'no-store'});
		if (request.app.standing) addHeaders(response, rateHeaders(request.app.standing));
		return failure === undefined ? h.continue : response;
	};

const answerError = (
	needs: ApiNeeds,
	request: Request,
	[h, failure]: [Hapi.ResponseToolkit, unknown],
): ResponseObject => {
	const rendered = renderError(failure, request.app.requestId ?? '');
	if ([500, 503].includes(rendered.status))
		needs.log.error({err: failure, request_id: request.app.requestId}, 'request failed');
	const isPage = needs.hasPages && wantsNotFoundPage(request, rendered.status);
	const response = (isPage ? notFoundPage(h) : h.response(rendered.body)).code(rendered.status);
	addHeaders(response, rendered.headers);
	return response;
};

const statusOf = (request: Request): number =>
	isBoom(request.response) ? request.response.output.statusCode : request.response.statusCode;

/** One line per request: route templates, not paths, because a path may hold a capability. */
const record = (needs: ApiNeeds, request: Request): void => {
	const status = statusOf(request);
	const route = request.route.path;
	const seconds = (Date.now() - request.info.received) / 1000;
	needs.observe(request.method, route, {status, seconds});
	needs.log.info(
		{
			request_id: request.app.requestId,
			method: request.method,
			route,
			status,
			duration_ms: Math.round(seconds * 1000),
			user_id: request.app.caller?.user_id,
		},
		'request',
	);
};

const corsOf = (origins: readonly string[]) =>
	origins.length > 0 && {
		origin: [...origins],
		credentials: true,
		additionalHeaders: ['X-API-Key', 'X-Team-Id', 'Last-Event-ID', 'X-Request-Id', 'Idempotency-Key'],
		additionalExposedHeaders: [
			'X-Request-Id',
			'X-RateLimit-Limit',
			'X-RateLimit-Remaining',
			'X-RateLimit-Reset',
			'Retry-After',
		],
	};

/** A hapi server behind a listener of somebody else, with everything that holds for every answer. */
export const createApi = (listener: Hapi.ServerOptions['listener'], needs: ApiNeeds): Server => {
	const server = Hapi.server({
		...(listener && {listener}),
		autoListen: false,
		// Compressed, an event would wait for those that fill a block with it.
		mime: {override: {'text/event-stream': {compressible: false}}},
		// Connections are the edge's to end.
		operations: {cleanStop: false},
		debug: false,
		routes: {
			cors: corsOf(needs.allowedOrigins),
			state: {parse: true, failAction: 'ignore'},
			// hapi refuses a range in an envelope of its own, past onPreResponse.
			response: {ranges: false},
		},
	});
	addRefreshCookie(server, {secure: needs.secure, seconds: needs.core.settings.refresh_token_seconds});
	addAuthentication(server, {authentication: needs.core.accounts.authentication, limits: needs.limits});
	server.ext('onRequest', identify(needs));
	server.ext('onPreResponse', finish(needs));
	server.events.on('response', (request) => record(needs, request));
	return server;
};

/** Adds the route table. */
export const addRoutes = (server: Server, routes: readonly Route[], needs: ApiNeeds): void => {
	for (const route of routes)
		registerRoute(server, route, {
			core: needs.core,
			limits: needs.limits,
			streams: needs.streams,
		});
};
