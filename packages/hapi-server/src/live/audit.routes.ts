import {auditEntrySchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {pageFields, pageOf} from '../http/fields.ts';

const auditEntryView = auditEntrySchema.meta({id: 'AuditEntry'});

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
