import type {AuditEntry} from '@signalbox/core';
import {defineTable, instant, json, nullable, text} from '../table.ts';

/** Without a foreign key: what was done outlives what it was done to. */
export const auditEntries = defineTable<AuditEntry>('audit_entries', {
	id: text(),
	team_id: text(),
	user_id: text(),
	api_key_id: nullable(text()),
	action: text(),
	target_id: text(),
	data: json(),
	created_at: instant,
});
