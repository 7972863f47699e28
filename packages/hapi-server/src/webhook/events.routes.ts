import {eventStatusSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idField, idParams, instantField, pageFields, pageOf} from '../http/fields.ts';
import {eventView} from './events.views.ts';

const bulkView = z
	.object({
		count: z.int().min(0).meta({description: 'Events that it was done to.'}),
		skipped: z.int().min(0).meta({
			description:
				'Selected events whose body is gone, of which nothing failed, or for which the plan had no event left.',
		}),
	})
	.meta({id: 'WebhookEventsChanged', examples: [{count: 12, skipped: 1}]});

const filterFields = {
	endpoint_id: idField.optional(),
	status: eventStatusSchema.optional(),
	from: instantField.optional().meta({description: 'Inclusive.'}),
	to: instantField.optional().meta({description: 'Exclusive.'}),
};

const selection = z
	.strictObject(filterFields)
	.meta({id: 'WebhookEventSelection', examples: [{status: 'failed', from: '2026-01-31T00:00:00.000Z'}]});

const list = defineRoute({
	method: 'GET',
	path: '/v1/webhook/events',
	operationId: 'webhook.events.list',
	summary: "Events of the active team's endpoints, newest first; bodies are cut to 4,096 characters",
	auth: 'caller',
	extension: true,
	query: z.strictObject({...filterFields, ...pageFields}),
	replies: {200: pageOf('WebhookEventPage', eventView)},
	handler: ({core, caller, query: {limit, offset, ...filter}}) =>
		core.webhook.events.list(caller, filter, {limit, offset}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/webhook/events/{id}',
	operationId: 'webhook.events.get',
	summary: 'One event with its attempts',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: eventView},
	handler: ({core, caller, params}) => core.webhook.events.get(caller, params.id),
});

const retry = defineRoute({
	method: 'POST',
	path: '/v1/webhook/events/{id}/retry',
	operationId: 'webhook.events.retry',
	summary: 'Try the failed deliveries of an event again',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: eventView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.webhook.events.retry(caller, params.id),
});

const replay = defineRoute({
	method: 'POST',
	path: '/v1/webhook/events/{id}/replay',
	operationId: 'webhook.events.replay',
	summary: "Send an event through today's pipeline again, as a new one",
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {201: eventView},
	errors: ['plan_limit_reached'],
	handler: ({core, caller, params}) => core.webhook.events.replay(caller, params.id),
});

const retryAll = defineRoute({
	method: 'POST',
	path: '/v1/webhook/events/retry',
	operationId: 'webhook.events.retryAll',
	summary: 'Try the failed deliveries of all events that the filter of the list selects',
	auth: 'caller',
	extension: true,
	payload: selection,
	replies: {200: bulkView},
	handler: ({core, caller, payload}) => core.webhook.events.retryAll(caller, payload),
});

const replayAll = defineRoute({
	method: 'POST',
	path: '/v1/webhook/events/replay',
	operationId: 'webhook.events.replayAll',
	summary: "Send all events that the filter of the list selects through today's pipeline again",
	auth: 'caller',
	extension: true,
	payload: selection,
	replies: {201: bulkView},
	errors: ['plan_limit_reached'],
	handler: ({core, caller, payload}) => core.webhook.events.replayAll(caller, payload),
});

export const eventRoutes = [list, retryAll, replayAll, get, retry, replay];
