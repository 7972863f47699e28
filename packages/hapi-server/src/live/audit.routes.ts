import {auditEntrySchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {pageFields, pageOf} from '../http/fields.ts';

const auditEntryView = auditEntrySchema.meta({
	id: 'AuditEntry',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2af0',
			team_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a02',
			user_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
			api_key_id: null,
			action: 'mcp_server.updated',
			target_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30',
			data: {name: 'GitHub'},
			created_at: '2026-01-31T09:30:00.000Z',
		},
	],
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/audit',
	operationId: 'audit.list',
	summary: 'Who changed what in the active team, newest first',
	auth: 'caller',
	extension: true,
	query: z.strictObject(pageFields),
	replies: {200: pageOf('AuditPage', auditEntryView)},
	handler: ({core, caller, query}) => core.live.audit.list(caller, query),
});

export const auditRoutes = [list];
