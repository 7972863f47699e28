import type {UserRecord} from '@signalbox/core';
import {defineTable, flag, instant, nullable, text} from '../table.ts';

export const users = defineTable<UserRecord>('users', {
	id: text(),
	email: text(),
	name: nullable(text()),
	plan: text(),
	active_team_id: text(),
	created_at: instant,
	updated_at: instant,
	email_key: text(),
	password_hash: text(),
	disabled: flag,
});
