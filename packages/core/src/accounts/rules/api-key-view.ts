import type {ApiKey, ApiKeyRecord} from '../model/api-key.ts';

/** A key as its owner sees it: field by field, so that a new one stays inside until it is named here. */
export const apiKeyOf = (key: ApiKeyRecord): ApiKey => ({
	id: key.id,
	name: key.name,
	masked_key: key.masked_key,
	scopes: key.scopes,
	last_used_at: key.last_used_at,
	expires_at: key.expires_at,
	created_at: key.created_at,
});
