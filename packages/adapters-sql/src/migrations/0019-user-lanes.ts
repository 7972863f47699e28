import type {Migration} from './definition.ts';

/** What waits stands in lanes of its destination and its user, and all leases of a destination still stand together. */
export const userLanes: Migration = {
	name: '0019-user-lanes',
	indexes: [
		{
			name: 'webhook_deliveries_in_lanes',
			table: 'webhook_deliveries',
			where_set: 'available_at',
			columns: ['leased', 'destination_key', 'available_at', 'id'],
		},
	],
	// By either name: that of SQLite, and that of the others.
	dropped_indexes: [
		{table: 'webhook_deliveries', columns: ['destination_key', 'leased', 'available_at', 'id']},
		{name: 'webhook_deliveries_available', table: 'webhook_deliveries', columns: []},
	],
};
