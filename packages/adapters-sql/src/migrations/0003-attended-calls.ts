import type {Migration} from './definition.ts';

/** Which approvals a living process holds or runs the call of, as long as it keeps saying so. */
export const attendedCalls: Migration = {
	name: '0003-attended-calls',
	tables: [
		{
			name: 'attended_calls',
			columns: {approval_id: 'id', attended_until: 'instant'},
			key: ['approval_id'],
			indexes: [['attended_until']],
			belongs_to: {approval_id: 'approvals'},
		},
	],
};
