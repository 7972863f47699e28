import {z} from 'zod';
import {headerNameText} from '../../values/header-text.ts';
import {mask} from '../../values/mask.ts';

/** Shared with the sender; may be `{{env.KEY}}`. */
const secret = z.string().min(1).max(4096);
/** How old a signed time may be. Seconds. */
const tolerance_seconds = z.int().min(1).max(86_400).default(300);

/** How an endpoint knows its sender (decisions, "Endpoints"): each preset signs the way its provider documents. */
export const verificationSchema = z.discriminatedUnion('type', [
	z.strictObject({type: z.literal('none')}),
	z.strictObject({type: z.literal('standard_webhooks'), secret, tolerance_seconds}),
	z.strictObject({type: z.literal('github'), secret}),
	z.strictObject({type: z.literal('stripe'), secret, tolerance_seconds}),
	z.strictObject({type: z.literal('slack'), secret, tolerance_seconds}),
	z.strictObject({type: z.literal('shopify'), secret}),
	/** `verify_token` answers the subscription handshake. */
	z.strictObject({type: z.literal('meta'), secret, verify_token: secret}),
	z.strictObject({type: z.literal('zoom'), secret, tolerance_seconds}),
	z.strictObject({
		type: z.literal('hmac'),
		secret,
		header: headerNameText,
		algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
		encoding: z.enum(['hex', 'base64']).default('hex'),
		/** What stands before the signature in the header: `sha256=`. */
		prefix: z.string().max(32).default(''),
	}),
	z.strictObject({type: z.literal('basic'), username: z.string().min(1).max(255), password: secret}),
	z.strictObject({type: z.literal('api_key'), header: headerNameText.default('x-api-key'), key: secret}),
]);
export type Verification = z.infer<typeof verificationSchema>;

/** The fields that are sealed in the store and masked in every answer. */
const secretFields: ReadonlySet<string> = new Set(['secret', 'verify_token', 'password', 'key']);

/** Fields by name, without the secret ones. */
export type PublicVerification = Readonly<{type: Verification['type']} & Record<string, unknown>>;

/** A verification as two parts: what may be shown, and what is sealed. */
export const splitVerification = (
	verification: Verification,
): Readonly<{shown: PublicVerification; secrets: Readonly<Record<string, string>>}> => {
	const fields = Object.entries(verification);
	const isSecret = ([name]: readonly [string, unknown]) => secretFields.has(name);
	return {
		shown: Object.fromEntries(
			fields.map(([name, value]) => [name, isSecret([name, value]) ? mask : value]),
		) as PublicVerification,
		secrets: Object.fromEntries(fields.filter(isSecret)) as Record<string, string>,
	};
};
