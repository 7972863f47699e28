import type {Migration} from './definition.ts';

/** What is locked while leases of destinations are counted, where several can write at once. */
export const laneLocks: Migration = {
	name: '0012-lane-locks',
	tables: [{name: 'webhook_lane_locks', columns: {number: 'integer'}, key: ['number']}],
};
