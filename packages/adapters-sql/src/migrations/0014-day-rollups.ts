import {raw} from '../sql.ts';
import type {Migration} from './definition.ts';

/** Calls summed up by the day: a month's metrics are sums of so few that they take no longer the more calls there are. */
export const dayRollups: Migration = {
	name: '0014-day-rollups',
	tables: [
		{
			name: 'mcp_call_day_rollups',
			columns: {
				mcp_server_id: 'id',
				/** `2026-01-31`, UTC. */
				day: 'code',
				tool_key: 'code',
				status: 'code',
				bucket: 'integer',
				tool_name: 'text',
				calls: 'integer',
				duration_ms: 'integer',
				cost_cents: 'integer',
			},
			key: ['mcp_server_id', 'day', 'tool_key', 'status', 'bucket'],
			belongs_to: {mcp_server_id: 'mcp_servers'},
		},
	],
	fills: [
		raw(`INSERT INTO mcp_call_day_rollups
			(mcp_server_id, day, tool_key, status, bucket, tool_name, calls, duration_ms, cost_cents)
			SELECT mcp_server_id, substr(hour, 1, 10), tool_key, status, bucket, MIN(tool_name), SUM(calls), SUM(duration_ms),
				SUM(cost_cents)
			FROM mcp_call_rollups WHERE NOT EXISTS (SELECT 1 FROM mcp_call_day_rollups)
			GROUP BY mcp_server_id, substr(hour, 1, 10), tool_key, status, bucket`),
	],
};
