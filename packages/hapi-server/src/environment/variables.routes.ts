import {variableKeySchema, variableSchema, variableScopeSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {extension, idField, idParams, listOf, withExtensions} from '../http/fields.ts';

const exampleVariable = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a20',
	user_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
	key: 'GITHUB_TOKEN',
	is_secret: true,
	scope: 'mcp',
	description: 'Read-only token',
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

const variableView = withExtensions(variableSchema, 'created_at', 'updated_at').meta({
	id: 'EnvironmentVariable',
	examples: [exampleVariable],
});

const valueField = z.string().meta({description: 'At most 64 KiB. Stored encrypted, and in no answer.'});
const descriptionField = z.string().max(1000);

const create = defineRoute({
	method: 'POST',
	path: '/v1/environment',
	operationId: 'environment.create',
	summary: 'Make an environment variable',
	auth: 'caller',
	payload: z
		.strictObject({
			key: variableKeySchema,
			value: valueField,
			is_secret: z.boolean().default(true),
			scope: variableScopeSchema.default('all'),
			description: descriptionField.optional(),
			team_id: extension(idField.optional()).meta({description: 'Makes it a variable of that team.'}),
		})
		.meta({id: 'CreateEnvironmentVariable', examples: [{key: 'GITHUB_TOKEN', value: 'a-secret', scope: 'mcp'}]}),
	replies: {201: variableView},
	errors: ['resource_exists'],
	handler: ({core, caller, payload}) => core.environment.variables.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/environment',
	operationId: 'environment.list',
	summary: 'Variables of the caller and of their teams',
	auth: 'caller',
	replies: {200: listOf('EnvironmentVariableList', variableView)},
	handler: async ({core, caller}) => ({data: await core.environment.variables.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/environment/{id}',
	operationId: 'environment.get',
	summary: 'One variable, without its value',
	auth: 'caller',
	params: idParams,
	replies: {200: variableView},
	handler: ({core, caller, params}) => core.environment.variables.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/environment/{id}',
	operationId: 'environment.update',
	summary: 'Change value, description or scope of a variable',
	auth: 'caller',
	params: idParams,
	payload: z
		.strictObject({
			value: valueField.optional(),
			description: descriptionField.optional(),
			scope: variableScopeSchema.optional(),
		})
		.meta({id: 'UpdateEnvironmentVariable', examples: [{value: 'another-secret'}]}),
	replies: {200: variableView},
	handler: ({core, caller, params, payload}) => core.environment.variables.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/environment/{id}',
	operationId: 'environment.delete',
	summary: 'Delete a variable for good',
	auth: 'caller',
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.environment.variables.delete(caller, params.id);
		return undefined;
	},
});

export const variableRoutes = [create, list, get, update, remove];
