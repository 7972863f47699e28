import type {Migration} from './definition.ts';

/** What waits or runs is found among all that is over. */
export const flaggedIndexes: Migration = {
	name: '0015-flagged-indexes',
	flagged_indexes: [
		{
			name: 'webhook_deliveries_available',
			table: 'webhook_deliveries',
			where_set: 'available_at',
			columns: ['destination_key', 'leased', 'available_at', 'id'],
		},
		{
			name: 'cron_executions_available',
			table: 'cron_executions',
			where_set: 'available_at',
			columns: ['user_id', 'agent_id', 'due_at', 'id'],
		},
		{name: 'cron_executions_watched', table: 'cron_executions', where_set: 'watched_at', columns: ['job_id']},
		{name: 'cron_chain_executions_due', table: 'cron_chain_executions', where_set: 'due_at', columns: ['chain_id']},
	],
};
