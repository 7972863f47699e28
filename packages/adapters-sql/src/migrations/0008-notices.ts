import type {Migration} from './definition.ts';

/** Endpoints from which notices to people leave: they take nothing in. */
export const notices: Migration = {
	name: '0008-notices',
	columns: [{table: 'webhook_endpoints', column: 'is_for_notices', type: 'flag', initially: 0}],
};
