import {callMetricsSchema, callStatusSchema, mcpCallSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idField, idParams, instantField, integerField, pageFields, pageOf, withExtensions} from '../http/fields.ts';

const callView = withExtensions(mcpCallSchema, 'approval_id', 'cost_cents').meta({
	id: 'McpCall',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a40',
			mcp_server_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30',
			method: 'tools/call',
			tool_name: 'get_issue',
			request_body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_issue"}}',
			response_body: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
			status: 'success',
			status_code: 200,
			error_message: '',
			duration_ms: 42,
			source_ip: '127.0.0.1',
			headers: {'content-type': 'application/json'},
			approval_id: null,
			cost_cents: 0,
			created_at: '2026-01-31T09:30:00.000Z',
		},
	],
});

const metricsView = callMetricsSchema.meta({
	id: 'McpCallMetrics',
	examples: [
		{
			...{from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T09:30:00.000Z'},
			...{total_calls: 50, success_count: 48, error_count: 1, timeout_count: 1, success_rate: 0.96},
			...{avg_duration_ms: 42, p50_duration_ms: 38, p95_duration_ms: 80, p99_duration_ms: 120, total_cost_cents: 100},
			by_tool: [
				{tool_name: 'get_issue', calls: 50, errors: 2, avg_duration_ms: 42, p95_duration_ms: 80, cost_cents: 100},
			],
			by_day: [{date: '2026-01-30', calls: 50, errors: 2, avg_duration_ms: 42}],
		},
	],
});

const filterFields = {
	server_id: idField.optional(),
	method: z.string().min(1).max(256).optional(),
	tool_name: z.string().max(256).optional(),
	status: callStatusSchema.optional(),
	from: instantField.optional().meta({description: 'Inclusive.'}),
	to: instantField.optional().meta({description: 'Exclusive.'}),
};

const list = defineRoute({
	method: 'GET',
	path: '/v1/mcp/calls',
	operationId: 'mcp.calls.list',
	summary: "Logged calls of the active team's servers, newest first",
	auth: 'caller',
	query: z.strictObject({...filterFields, ...pageFields}),
	replies: {200: pageOf('McpCallPage', callView)},
	handler: ({core, caller, query: {limit, offset, ...filter}}) => core.mcp.calls.list(caller, filter, {limit, offset}),
});

const count = defineRoute({
	method: 'GET',
	path: '/v1/mcp/calls/count',
	operationId: 'mcp.calls.count',
	summary: 'How many calls match',
	auth: 'caller',
	query: z.strictObject(filterFields),
	replies: {200: z.object({count: z.int().min(0)}).meta({id: 'McpCallCount', examples: [{count: 12}]})},
	handler: async ({core, caller, query}) => ({count: await core.mcp.calls.count(caller, query)}),
});

const metrics = defineRoute({
	method: 'GET',
	path: '/v1/mcp/calls/metrics',
	operationId: 'mcp.calls.metrics',
	summary: 'Counts, durations and costs of the last days',
	auth: 'caller',
	query: z.strictObject({
		days: integerField({min: 1, max: 365, default: 30}),
		server_id: idField.optional(),
	}),
	replies: {200: metricsView},
	handler: ({core, caller, query}) => core.mcp.calls.metrics(caller, query),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/mcp/calls/{id}',
	operationId: 'mcp.calls.get',
	summary: 'One call with its whole bodies',
	auth: 'caller',
	params: idParams,
	replies: {200: callView},
	handler: ({core, caller, params}) => core.mcp.calls.get(caller, params.id),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/mcp/calls/{id}',
	operationId: 'mcp.calls.delete',
	summary: 'Delete a logged call for good',
	auth: 'caller',
	params: idParams,
	replies: {204: null},
	errors: ['forbidden'],
	handler: async ({core, caller, params}) => {
		await core.mcp.calls.delete(caller, params.id);
		return undefined;
	},
});

export const callRoutes = [list, count, metrics, get, remove];
