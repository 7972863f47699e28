import type {Migration} from './definition.ts';

/** What calls add to the rollups, appended in groups, and folded in later: a row that all of them change would be waited for. */
export const rollupDeltas: Migration = {
	name: '0020-rollup-deltas',
	tables: [
		{
			name: 'mcp_call_rollup_deltas',
			columns: {
				seq: 'sequence',
				mcp_server_id: 'id',
				hour: 'instant',
				tool_key: 'code',
				status: 'code',
				bucket: 'integer',
				tool_name: 'text',
				calls: 'integer',
				duration_ms: 'integer',
				cost_cents: 'integer',
			},
			key: ['seq'],
			indexes: [['mcp_server_id']],
			belongs_to: {mcp_server_id: 'mcp_servers'},
		},
	],
};
