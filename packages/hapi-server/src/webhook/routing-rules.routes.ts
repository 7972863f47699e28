import {mostRoutingRules, routingModeSchema, routingRuleSchema, ruleSettingsSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {extension, listOf} from '../http/fields.ts';
import {endpointView, retryConfigView} from './endpoints.views.ts';
import {endpointParams, routingTraceView, sampleView} from './traces.views.ts';

const ruleParams = z.strictObject({...endpointParams.shape, rule_id: z.uuid()});

const ruleView = routingRuleSchema.extend({retry_config: retryConfigView.nullable()}).meta({
	id: 'RoutingRule',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a62',
			endpoint_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a60',
			name: 'Large orders',
			destination_url: 'https://large.example.com/hook',
			condition_source: 'body',
			condition_field: '$.total',
			condition_operator: 'matches',
			condition_value: '^\\d{4,}$',
			retry_config: null,
			headers_override: {authorization: 'Bearer {{env.LARGE_TOKEN}}'},
			transform_body: null,
			sort_order: 0,
			is_active: true,
		},
	],
});

const {shape} = ruleSettingsSchema;

/** What a rule may do without; on update, null takes it away. */
const optionalFields = {
	condition_source: shape.condition_source.unwrap().optional(),
	condition_field: shape.condition_field.unwrap().optional(),
	condition_operator: shape.condition_operator.unwrap().optional(),
	condition_value: shape.condition_value.unwrap().optional(),
	retry_config: retryConfigView.nullable().optional(),
	headers_override: shape.headers_override.unwrap().optional(),
	transform_body: shape.transform_body.unwrap().optional(),
};

const create = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-rules',
	operationId: 'webhook.routingRules.create',
	summary: `Add a rule, up to ${mostRoutingRules} of an endpoint`,
	auth: 'caller',
	params: endpointParams,
	payload: z
		.strictObject({
			name: shape.name,
			destination_url: shape.destination_url,
			is_active: shape.is_active,
			...optionalFields,
			sort_order: extension(shape.sort_order),
		})
		.meta({
			id: 'CreateRoutingRule',
			examples: [
				{
					name: 'Large orders',
					destination_url: 'https://large.example.com/hook',
					is_active: true,
					condition_source: 'body',
					condition_field: '$.total',
					condition_operator: 'matches',
					condition_value: '^\\d{4,}$',
				},
			],
		}),
	replies: {201: ruleView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.webhook.routingRules.create(caller, params.endpoint_id, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-rules',
	operationId: 'webhook.routingRules.list',
	summary: 'All rules of an endpoint, in the order in which they are judged',
	auth: 'caller',
	params: endpointParams,
	replies: {200: listOf('RoutingRuleList', ruleView)},
	handler: async ({core, caller, params}) => ({
		data: await core.webhook.routingRules.list(caller, params.endpoint_id),
	}),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}',
	operationId: 'webhook.routingRules.update',
	summary: 'Change a rule; condition_source null takes its condition away',
	auth: 'caller',
	params: ruleParams,
	payload: z
		.strictObject({
			name: shape.name.optional(),
			destination_url: shape.destination_url.optional(),
			is_active: shape.is_active.optional(),
			...optionalFields,
			sort_order: shape.sort_order,
		})
		.meta({id: 'UpdateRoutingRule', examples: [{is_active: false}]}),
	replies: {200: ruleView},
	handler: ({core, caller, params, payload}) => core.webhook.routingRules.update(caller, params, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}',
	operationId: 'webhook.routingRules.delete',
	summary: 'Delete a rule',
	auth: 'caller',
	params: ruleParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.webhook.routingRules.delete(caller, params);
		return undefined;
	},
});

const setMode = defineRoute({
	method: 'PUT',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-mode',
	operationId: 'webhook.routingRules.setMode',
	summary: 'Say who gets a webhook: the primary destination, the first rule that matches, each that does, or every one',
	auth: 'caller',
	params: endpointParams,
	payload: z
		.strictObject({routing_mode: routingModeSchema})
		.meta({id: 'RoutingModeChange', examples: [{routing_mode: 'first_match'}]}),
	replies: {200: endpointView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.webhook.endpoints.update(caller, params.endpoint_id, payload),
});

const tryOut = defineRoute({
	method: 'POST',
	path: '/v1/webhook/endpoints/{endpoint_id}/routing-rules/test',
	operationId: 'webhook.routingRules.test',
	summary: 'Where a webhook would go, and why; nothing is delivered or remembered',
	auth: 'caller',
	params: endpointParams,
	payload: sampleView,
	replies: {200: routingTraceView},
	handler: ({core, caller, params, payload}) => core.webhook.dryRun.testRouting(caller, params.endpoint_id, payload),
});

export const routingRuleRoutes = [create, list, update, remove, setMode, tryOut];
