import {approvalSchema, approvalStatusSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idParams, listOf, withExtensions} from '../http/fields.ts';

const approvalView = withExtensions(approvalSchema, 'arguments_json', 'created_at', 'caller_waiting').meta({
	id: 'Approval',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a50',
			mcp_server_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30',
			user_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
			tool_name: 'delete_issue',
			request_body: {number: 7},
			arguments_json: null,
			status: 'pending',
			decided_by: null,
			decision_note: null,
			decided_at: null,
			expires_at: '2026-01-31T09:35:00.000Z',
			created_at: '2026-01-31T09:30:00.000Z',
			caller_waiting: true,
		},
	],
});

const decisionPayload = z
	.strictObject({note: z.string().max(2000).optional()})
	.meta({id: 'ApprovalDecision', examples: [{note: 'Checked with the owner.'}]});

const list = defineRoute({
	method: 'GET',
	path: '/v1/mcp/approvals',
	operationId: 'mcp.approvals.list',
	summary: "Approvals of the caller and of the active team's servers",
	auth: 'caller',
	key_scope: 'approvals',
	query: z.strictObject({status: approvalStatusSchema.default('pending')}),
	replies: {200: listOf('ApprovalList', approvalView)},
	handler: async ({core, caller, query}) => ({data: await core.mcp.approvals.list(caller, query.status)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/mcp/approvals/{id}',
	operationId: 'mcp.approvals.get',
	summary: 'One approval',
	auth: 'caller',
	key_scope: 'approvals',
	params: idParams,
	replies: {200: approvalView},
	handler: ({core, caller, params}) => core.mcp.approvals.get(caller, params.id),
});

const approve = defineRoute({
	method: 'POST',
	path: '/v1/mcp/approvals/{id}/approve',
	operationId: 'mcp.approvals.approve',
	summary: 'Let the held tool call proceed',
	auth: 'caller',
	key_scope: 'approvals',
	params: idParams,
	payload: decisionPayload,
	replies: {200: approvalView},
	errors: ['forbidden', 'conflict'],
	handler: ({core, caller, params, payload}) => core.mcp.approvals.approve(caller, params.id, payload.note),
});

const reject = defineRoute({
	method: 'POST',
	path: '/v1/mcp/approvals/{id}/reject',
	operationId: 'mcp.approvals.reject',
	summary: 'Block the held tool call',
	auth: 'caller',
	key_scope: 'approvals',
	params: idParams,
	payload: decisionPayload,
	replies: {200: approvalView},
	errors: ['forbidden', 'conflict'],
	handler: ({core, caller, params, payload}) => core.mcp.approvals.reject(caller, params.id, payload.note),
});

export const approvalRoutes = [list, get, approve, reject];
