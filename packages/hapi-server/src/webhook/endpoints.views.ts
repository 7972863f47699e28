import {acceptanceSchema, endpointSchema, retryConfigSchema} from '@signalbox/core';

export const retryConfigView = retryConfigSchema.meta({
	id: 'RetryConfig',
	examples: [{max_retries: 3, intervals: [5, 300, 1800]}],
});

export const acceptanceView = acceptanceSchema.meta({id: 'WebhookAcceptance', examples: [{status: 200, body: 'ok'}]});

const exampleEndpoint = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a60',
	slug: 'an-unguessable-slug',
	name: 'Orders',
	destination_url: 'https://orders.example.com/hook?key={{env.ORDERS_KEY}}',
	routing_mode: 'single',
	retry_config: null,
	verification: {type: 'github', secret: '********'},
	signing_secret: '********',
	response: null,
	is_active: true,
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

export const endpointView = endpointSchema
	.extend({retry_config: retryConfigView.nullable(), response: acceptanceView.nullable()})
	.meta({id: 'WebhookEndpoint', examples: [exampleEndpoint]});
