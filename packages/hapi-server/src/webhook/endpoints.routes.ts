import {endpointSettingsSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idParams, listOf} from '../http/fields.ts';
import {acceptanceView, endpointView, retryConfigView} from './endpoints.views.ts';

const {shape} = endpointSettingsSchema;

const settingsFields = {
	...shape,
	retry_config: retryConfigView.nullable().optional().meta({description: 'Null: nine retries over about three days.'}),
	verification: shape.verification.meta({
		description:
			'How the sender is known. Secrets may be {{env.KEY}}; one sent back as its mask stays as it is. The credential of basic and api_key stands in no event, and goes to no destination.',
	}),
	response: acceptanceView
		.nullable()
		.optional()
		.meta({description: 'What a sender is answered. Null: 202 with the id and the status of the event.'}),
};

const create = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints',
	operationId: 'webhook.endpoints.create',
	summary: 'Make a webhook endpoint; its signing secret is shown whole this once',
	auth: 'caller',
	extension: true,
	payload: z
		.strictObject({
			...settingsFields,
			name: shape.name.unwrap(),
			destination_url: shape.destination_url.unwrap(),
		})
		.meta({
			id: 'CreateWebhookEndpoint',
			examples: [
				{
					name: 'Orders',
					destination_url: 'https://orders.example.com/hook',
					verification: {type: 'github', secret: '{{env.GITHUB_SECRET}}'},
				},
			],
		}),
	replies: {201: endpointView},
	errors: ['plan_limit_reached'],
	handler: ({core, caller, payload}) => core.webhook.endpoints.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/webhook/endpoints',
	operationId: 'webhook.endpoints.list',
	summary: 'Endpoints of the active team',
	auth: 'caller',
	extension: true,
	replies: {200: listOf('WebhookEndpointList', endpointView)},
	handler: async ({core, caller}) => ({data: await core.webhook.endpoints.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/webhook/endpoints/{id}',
	operationId: 'webhook.endpoints.get',
	summary: 'One endpoint',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: endpointView},
	handler: ({core, caller, params}) => core.webhook.endpoints.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/webhook/endpoints/{id}',
	operationId: 'webhook.endpoints.update',
	summary: 'Change an endpoint',
	auth: 'caller',
	extension: true,
	params: idParams,
	payload: z.strictObject(settingsFields).meta({id: 'UpdateWebhookEndpoint', examples: [{is_active: false}]}),
	replies: {200: endpointView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.webhook.endpoints.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/webhook/endpoints/{id}',
	operationId: 'webhook.endpoints.delete',
	summary: 'Delete an endpoint with its events, middleware and rules, for good',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.webhook.endpoints.delete(caller, params.id);
		return undefined;
	},
});

const rotateSecret = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints/{id}/rotate-secret',
	operationId: 'webhook.endpoints.rotateSecret',
	summary: 'Give the endpoint a new signing secret, shown whole this once; the old one signs beside it for 24 hours',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: endpointView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.webhook.endpoints.rotateSecret(caller, params.id),
});

export const endpointRoutes = [create, list, get, update, remove, rotateSecret];
