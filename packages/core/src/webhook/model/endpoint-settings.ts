import {z} from 'zod';
import {nameText} from '../../values/text.ts';
import {acceptanceSchema} from './endpoint.ts';
import {retryConfigSchema} from './retry-config.ts';
import {routingModeSchema} from './routing-rule.ts';
import {verificationSchema} from './verification.ts';

export const endpointSettingsSchema = z.strictObject({
	name: nameText.optional(),
	/** Http or https; path and query may hold `{{env.KEY}}`, or the whole text may be one. */
	destination_url: z.string().min(1).max(2048).optional(),
	routing_mode: routingModeSchema.optional(),
	/** Null: the default schedule. */
	retry_config: retryConfigSchema.nullable().optional(),
	/** A secret that is the mask keeps what is stored, as long as the type is the same. */
	verification: verificationSchema.optional(),
	response: acceptanceSchema.nullable().optional(),
	is_active: z.boolean().optional(),
});
/** What a request may set on an endpoint. What is left out keeps its value; on create, it has its default. */
export type EndpointSettings = z.input<typeof endpointSettingsSchema>;

/** The same with everything parsed that has a default of its own. */
export type ParsedEndpointSettings = z.output<typeof endpointSettingsSchema>;
