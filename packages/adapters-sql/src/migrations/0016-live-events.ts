import type {Migration} from './definition.ts';

/** What happened lately, for those who look on, and to whom somebody does. */
export const liveEvents: Migration = {
	name: '0016-live-events',
	tables: [
		{
			name: 'live_events',
			columns: {
				seq: 'integer',
				team_id: 'id?',
				user_id: 'id?',
				type: 'code',
				data: 'text',
				occurred_at: 'instant',
				recorded_at: 'instant',
			},
			key: ['seq'],
			indexes_where_set: {team_id: [['team_id', 'seq']], user_id: [['user_id', 'seq']]},
		},
		{
			name: 'live_listeners',
			columns: {audience_id: 'id', since_seq: 'integer?', until_at: 'instant'},
			key: ['audience_id'],
			indexes: [['until_at']],
			is_clustered: true,
		},
		/** One row: whoever appends holds it until its events are visible, so that they become so in the order of their numbers. */
		{
			name: 'live_progress',
			columns: {name: 'code', newest: 'integer', forgotten: 'integer'},
			key: ['name'],
			is_clustered: true,
		},
	],
};
