import type {Request, ResponseToolkit, Server, ServerRoute} from '@hapi/hapi';
import {type Answer, type Core, DomainError} from '@signalbox/core';
import {z} from 'zod';
import {type Auth, creates, type Route, type RouteContext, statusOf, viewOf} from './define-route.ts';
import type {RateLimits} from './rate-limit.ts';
import {maxBodyBytes, readJson} from './read-json.ts';
import {type RawQuery, readQuery} from './read-query.ts';
import {refreshCookieOf} from './refresh-cookie.ts';
import {settleRate} from './request-state.ts';
import {validated} from './validate.ts';

export type RouteNeeds = Readonly<{core: Core; limits: RateLimits}>;

type AnyContext = RouteContext<Auth, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>>;

const nothing = z.strictObject({});
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What cannot be an id names nothing: the same answer as for an id that never existed. */
const readParams = (request: Request): Record<string, unknown> => {
	const params = request.params as Readonly<Record<string, string>>;
	for (const value of Object.values(params)) {
		if (!identifier.test(value)) throw new DomainError('resource_not_found');
	}
	return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toLowerCase()]));
};

const readPayload = (route: Route, request: Request): unknown => {
	if (route.method === 'GET' || route.method === 'DELETE') return {};
	const bytes = Buffer.isBuffer(request.payload) ? request.payload : Buffer.alloc(0);
	return validated(route.payload ?? nothing, readJson(bytes, request.raw.req.headers));
};

const contextOf = (needs: RouteNeeds, route: Route, [request, h]: [Request, ResponseToolkit]): AnyContext => ({
	core: needs.core,
	caller: request.app.caller as AnyContext['caller'],
	params: readParams(request),
	query: (readQuery(request.query as RawQuery, route.query) ?? {}) as Record<string, unknown>,
	payload: readPayload(route, request) as Record<string, unknown>,
	cookie: refreshCookieOf(request, h),
	throttle: async (account) => {
		if (route.throttled) settleRate(request, await needs.limits.account(route.throttled, account));
	},
});

/** Runs the handler; its result leaves through the view, never a field more. */
const answer = async (route: Route, context: AnyContext): Promise<Answer> => {
	const result = await route.handler(context as never);
	const view = viewOf(route);
	return {status: statusOf(route), body: view === null ? null : view.parse(result)};
};

/** What makes two requests the same: operation, team, and the bytes of the body. */
const fingerprint = (request: Request, context: AnyContext): string =>
	[
		request.method,
		request.path,
		context.caller?.team_id ?? '',
		Buffer.isBuffer(request.payload) ? request.payload.toString('utf8') : '',
	].join('\n');

const answerOnce = async (
	needs: RouteNeeds,
	route: Route,
	[request, h]: [Request, ResponseToolkit],
): Promise<Answer> => {
	const context = contextOf(needs, route, [request, h]);
	const key: unknown = request.headers['idempotency-key'];
	if (typeof key !== 'string' || !creates(route) || context.caller === undefined) return answer(route, context);
	return needs.core.accounts.idempotency.once(context.caller, key, fingerprint(request, context), () =>
		answer(route, context),
	);
};

const throttleAddress = (needs: RouteNeeds, route: Route) => async (request: Request, h: ResponseToolkit) => {
	if (route.throttled) {
		settleRate(request, await needs.limits.address(route.throttled, request.app.clientAddress ?? ''));
	} else if (route.auth === 'none') {
		settleRate(request, await needs.limits.anonymous(request.app.clientAddress ?? ''));
	}
	return h.continue;
};

const hasPayload = (route: Route): boolean => route.method === 'POST' || route.method === 'PUT';

/** Makes a row of the route table a route of hapi. Bodies are read as bytes: the strict reader is ours. */
export const registerRoute = (server: Server, route: Route, needs: RouteNeeds): void => {
	const definition: ServerRoute = {
		method: route.method,
		path: route.path,
		options: {
			auth: route.auth === 'caller' ? 'caller' : false,
			ext: {onPreAuth: {method: throttleAddress(needs, route)}},
			// `override`: what the content type is worth is judged by readJson, with the answer 415.
			...(hasPayload(route) && {
				payload: {
					parse: false,
					output: 'data',
					maxBytes: maxBodyBytes,
					timeout: false,
					override: 'application/octet-stream',
				},
			}),
			handler: async (request, h) => {
				const {status, body} = await answerOnce(needs, route, [request, h]);
				return h.response(body === null ? undefined : (body as object)).code(status);
			},
		},
	};
	server.route(definition);
};
