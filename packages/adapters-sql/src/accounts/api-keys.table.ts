import type {ApiKeyRecord} from '@signalbox/core';
import {defineTable, instant, json, nullable, text} from '../table.ts';

export const apiKeys = defineTable<ApiKeyRecord>('api_keys', {
	id: text(),
	name: text(),
	masked_key: text(),
	scopes: json(),
	last_used_at: nullable(instant),
	expires_at: nullable(instant),
	created_at: instant,
	user_id: text(),
	prefix: text(),
	secret_digest: text(),
});
