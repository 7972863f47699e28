import type {Migration} from './definition.ts';

/** Held calls of the stateless era come in rounds: when a caller that stays away counts as gone, and how far it got. */
export const rounds: Migration = {
	name: '0002-rounds',
	columns: [
		{table: 'approvals', column: 'detaches_at', type: 'instant?', initially: null},
		{table: 'approvals', column: 'runs', type: 'integer', initially: 0},
	],
};
