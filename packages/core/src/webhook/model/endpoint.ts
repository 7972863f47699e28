import {z} from 'zod';
import type {Sealed} from '../../values/sealed.ts';
import {instantText, nameText, recordId} from '../../values/text.ts';
import {retryConfigSchema} from './retry-config.ts';
import {routingModeSchema} from './routing-rule.ts';
import type {PublicVerification} from './verification.ts';

export const acceptanceSchema = z.strictObject({
	status: z.int().min(200).max(299),
	body: z.string().max(8192),
});
/** What a sender is answered instead of 202 with the event's id. */
export type Acceptance = z.infer<typeof acceptanceSchema>;

export const endpointSchema = z.object({
	id: recordId,
	slug: z.string(),
	name: nameText,
	/** Http or https; path and query may hold `{{env.KEY}}`, or the whole text may be one. */
	destination_url: z.string(),
	routing_mode: routingModeSchema,
	/** Null: the default schedule. */
	retry_config: retryConfigSchema.nullable(),
	/** How the sender is known; secrets are masked. */
	verification: z.looseObject({type: z.string()}),
	/** Signs deliveries (Standard Webhooks). Whole in the answer that creates or rotates it, masked elsewhere. */
	signing_secret: z.string(),
	response: acceptanceSchema.nullable(),
	is_active: z.boolean(),
	created_at: instantText,
	updated_at: instantText,
});
/** Where webhooks come in: `{hook_url}/wh/<slug>`. */
export type Endpoint = z.infer<typeof endpointSchema>;

/** The secret before a rotation: it signs beside the new one until `until`. */
export type PreviousSecret = Readonly<{secret: Sealed; until: string}>;

export type EndpointRecord = Omit<Endpoint, 'verification' | 'signing_secret'> &
	Readonly<{
		user_id: string;
		team_id: string;
		verification: PublicVerification;
		/** Sealed JSON object of the secret fields of `verification`, or null when it has none. */
		verification_secrets: Sealed | null;
		signing_secret: Sealed;
		previous_signing_secret: PreviousSecret | null;
		/**
		 * True for the one from which its user's notices leave: nothing comes in there, and nobody sees or changes it. Its signing
		 * secret is the user's.
		 */
		is_for_notices: boolean;
		/** Rises with each change of the endpoint, its middleware or its rules: what is compiled is compiled for a version. */
		version: number;
	}>;
