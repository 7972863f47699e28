import type {McpServerRecord} from '@signalbox/core';
import {defineTable, flag, instant, json, nullable, number, sealed, text} from '../table.ts';

export const mcpServers = defineTable<McpServerRecord>('mcp_servers', {
	id: text(),
	user_id: text(),
	team_id: text(),
	slug: text(),
	name: text(),
	target_url: text(),
	is_active: flag,
	default_cost_cents: number,
	approval_config: json(),
	rate_limit_config: json(),
	upstream_headers: nullable(sealed),
	upstream_header_names: json(),
	forward_headers: json(),
	allowed_methods: json(),
	require_auth: flag,
	log_bodies: json(),
	version: number,
	created_at: instant,
	updated_at: instant,
});
