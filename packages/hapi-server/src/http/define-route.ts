import type {Caller, Core, ErrorReason, KeyScope} from '@signalbox/core';
import type {z} from 'zod';
import type {Throttled} from './rate-limit.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** `caller`: a valid credential is needed. `none`: an entry point that needs none. */
export type Auth = 'caller' | 'none';

/** The cookie that keeps a browser's refresh token out of reach of scripts. */
export type RefreshCookie = Readonly<{
	/** What the browser sent. */
	presented: string | undefined;
	keep(refreshToken: string): void;
	clear(): void;
}>;

/** What a handler gets: the domain, who calls, and what was sent, already valid. */
export type RouteContext<A extends Auth, Params, Query, Payload> = Readonly<{
	core: Core;
	caller: A extends 'caller' ? Caller : undefined;
	params: Params;
	query: Query;
	payload: Payload;
	cookie: RefreshCookie;
	/** Counts one use of an account at a throttled entry point. @throws rate_limited */
	throttle(account: string): Promise<void>;
}>;

/** One Server-Sent Event. Its data is of the view when it has no `event` of its own. */
export type Frame = Readonly<{id: number; event: string; data: unknown}>;

export type FrameSource<Query> = (
	context: Readonly<{core: Core; caller: Caller; query: Query; after: number | undefined; signal: AbortSignal}>,
) => AsyncIterable<Frame>;

type DeepReadonly<T> = T extends readonly (infer E)[]
	? readonly DeepReadonly<E>[]
	: T extends object
		? {readonly [K in keyof T]: DeepReadonly<T[K]>}
		: T;

/** The one success of a route: its status, and the view that every answer passes on its way out. */
type Replies<View extends z.ZodType> = Readonly<{200: View} | {201: View} | {204: null}>;

export type RouteDefinition<
	A extends Auth,
	Params extends z.ZodObject,
	Query extends z.ZodObject,
	Payload extends z.ZodObject,
	View extends z.ZodType,
> = Readonly<{
	method: Method;
	/** OpenAPI form: `/v1/things/{id}`. */
	path: `/v1/${string}`;
	/** Dotted; the generated client nests by it: `mcp.servers.create`. */
	operationId: string;
	summary: string;
	auth: A;
	/** A key with this scope may use it without the scope `api`, too. */
	key_scope?: KeyScope;
	/** Set on what the specification does not name. */
	extension?: true;
	/** A route with counters of its own: instead of the plan's, or besides it where a caller is known. */
	throttled?: Throttled;
	params?: Params;
	query?: Query;
	payload?: Payload;
	replies: Replies<View>;
	/** Answers Server-Sent Events of that view, for as long as the caller listens, instead of one body. */
	frames?: FrameSource<z.output<Query>>;
	/** What can go wrong beyond what every route of its kind can answer. */
	errors?: readonly ErrorReason[];
	handler(
		context: RouteContext<A, z.output<Params>, z.output<Query>, z.output<Payload>>,
	): Promise<DeepReadonly<z.input<View>>>;
}>;

/** A route of the table, whatever its types. */
export type Route = RouteDefinition<Auth, z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType>;

/**
 * One row of the route table: hapi's route, the validation on both sides and the operation in openapi.yaml are made
 * from it. Without `params`, `query` or `payload` the route takes none.
 */
export const defineRoute = <
	A extends Auth,
	View extends z.ZodType = z.ZodUndefined,
	Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
	Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
	Payload extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
	route: RouteDefinition<A, Params, Query, Payload, View>,
): Route => route as unknown as Route;

/** The status of the route's success. */
export const statusOf = (route: Route): number => Number(Object.keys(route.replies)[0]);

/** The view of the route's success; null when it has no body. */
export const viewOf = (route: Route): z.ZodType | null => Object.values(route.replies)[0] ?? null;

/** True when the route makes a record on behalf of a caller: it then honours Idempotency-Key. */
export const creates = (route: Route): boolean =>
	route.method === 'POST' && route.auth === 'caller' && statusOf(route) === 201;
