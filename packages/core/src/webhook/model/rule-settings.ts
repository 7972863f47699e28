import {z} from 'zod';
import {routingRuleSchema} from './routing-rule.ts';

const {shape} = routingRuleSchema;

/** Every field that a request may set. Those that a rule may do without can be null. */
export const ruleSettingsSchema = z.strictObject({
	name: shape.name,
	destination_url: shape.destination_url,
	is_active: shape.is_active,
	condition_source: shape.condition_source.default(null),
	condition_field: shape.condition_field.default(null),
	condition_operator: shape.condition_operator.default(null),
	condition_value: shape.condition_value.default(null),
	retry_config: shape.retry_config.default(null),
	headers_override: shape.headers_override.default({}),
	transform_body: shape.transform_body.default(null),
	/** Lower first; left out, the rule goes last. */
	sort_order: z.int().min(0).max(1_000_000_000).optional(),
});

/** What a rule is to be. */
export type NewRoutingRule = z.input<typeof ruleSettingsSchema>;

/** What a request may change of a rule; what is left out keeps its value. `condition_source: null` drops the condition. */
export type RuleSettings = Partial<NewRoutingRule>;

export type ParsedRuleSettings = z.output<typeof ruleSettingsSchema>;
