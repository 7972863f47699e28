import {apiKeySchema, keyScopeSchema, nameText} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {extension, idParams, instantField, listOf} from '../http/fields.ts';

const exampleKey = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a10',
	name: 'ci',
	masked_key: 'sbx_4f7Kq2Lm_…',
	scopes: ['api'],
	last_used_at: null,
	expires_at: null,
	created_at: '2026-01-31T09:30:00.000Z',
};

const apiKeyView = apiKeySchema.meta({id: 'ApiKey', examples: [exampleKey]});

const createdKeyView = apiKeySchema
	.extend({key: z.string().meta({description: 'The whole key: answered here and never again.'})})
	.meta({id: 'CreatedApiKey', examples: [{...exampleKey, key: 'sbx_4f7Kq2Lm_the-secret-part'}]});

const create = defineRoute({
	method: 'POST',
	path: '/v1/api-keys',
	operationId: 'apiKeys.create',
	summary: 'Make an API key',
	auth: 'caller',
	extension: true,
	payload: z
		.strictObject({
			name: nameText,
			expires_at: instantField.optional(),
			scopes: extension(z.array(keyScopeSchema).min(1).max(4).optional()).meta({
				description: 'What the key may be used for. Default: ["api"].',
			}),
		})
		.meta({id: 'CreateApiKey', examples: [{name: 'ci', scopes: ['api']}]}),
	replies: {201: createdKeyView},
	errors: ['plan_limit_reached', 'forbidden'],
	handler: ({core, caller, payload}) => core.accounts.apiKeys.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/api-keys',
	operationId: 'apiKeys.list',
	summary: "The caller's API keys",
	auth: 'caller',
	extension: true,
	replies: {200: listOf('ApiKeyList', apiKeyView)},
	handler: async ({core, caller}) => ({data: await core.accounts.apiKeys.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/api-keys/{id}',
	operationId: 'apiKeys.get',
	summary: 'One API key',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: apiKeyView},
	handler: ({core, caller, params}) => core.accounts.apiKeys.get(caller, params.id),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/api-keys/{id}',
	operationId: 'apiKeys.delete',
	summary: 'Revoke an API key at once',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.accounts.apiKeys.delete(caller, params.id);
		return undefined;
	},
});

export const apiKeyRoutes = [create, list, get, remove];
