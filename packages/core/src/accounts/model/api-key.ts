import {z} from 'zod';
import {keyScopes} from '../../values/caller.ts';
import {instantText, nameText, recordId} from '../../values/text.ts';

export const keyScopeSchema = z.enum(keyScopes);

export const apiKeySchema = z.object({
	id: recordId,
	name: nameText,
	/** `sbx_<8 id chars>_…`: enough to recognise it, useless to sign in. */
	masked_key: z.string(),
	scopes: z.array(keyScopeSchema),
	last_used_at: instantText.nullable(),
	expires_at: instantText.nullable(),
	created_at: instantText,
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export type ApiKeyRecord = ApiKey &
	Readonly<{
		user_id: string;
		/** The 8 characters between the underscores: unique, how a presented key is found. */
		prefix: string;
		/** SHA-256 of the secret part. */
		secret_digest: string;
	}>;
