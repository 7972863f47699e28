import type {Migration, TableDefinition} from './definition.ts';

const jobs: readonly TableDefinition[] = [
	{
		/** Small rows: each tick changes one, and SQLite writes a changed row anew, with all that is in it. */
		name: 'cron_jobs',
		columns: {
			id: 'id',
			user_id: 'id',
			team_id: 'id',
			name: 'text',
			schedule: 'text',
			schedule_cron: 'text',
			timezone: 'code',
			concurrency: 'code',
			agent_id: 'id?',
			is_enabled: 'flag',
			last_run_at: 'instant?',
			next_run_at: 'instant?',
			created_at: 'instant',
			updated_at: 'instant',
			version: 'integer',
		},
		key: ['id'],
		is_clustered: true,
		indexes: [
			['user_id', 'created_at', 'id'],
			['user_id', 'agent_id'],
		],
		indexes_where_set: {
			next_run_at: [
				['is_enabled', 'next_run_at', 'id'],
				['user_id', 'is_enabled', 'next_run_at', 'id'],
			],
		},
		belongs_to: {user_id: 'users'},
	},
	{
		name: 'cron_job_commands',
		columns: {
			id: 'id',
			working_dir: 'text',
			timeout_seconds: 'integer',
			retry_config: 'text',
			notification_config: 'text',
			tags: 'text',
			command: 'text',
			environment: 'text',
		},
		key: ['id'],
		belongs_to: {id: 'cron_jobs'},
	},
	{
		/** What the tags of jobs are looked up by. */
		name: 'cron_job_tags',
		columns: {job_id: 'id', tag_key: 'code', user_id: 'id'},
		key: ['job_id', 'tag_key'],
		indexes: [['user_id', 'tag_key', 'job_id']],
		belongs_to: {job_id: 'cron_jobs'},
	},
	{
		/**
		 * Every tick that was judged, once, whatever became of it. A job has one user: the key begins with what ticks of one
		 * moment share, so that thousands are written side by side.
		 */
		name: 'cron_occurrences',
		columns: {user_id: 'id', scheduled_for: 'instant', job_id: 'id', outcome: 'code'},
		key: ['user_id', 'scheduled_for', 'job_id'],
	},
];

const executions: readonly TableDefinition[] = [
	{
		name: 'cron_executions',
		columns: {
			id: 'id',
			job_id: 'id',
			job_name: 'text',
			user_id: 'id',
			team_id: 'id',
			agent_id: 'id?',
			status: 'code',
			triggered_by: 'code',
			attempt: 'integer',
			retry_of: 'id?',
			scheduled_for: 'instant',
			due_at: 'instant',
			start_deadline_at: 'instant',
			missed_count: 'integer',
			exit_code: 'integer?',
			duration_ms: 'integer?',
			error: 'text?',
			truncated: 'flag',
			started_at: 'instant?',
			completed_at: 'instant?',
			/** Who has leased or started it, and of that lease. They stay when it ends. */
			held_by: 'id?',
			lease_token: 'code?',
			/** Pending: when it may be leased, once it is due or its lease has run out. Null: never again. */
			available_at: 'instant?',
			/** Pending: its start deadline. Running: when its agent named it last. Null: it is over. */
			watched_at: 'instant?',
			/** Since when somebody should be told how it ended. */
			untold_since: 'instant?',
			/** Of output: kept, and received in all. */
			kept_bytes: 'integer',
			received_bytes: 'integer',
		},
		key: ['id'],
		indexes: [
			['user_id', 'scheduled_for', 'id'],
			['job_id', 'scheduled_for'],
		],
		indexes_where_set: {
			available_at: [['user_id', 'agent_id', 'due_at', 'id']],
			watched_at: [['job_id'], ['status', 'watched_at']],
			held_by: [['held_by', 'status']],
			completed_at: [['user_id', 'completed_at']],
			untold_since: [['untold_since', 'id']],
		},
		belongs_to: {job_id: 'cron_jobs'},
	},
	{
		name: 'cron_outputs',
		columns: {
			execution_id: 'id',
			/** Bytes before it. */
			starts_at: 'integer',
			ends_at: 'integer',
			stream: 'code',
			data: 'bytes',
		},
		key: ['execution_id', 'starts_at'],
		belongs_to: {execution_id: 'cron_executions'},
	},
];

const agents: TableDefinition = {
	name: 'cron_agents',
	columns: {
		id: 'id',
		user_id: 'id',
		name: 'text',
		hostname: 'text',
		os: 'text',
		arch: 'text',
		version: 'text',
		is_default: 'flag',
		capacity: 'integer',
		is_draining: 'flag',
		session_id: 'id?',
		last_seen_at: 'instant',
		created_at: 'instant',
	},
	key: ['id'],
	indexes: [['user_id', 'created_at', 'id']],
	belongs_to: {user_id: 'users'},
};

export const cron: Migration = {name: '0005-cron', tables: [agents, ...jobs, ...executions]};
