import type {Migration} from './definition.ts';

/** What lists filter by stands in the index that has their order: rows that a filter leaves out are not read. */
export const listedFilters: Migration = {
	name: '0013-listed-filters',
	indexes: [
		{
			name: 'mcp_calls_as_listed',
			table: 'mcp_calls',
			columns: ['team_id', 'created_at', 'id', 'mcp_server_id', 'status'],
			texts: ['method', 'tool_name'],
		},
		{
			name: 'cron_executions_as_listed',
			table: 'cron_executions',
			columns: ['user_id', 'scheduled_for', 'id', 'job_id', 'status', 'triggered_by'],
		},
	],
	dropped_indexes: [
		{table: 'mcp_calls', columns: ['team_id', 'created_at', 'id']},
		{table: 'cron_executions', columns: ['user_id', 'scheduled_for', 'id']},
	],
};
