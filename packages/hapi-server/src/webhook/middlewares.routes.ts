import {middlewareSchema, middlewareSettingsSchema, mostMiddlewares} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {listOf} from '../http/fields.ts';
import {endpointParams, pipelineTraceView, sampleView} from './traces.views.ts';

const middlewareParams = z.strictObject({...endpointParams.shape, middleware_id: z.uuid()});

const middlewareView = middlewareSchema.meta({
	id: 'Middleware',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a61',
			endpoint_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a60',
			type: 'filter',
			name: 'No drafts',
			config: {field: 'body.draft', operator: 'equals', value: 'true'},
			sort_order: 0,
			is_active: true,
		},
	],
});

const middlewareListView = listOf('MiddlewareList', middlewareView);

const {type, name, config, is_active} = middlewareSettingsSchema.shape;

const settingsFields = {
	type,
	name,
	config: config.meta({
		description:
			'filter: field, operator, value. transform_headers and transform_body: set, remove. delay: seconds. deduplicate: key, ttl.',
	}),
	is_active,
};

const create = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares',
	operationId: 'webhook.middlewares.create',
	summary: `Add a step that runs after the others, up to ${mostMiddlewares}`,
	auth: 'caller',
	params: endpointParams,
	payload: z.strictObject(settingsFields).meta({
		id: 'CreateMiddleware',
		examples: [{type: 'deduplicate', name: 'Once', config: {key: 'headers.x-request-id', ttl: 3600}}],
	}),
	replies: {201: middlewareView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.webhook.middlewares.create(caller, params.endpoint_id, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares',
	operationId: 'webhook.middlewares.list',
	summary: 'All steps of an endpoint, in the order in which they run',
	auth: 'caller',
	params: endpointParams,
	replies: {200: middlewareListView},
	handler: async ({core, caller, params}) => ({
		data: await core.webhook.middlewares.list(caller, params.endpoint_id),
	}),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}',
	operationId: 'webhook.middlewares.update',
	summary: 'Change a step',
	auth: 'caller',
	params: middlewareParams,
	payload: z
		.strictObject({
			type: type.optional(),
			name: name.optional(),
			config: settingsFields.config.optional(),
			is_active: is_active.unwrap().optional(),
		})
		.meta({id: 'UpdateMiddleware', examples: [{is_active: false}]}),
	replies: {200: middlewareView},
	handler: ({core, caller, params, payload}) => core.webhook.middlewares.update(caller, params, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}',
	operationId: 'webhook.middlewares.delete',
	summary: 'Delete a step',
	auth: 'caller',
	params: middlewareParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.webhook.middlewares.delete(caller, params);
		return undefined;
	},
});

const reorder = defineRoute({
	method: 'PUT',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares/reorder',
	operationId: 'webhook.middlewares.reorder',
	summary: "Put the endpoint's steps in another order",
	auth: 'caller',
	params: endpointParams,
	payload: z.strictObject({middleware_ids: z.array(z.string().max(64)).max(10_000)}).meta({
		id: 'ReorderMiddlewares',
		examples: [{middleware_ids: ['01990a3c-5b1e-7c30-8a52-0f6f3f1f2a61']}],
	}),
	replies: {200: middlewareListView},
	handler: async ({core, caller, params, payload}) => ({
		data: await core.webhook.middlewares.reorder(caller, params.endpoint_id, payload.middleware_ids),
	}),
});

const tryOut = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints/{endpoint_id}/middlewares/test',
	operationId: 'webhook.middlewares.test',
	summary: 'What the active steps would do with a webhook; nothing is delivered or remembered',
	auth: 'caller',
	params: endpointParams,
	payload: sampleView,
	replies: {200: pipelineTraceView},
	handler: ({core, caller, params, payload}) =>
		core.webhook.dryRun.testMiddlewares(caller, params.endpoint_id, payload),
});

export const middlewareRoutes = [create, list, reorder, update, remove, tryOut];
