import {webhookEventSchema} from '@signalbox/core';
import {z} from 'zod';
import {pipelineTraceView, routingTraceView} from './traces.views.ts';

const exampleEvent = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a70',
	endpoint_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a60',
	method: 'POST',
	path: '',
	query: '',
	headers: {'content-type': 'application/json'},
	body: '{"order":7}',
	source_ip: '192.0.2.1',
	delivery_status: 'delivered',
	status_code: 200,
	response_body: 'ok',
	retry_count: 0,
	next_retry_at: null,
	delivered_at: '2026-01-31T09:30:01.000Z',
	created_at: '2026-01-31T09:30:00.000Z',
	trace: {
		pipeline: {
			outcome: 'passed',
			delay_seconds: 0,
			steps: [],
			result: {headers: {'content-type': 'application/json'}, body: '{"order":7}'},
		},
		routing: null,
	},
	deliveries: [],
};

/** An event as answers show it. */
export const eventView = webhookEventSchema
	.extend({trace: z.object({pipeline: pipelineTraceView, routing: routingTraceView.nullable()})})
	.meta({id: 'WebhookEvent', examples: [exampleEvent]});
