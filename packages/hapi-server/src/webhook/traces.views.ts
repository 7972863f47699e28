import {pipelineTraceSchema, routingTraceSchema, sampleSchema} from '@signalbox/core';
import {z} from 'zod';

/** Of which endpoint. */
export const endpointParams = z.strictObject({endpoint_id: z.uuid()});

const exampleStep = {
	middleware_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a61',
	name: 'Mark',
	type: 'transform_body',
	outcome: 'passed',
	message: '1 field set, 0 paths removed',
	body: '{"order":7,"seen":true}',
};

export const pipelineTraceView = pipelineTraceSchema.meta({
	id: 'PipelineTrace',
	examples: [
		{
			outcome: 'passed',
			delay_seconds: 0,
			steps: [exampleStep],
			result: {headers: {'content-type': 'application/json'}, body: '{"order":7,"seen":true}'},
		},
	],
});

export const routingTraceView = routingTraceSchema.meta({
	id: 'RoutingTrace',
	examples: [
		{
			routing_mode: 'first_match',
			destinations: [
				{
					rule_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a62',
					name: 'Large orders',
					url: 'https://large.example.com/hook',
					headers: {'content-type': 'application/json'},
					body: '{"order":7,"total":1200}',
				},
			],
			rules: [
				{
					rule_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a62',
					name: 'Large orders',
					matched: true,
					reason: '"1200" matches "^\\\\d{4,}$"',
				},
			],
		},
	],
});

const sampleBody = sampleSchema.shape.body.meta({
	description:
		'A text is the body as it is; anything else is sent as JSON. One of more than 10,000 keys and items goes as a text.',
});

export const sampleView = sampleSchema.extend({body: sampleBody}).meta({
	id: 'WebhookSample',
	examples: [{method: 'POST', headers: {'content-type': 'application/json'}, body: {order: 7, total: 1200}}],
});
