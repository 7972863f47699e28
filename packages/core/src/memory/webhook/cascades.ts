import type {MemoryDatabase} from '../database.ts';
import {deleteWhere, rowsWhere, updateWhere} from '../rows.ts';

export const deleteEvent = (db: MemoryDatabase, event_id: string): void => {
	for (const {id} of rowsWhere(db.deliveries, (row) => row.event_id === event_id)) {
		deleteWhere(db.attempts, (attempt) => attempt.delivery_id === id);
		db.deliveries.delete(id);
	}
	db.webhookEvents.delete(event_id);
};

export const deleteEndpoint = (db: MemoryDatabase, endpoint_id: string): boolean => {
	const belongs = (row: Readonly<{endpoint_id: string}>) => row.endpoint_id === endpoint_id;
	for (const event of rowsWhere(db.webhookEvents, belongs)) deleteEvent(db, event.id);
	deleteWhere(db.claims, belongs);
	deleteWhere(db.middlewares, belongs);
	deleteWhere(db.routingRules, belongs);
	updateWhere(
		db.chains,
		(chain) => chain.trigger_endpoint_id === endpoint_id,
		(chain) => ({...chain, trigger_endpoint_id: null, version: chain.version + 1}),
	);
	return db.endpoints.delete(endpoint_id);
};
