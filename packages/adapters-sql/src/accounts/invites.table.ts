import type {Invite} from '@signalbox/core';
import {defineTable, instant, text} from '../table.ts';

/** `used_at` beside it is set by the one registration that an invite allows. */
export const invites = defineTable<Invite>('invites', {
	id: text(),
	team_id: text(),
	created_by: text(),
	token_digest: text(),
	created_at: instant,
	expires_at: instant,
});
