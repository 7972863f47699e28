import {approvalConfigSchema, nameText} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {extension, idParams, listOf, optionalIntegerField} from '../http/fields.ts';
import {costReportView, logBodiesView, rateLimitConfigView, serverView, toolRuleView} from './servers.views.ts';

const targetUrlField = z
	.string()
	.min(1)
	.max(4096)
	.meta({examples: ['https://mcp.example.com/mcp']});

/** `"none"` is short for `{"mode": "none", "paths": []}`. */
const logBodiesField = z
	.union([logBodiesView.shape.mode, logBodiesView.extend({paths: logBodiesView.shape.paths.default([])})])
	.transform((given) => (typeof given === 'string' ? {mode: given, paths: []} : given));

const settingsFields = {
	default_cost_cents: z.int().min(0).max(100_000_000).optional(),
	approval_config: approvalConfigSchema
		.extend({rules: z.array(toolRuleView).max(200)})
		.partial()
		.optional()
		.meta({description: 'Fields left out keep their value; on create they have their default.'}),
	rate_limit_config: rateLimitConfigView
		.optional()
		.meta({description: 'Replaces all of it: without `cost` there is no budget any more.'}),
	upstream_headers: extension(z.record(z.string().max(256), z.string().max(16_384)).optional()).meta({
		description:
			'Added to every request to the upstream. Values may hold {{env.KEY}}, and are never answered. They go to the origin ' +
			'that they were given for: where target_url is one {{env.KEY}}, that is where it leads when they are sent.',
	}),
	forward_headers: extension(z.array(z.string().min(1).max(256)).max(50).optional()),
	allowed_methods: extension(z.array(z.string().min(1).max(256)).max(50).optional()),
	require_auth: extension(z.boolean().optional()),
	log_bodies: extension(logBodiesField.optional()),
};

const create = defineRoute({
	method: 'POST',
	path: '/v1/mcp/servers',
	operationId: 'mcp.servers.create',
	summary: 'Register an MCP server with the active team',
	auth: 'caller',
	payload: z
		.strictObject({
			name: nameText,
			target_url: targetUrlField,
			is_active: extension(z.boolean().optional()),
			...settingsFields,
		})
		.meta({
			id: 'CreateMcpServer',
			examples: [
				{
					name: 'GitHub',
					target_url: 'https://mcp.example.com/mcp',
					approval_config: {enabled: true, trust_level: 'moderate'},
				},
			],
		}),
	replies: {201: serverView},
	errors: ['plan_limit_reached', 'forbidden'],
	handler: ({core, caller, payload}) => core.mcp.servers.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/mcp/servers',
	operationId: 'mcp.servers.list',
	summary: 'Servers of the active team',
	auth: 'caller',
	replies: {200: listOf('McpServerList', serverView)},
	handler: async ({core, caller}) => ({data: await core.mcp.servers.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/mcp/servers/{id}',
	operationId: 'mcp.servers.get',
	summary: 'One server',
	auth: 'caller',
	params: idParams,
	replies: {200: serverView},
	handler: ({core, caller, params}) => core.mcp.servers.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/mcp/servers/{id}',
	operationId: 'mcp.servers.update',
	summary: 'Change a server',
	auth: 'caller',
	params: idParams,
	payload: z
		.strictObject({
			name: nameText.optional(),
			target_url: targetUrlField.optional(),
			is_active: z.boolean().optional(),
			...settingsFields,
		})
		.meta({id: 'UpdateMcpServer', examples: [{is_active: false}]}),
	replies: {200: serverView},
	errors: ['forbidden', 'conflict'],
	handler: ({core, caller, params, payload}) => core.mcp.servers.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/mcp/servers/{id}',
	operationId: 'mcp.servers.delete',
	summary: 'Delete a server with its call logs, for good',
	auth: 'caller',
	params: idParams,
	replies: {204: null},
	errors: ['forbidden'],
	handler: async ({core, caller, params}) => {
		await core.mcp.servers.delete(caller, params.id);
		return undefined;
	},
});

const rotateSlug = defineRoute({
	method: 'POST',
	path: '/v1/mcp/servers/{id}/rotate-slug',
	operationId: 'mcp.servers.rotateSlug',
	summary: 'Give the server a new slug; the old one is gone at once',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: serverView},
	errors: ['forbidden', 'conflict'],
	handler: ({core, caller, params}) => core.mcp.servers.rotateSlug(caller, params.id),
});

const costs = defineRoute({
	method: 'GET',
	path: '/v1/mcp/servers/{id}/costs',
	operationId: 'mcp.servers.costs',
	summary: 'What a server cost in one month (UTC); without a month, the current one',
	auth: 'caller',
	extension: true,
	params: idParams,
	query: z.strictObject({
		year: optionalIntegerField({min: 2000, max: 9999}),
		month: optionalIntegerField({min: 1, max: 12}),
	}),
	replies: {200: costReportView},
	handler: ({core, caller, params, query}) => core.mcp.servers.costs(caller, params.id, query),
});

export const serverRoutes = [create, list, get, update, remove, rotateSlug, costs];
