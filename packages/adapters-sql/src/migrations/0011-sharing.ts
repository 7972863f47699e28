import type {Migration} from './definition.ts';

/** What processes on one database share besides due work: what they tell each other, and how often each key was let through. */
export const sharing: Migration = {
	name: '0011-sharing',
	tables: [
		{name: 'signal_log', columns: {seq: 'sequence', origin: 'id', events: 'text', written_at: 'instant'}, key: ['seq']},
		{
			name: 'rate_buckets',
			columns: {bucket_key: 'id', level: 'integer', at_ms: 'integer', full_at_ms: 'integer'},
			key: ['bucket_key'],
			is_clustered: true,
		},
	],
};
