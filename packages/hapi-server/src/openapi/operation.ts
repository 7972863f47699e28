import {DomainError, type ErrorReason} from '@signalbox/core';
import type {oas31} from 'openapi3-ts';
import type {z} from 'zod';
import {creates, type Route, statusOf, viewOf} from '../http/define-route.ts';
import {statusByKind} from '../http/status-codes.ts';
import {errorExample, errorSchema} from './error-body.ts';
import {bodySchema, parameterSchema, type Schema} from './schema.ts';

const json = (schema: Schema): oas31.ContentObject => ({'application/json': {schema}});

const eventStream = (schema: Schema): oas31.ContentObject => ({'text/event-stream': {schema}});

const hasPayload = (route: Route): boolean => route.method === 'POST' || route.method === 'PUT';

/** Everything the route can answer besides its success. */
const reasonsOf = (route: Route): readonly ErrorReason[] => [
	'validation_error',
	...(route.auth === 'caller'
		? (['authentication_required', 'invalid_token', 'token_expired', 'forbidden', 'resource_not_found'] as const)
		: []),
	...(hasPayload(route) ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
	...(creates(route) ? (['conflict'] as const) : []),
	...(route.errors ?? []),
	'rate_limited',
	'internal_error',
	'service_unavailable',
];

const responseHeaders: oas31.HeadersObject = Object.fromEntries(
	['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
		name,
		{$ref: `#/components/headers/${name}`},
	]),
);

const retryAfter: oas31.HeadersObject = {'Retry-After': {$ref: '#/components/headers/Retry-After'}};

const errorResponse = (reasons: readonly ErrorReason[]): oas31.ResponseObject => {
	const errors = reasons.map((reason) => new DomainError(reason));
	// A conflict passes where the first request under an Idempotency-Key is still at work.
	const waits = errors.some(({kind, reason}) => kind === 'limited' || kind === 'unavailable' || reason === 'conflict');
	return {
		description: errors.map(({code, message}) => `\`${code}\`: ${message}`).join('\n\n'),
		headers: {...responseHeaders, ...(waits && retryAfter)},
		content: {
			'application/json': {
				schema: errorSchema(errors.map(({code}) => code)),
				examples: Object.fromEntries(errors.map((error) => [error.code, {value: errorExample(error)}])),
			},
		},
	};
};

const byStatus = (route: Route): readonly (readonly [number, readonly ErrorReason[]])[] => [
	...Map.groupBy(new Set(reasonsOf(route)), (reason) => statusByKind[new DomainError(reason).kind]),
];

/** The same errors are the same component: `404-resource_not_found`. */
const responseName = (status: number, reasons: readonly ErrorReason[]): string =>
	[status, ...reasons.map((reason) => new DomainError(reason).code)].join('-');

/** The error answers that the routes share, by name. */
export const errorComponents = (routes: readonly Route[]): Readonly<Record<string, oas31.ResponseObject>> => {
	const shared = new Map(
		routes.flatMap(byStatus).map(([status, reasons]) => [responseName(status, reasons), reasons] as const),
	);
	const named = [...shared].sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(named.map(([name, reasons]) => [name, errorResponse(reasons)]));
};

const errorResponses = (route: Route): oas31.ResponsesObject =>
	Object.fromEntries(
		byStatus(route).map(([status, reasons]) => [
			status,
			{$ref: `#/components/responses/${responseName(status, reasons)}`},
		]),
	);

const successNames: Readonly<Record<number, string>> = {200: 'OK', 201: 'Created', 204: 'Done'};

const success = (route: Route): oas31.ResponseObject => {
	const view = viewOf(route);
	return {
		description: successNames[statusOf(route)] ?? 'OK',
		headers: responseHeaders,
		...(view && {content: route.frames ? eventStream(bodySchema(view)) : json(bodySchema(view))}),
	};
};

const parameter = (place: 'path' | 'query', name: string, field: z.ZodType): oas31.ParameterObject => {
	const {
		description,
		'x-extension': extension,
		...schema
	} = parameterSchema(field) as oas31.SchemaObject & {
		'x-extension'?: true;
	};
	return {
		name,
		in: place,
		required: place === 'path' || !field.safeParse(undefined).success,
		...(description && {description}),
		schema,
		...(schema.format === 'uuid' && {example: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30'}),
		...(extension && {'x-extension': true}),
	};
};

const parametersOf = (route: Route): (oas31.ParameterObject | oas31.ReferenceObject)[] => [
	...Object.entries(route.params?.shape ?? {}).map(([name, field]) => parameter('path', name, field as z.ZodType)),
	...Object.entries(route.query?.shape ?? {}).map(([name, field]) => parameter('query', name, field as z.ZodType)),
	...(route.auth === 'caller' ? [{$ref: '#/components/parameters/X-Team-Id'}] : []),
	...(creates(route) ? [{$ref: '#/components/parameters/Idempotency-Key'}] : []),
	...(route.frames ? [{$ref: '#/components/parameters/Last-Event-ID'}] : []),
];

const requestBody = (payload: z.ZodObject): oas31.RequestBodyObject => ({
	required: !payload.safeParse({}).success,
	content: json(bodySchema(payload)),
});

/** The first part of the operation id: `mcp.servers.create` is of `mcp`. */
export const tagOf = (route: Route): string => route.operationId.split('.')[0] ?? '';

/** A row of the route table as an operation. */
export const operationOf = (route: Route): oas31.OperationObject => ({
	operationId: route.operationId,
	summary: route.summary,
	tags: [tagOf(route)],
	...(route.extension && {'x-extension': true}),
	security: route.auth === 'caller' ? [{bearer: []}, {apiKey: []}] : [],
	parameters: parametersOf(route),
	...(route.payload && {requestBody: requestBody(route.payload)}),
	responses: {[statusOf(route)]: success(route), ...errorResponses(route)},
});
