import type {Request, ResponseObject, ResponseToolkit, Server} from '@hapi/hapi';
import {type Answer, type Core, DomainError} from '@signalbox/core';
import {z} from 'zod';
import {type Auth, creates, type Route, type RouteContext, statusOf, viewOf} from './define-route.ts';
import type {EventStreams} from './event-streams.ts';
import type {RateLimits} from './rate-limit.ts';
import {maxBodyBytes, maxStrangerBytes, readBody} from './read-body.ts';
import {readJson} from './read-json.ts';
import {type RawQuery, readQuery} from './read-query.ts';
import {refreshCookieOf} from './refresh-cookie.ts';
import {settleRate} from './request-state.ts';
import {validated} from './validate.ts';

export type RouteNeeds = Readonly<{core: Core; limits: RateLimits; streams: EventStreams}>;

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

const hasPayload = (route: Route): boolean => route.method === 'POST' || route.method === 'PUT';

const readPayload = async (route: Route, {raw}: Request): Promise<Buffer> =>
	hasPayload(route) ? readBody(raw.req, route.auth === 'none' ? maxStrangerBytes : maxBodyBytes) : Buffer.alloc(0);

/** One request on its way through a route. `body` is empty where the method brings none. */
type Exchange = Readonly<{request: Request; h: ResponseToolkit; body: Buffer}>;

const contextOf = (needs: RouteNeeds, route: Route, {request, h, body}: Exchange): AnyContext => ({
	core: needs.core,
	caller: request.app.caller as AnyContext['caller'],
	params: readParams(request),
	query: (readQuery(request.query as RawQuery, route.query) ?? {}) as Record<string, unknown>,
	payload: (hasPayload(route)
		? validated(route.payload ?? nothing, readJson(body, request.raw.req.headers))
		: {}) as Record<string, unknown>,
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

/** What makes two requests the same: the operation, the team it asks for, and the bytes of the body. */
const fingerprint = ({request, body}: Exchange): string =>
	[request.method, request.path, request.raw.req.headers['x-team-id'] ?? '', body.toString('utf8')].join('\n');

const answerOnce = async (needs: RouteNeeds, route: Route, exchange: Exchange): Promise<Answer> => {
	const context = contextOf(needs, route, exchange);
	const key: unknown = exchange.request.headers['idempotency-key'];
	if (typeof key !== 'string' || !creates(route) || context.caller === undefined) return answer(route, context);
	return needs.core.accounts.idempotency.once(context.caller, {key, request: fingerprint(exchange)}, () =>
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

/** hapi keeps its hands off bodies: the strict reader is ours, and so are its limits and its answers. */
export const untouched = {
	parse: false,
	output: 'stream',
	maxBytes: Number.MAX_SAFE_INTEGER,
	timeout: false,
	override: 'application/octet-stream',
} as const;

/** The number of the last frame that the client has seen. */
const lastSeen = (request: Request): number | undefined => {
	const given = request.raw.req.headers['last-event-id'];
	if (given === undefined || given === '') return undefined;
	// What was no number of ours is one that is not known: the client is told to begin anew.
	return typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : Number.MAX_SAFE_INTEGER;
};

const answerFrames = (needs: RouteNeeds, route: Route, {request, h, body}: Exchange): ResponseObject => {
	const {core, caller, query} = contextOf(needs, route, {request, h, body});
	const {frames} = route;
	if (caller === undefined || frames === undefined) throw new DomainError('authentication_required');
	const after = lastSeen(request);
	return needs.streams.answer({request, h, caller}, (signal) => frames({core, caller, query, after, signal}));
};

/** Makes a row of the route table a route of hapi. */
export const registerRoute = (server: Server, route: Route, needs: RouteNeeds): void => {
	server.route({
		method: route.method,
		path: route.path,
		options: {
			auth: route.auth === 'caller' ? 'caller' : false,
			app: {key_scope: route.key_scope},
			ext: {onPreAuth: {method: throttleAddress(needs, route)}},
			...(route.method !== 'GET' && {payload: untouched}),
			handler: async (request, h) => {
				const body = await readPayload(route, request);
				if (route.frames) return answerFrames(needs, route, {request, h, body});
				const answered = await answerOnce(needs, route, {request, h, body});
				return h.response((answered.body as object | null) ?? undefined).code(answered.status);
			},
		},
	});
};
