import type {Migration} from './definition.ts';

/** Whose a lease on a delivery is: a process alone at a destination may hold more of them. */
export const leaseHolders: Migration = {
	name: '0009-lease-holders',
	columns: [{table: 'webhook_deliveries', column: 'leased_by', type: 'id?', initially: null}],
};
