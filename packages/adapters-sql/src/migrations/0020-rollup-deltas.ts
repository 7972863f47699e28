import type {Migration} from './definition.ts';

/** What a group of calls adds to the rollups, in one of its rows until it is folded in, where that is done later. */
export const rollupDeltas: Migration = {
	name: '0020-rollup-deltas',
	/** What is locked while they are folded in. */
	tables: [{name: 'mcp_rollup_locks', columns: {number: 'integer'}, key: ['number']}],
	columns: [
		{table: 'mcp_calls', column: 'unfolded', type: 'flag?', initially: null},
		{table: 'mcp_calls', column: 'rollup_delta', type: 'text?', initially: null},
	],
	indexes: [{table: 'mcp_calls', columns: ['unfolded', 'id'], where_set: 'unfolded'}],
};
