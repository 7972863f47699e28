import type {Migration} from './definition.ts';

/** Cron chains, what became of each start of one, and which runs of jobs are attempts at their steps. */
export const chains: Migration = {
	name: '0007-chains',
	tables: [
		{
			name: 'cron_chains',
			columns: {
				id: 'id',
				user_id: 'id',
				name: 'text',
				description: 'text?',
				trigger_type: 'code',
				trigger_schedule: 'text?',
				schedule_cron: 'text?',
				timezone: 'code',
				trigger_endpoint_id: 'id?',
				is_enabled: 'flag',
				/** All of them: they are replaced, copied and shown together. */
				steps: 'text',
				/** Null unless its schedule starts it. */
				next_run_at: 'instant?',
				created_at: 'instant',
				updated_at: 'instant',
				version: 'integer',
			},
			key: ['id'],
			indexes: [['user_id', 'created_at', 'id']],
			indexes_where_set: {
				next_run_at: [['next_run_at', 'id']],
				trigger_endpoint_id: [['trigger_endpoint_id']],
			},
			belongs_to: {user_id: 'users'},
		},
		{
			name: 'cron_chain_executions',
			columns: {
				id: 'id',
				chain_id: 'id',
				chain_name: 'text',
				user_id: 'id',
				status: 'code',
				triggered_by: 'code',
				trigger_event_id: 'id?',
				current_step: 'integer?',
				steps: 'text',
				started_at: 'instant',
				completed_at: 'instant?',
				canceled_by: 'id?',
				/** When it is to be looked at. Null: it is over. */
				due_at: 'instant?',
				/** Since when somebody should be told how it ended. */
				untold_since: 'instant?',
				version: 'integer',
			},
			key: ['id'],
			unique: [['chain_id', 'trigger_event_id']],
			indexes: [['chain_id', 'started_at', 'id']],
			indexes_where_set: {
				due_at: [['due_at', 'id'], ['chain_id']],
				completed_at: [['user_id', 'completed_at']],
				untold_since: [['untold_since', 'id']],
			},
			belongs_to: {chain_id: 'cron_chains'},
		},
		{
			/** Apart from what every run has: most runs are part of no chain. Each attempt at a step is made once. */
			name: 'cron_step_runs',
			columns: {
				execution_id: 'id',
				chain_execution_id: 'id',
				step_order: 'integer',
				attempt: 'integer',
				deadline_at: 'instant',
				event_id: 'id?',
			},
			key: ['execution_id'],
			is_clustered: true,
			unique: [['chain_execution_id', 'step_order', 'attempt']],
			belongs_to: {execution_id: 'cron_executions', chain_execution_id: 'cron_chain_executions'},
		},
	],
};
