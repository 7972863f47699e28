import type {RefreshToken} from '@signalbox/core';
import {defineTable, instant, nullable, text} from '../table.ts';

export const refreshTokens = defineTable<RefreshToken>('refresh_tokens', {
	id: text(),
	family_id: text(),
	user_id: text(),
	token_digest: text(),
	created_at: instant,
	expires_at: instant,
	used_at: nullable(instant),
	successor_digest: nullable(text()),
});

/** What is revoked, at once, is the family; its tokens stay as they are. */
export const sessionFamilies = defineTable<Readonly<{id: string; user_id: string; revoked_at: string | null}>>(
	'session_families',
	{id: text(), user_id: text(), revoked_at: nullable(instant)},
);
