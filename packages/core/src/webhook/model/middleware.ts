import {z} from 'zod';
import {boundedFields} from '../../values/bounded-fields.ts';
import {headerNameText, headerValueText} from '../../values/header-text.ts';
import {nameText, recordId} from '../../values/text.ts';

export const conditionOperatorSchema = z.enum(['equals', 'not_equals', 'contains', 'matches', 'exists']);
export type ConditionOperator = z.infer<typeof conditionOperatorSchema>;

/** `headers.<name>`, `query.<name>`, `method`, `body`, `body.<dotted>`, or a JSONPath (RFC 9535) on the body. */
const fieldPathText = z.string().min(1).max(1024);

const filterConfigSchema = z.strictObject({
	field: fieldPathText,
	operator: conditionOperatorSchema,
	/** What the field is compared with; for `exists` it may be left out. */
	value: z.string().max(4096).optional(),
});

const transformHeadersConfigSchema = z.strictObject({
	set: boundedFields(z.record(headerNameText, headerValueText)).optional(),
	remove: z.array(headerNameText).max(100).optional(),
});

const transformBodyConfigSchema = z.strictObject({
	set: boundedFields(z.record(z.string().min(1).max(1024), z.json())).optional(),
	remove: z.array(z.string().min(1).max(1024)).max(100).optional(),
});

const delayConfigSchema = z.strictObject({seconds: z.int().min(0).max(86_400)});

const deduplicateConfigSchema = z.strictObject({
	key: fieldPathText,
	/** How long a value is remembered. Seconds. */
	ttl: z
		.int()
		.min(1)
		.max(30 * 86_400),
});

/** The config of each type of middleware (specification, "Middleware"). */
export const middlewareConfigSchemas = {
	filter: filterConfigSchema,
	transform_headers: transformHeadersConfigSchema,
	transform_body: transformBodyConfigSchema,
	delay: delayConfigSchema,
	deduplicate: deduplicateConfigSchema,
} as const;

export const middlewareTypeSchema = z.enum(['filter', 'transform_headers', 'transform_body', 'delay', 'deduplicate']);
export type MiddlewareType = z.infer<typeof middlewareTypeSchema>;

export type MiddlewareConfigs = {
	readonly [T in MiddlewareType]: z.infer<(typeof middlewareConfigSchemas)[T]>;
};

/** A type with the config that belongs to it. */
export type TypedConfig = {
	readonly [T in MiddlewareType]: Readonly<{type: T; config: MiddlewareConfigs[T]}>;
}[MiddlewareType];

export const middlewareSchema = z.object({
	id: recordId,
	endpoint_id: recordId,
	type: middlewareTypeSchema,
	name: nameText,
	config: z.record(z.string(), z.unknown()),
	sort_order: z.int(),
	is_active: z.boolean(),
});
/** Steps of one endpoint: each webhook passes all of them before it is answered. */
export const mostMiddlewares = 50;

/** A step of an endpoint's pipeline. Config strings may hold `{{env.KEY}}`. */
export type Middleware = Readonly<{
	id: string;
	endpoint_id: string;
	name: string;
	sort_order: number;
	is_active: boolean;
}> &
	TypedConfig;
