import {z} from 'zod';
import {boundedFields} from '../../values/bounded-fields.ts';
import {headerNameText, headerValueText} from '../../values/header-text.ts';
import {nameText, recordId} from '../../values/text.ts';
import {conditionOperatorSchema} from './middleware.ts';
import {retryConfigSchema} from './retry-config.ts';

export const routingModeSchema = z.enum(['single', 'first_match', 'all_match', 'broadcast']);
/** Who gets a webhook: the primary destination, the first rule that matches, each one that does, or every rule. */
export type RoutingMode = z.infer<typeof routingModeSchema>;

export const conditionSourceSchema = z.enum(['header', 'body', 'method']);
export type ConditionSource = z.infer<typeof conditionSourceSchema>;

export const routingRuleSchema = z.object({
	id: recordId,
	endpoint_id: recordId,
	name: nameText,
	/** Http or https; path and query may hold `{{env.KEY}}`, or the whole text may be one. */
	destination_url: z.string().min(1).max(2048),
	condition_source: conditionSourceSchema.nullable(),
	/** A header's name, or a JSONPath (RFC 9535) when the source is the body. */
	condition_field: z.string().max(1024).nullable(),
	condition_operator: conditionOperatorSchema.nullable(),
	condition_value: z.string().max(4096).nullable(),
	retry_config: retryConfigSchema.nullable(),
	/** Header name to value; values may hold `{{env.KEY}}`. */
	headers_override: boundedFields(z.record(headerNameText, headerValueText)),
	/** A LiquidJS template over body, headers, query, method, env and event. */
	transform_body: z
		.string()
		.max(64 * 1024)
		.nullable(),
	sort_order: z.int(),
	is_active: z.boolean(),
});
/** Rules of one endpoint: each webhook is judged by all of them before it is answered. */
export const mostRoutingRules = 100;

/** Where a webhook goes when its condition holds; without a condition it always does. */
export type RoutingRule = z.infer<typeof routingRuleSchema>;
