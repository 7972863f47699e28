import type {EndpointRecord} from '@signalbox/core';
import {createWebhookPlanner} from '@signalbox/core/node';
import {compileEndpoint} from '../../src/webhook/rules/compile-endpoint.ts';
import {planRequested} from '../../src/webhook/rules/plan-requested.ts';
import {messageOf} from '../webhook/support.ts';

/** Plans one webhook that is expected to take long, and tells where. */
const endpoint = {routing_mode: 'single', destination_url: 'https://a.example/'} as EndpointRecord;
const request = {
	pipeline: {endpoint, middlewares: [], rules: []},
	message: messageOf({a: 1}),
	facts: {event: {id: 'event', created_at: '2026-01-31T09:30:00.123Z'}, values: new Map(), is_replay: false},
	nonce: 'n0nce',
	delivery_ids: ['delivery'],
};
let place = 'apart';
const {outcome} = await createWebhookPlanner().plan({
	pipeline: request.pipeline,
	bytes: 1024 * 1024,
	run: () => {
		place = 'here';
		return planRequested(compileEndpoint(endpoint, [], []), request);
	},
	describe: () => request,
});
console.log(`${place}: ${'deliveries' in outcome ? outcome.deliveries[0]?.id : outcome.status}`);
