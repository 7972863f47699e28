import type {AgentRecord} from '@signalbox/core';
import {defineTable, flag, instant, nullable, number, text} from '../table.ts';

export const agents = defineTable<AgentRecord>('cron_agents', {
	id: text(),
	user_id: text(),
	name: text(),
	hostname: text(),
	os: text(),
	arch: text(),
	version: text(),
	is_default: flag,
	capacity: number,
	is_draining: flag,
	session_id: nullable(text()),
	last_seen_at: instant,
	created_at: instant,
});
