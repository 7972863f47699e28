import type {PlanRequest} from '../../src/ports/index.ts';
import type {EndpointRecord} from '../../src/webhook/model/endpoint.ts';
import type {Middleware} from '../../src/webhook/model/middleware.ts';
import type {RoutingRule} from '../../src/webhook/model/routing-rule.ts';
import {compileEndpoint} from '../../src/webhook/rules/compile-endpoint.ts';
import {planRequested} from '../../src/webhook/rules/plan-requested.ts';
import {messageOf} from '../webhook/support.ts';

const endpoint = {
	id: 'e1',
	name: 'Orders',
	destination_url: 'https://a.example/hook',
	routing_mode: 'all_match',
	retry_config: null,
} as unknown as EndpointRecord;

export type Asked = Readonly<{middlewares?: readonly Middleware[]; rules?: readonly RoutingRule[]; body?: unknown}>;

export const requestOf = ({middlewares = [], rules = [], body = {a: 1}}: Asked): PlanRequest => ({
	pipeline: {endpoint, middlewares, rules},
	message: messageOf(body, {headers: [['Content-Type', 'application/json']], query: 'a=1'}),
	facts: {
		event: {id: 'event', created_at: '2026-01-31T09:30:00.123Z'},
		values: new Map([['TOKEN', {value: 's3cret'}]]),
		is_replay: false,
	},
	nonce: 'n0nce',
	delivery_ids: rules.length > 0 ? rules.map(({id}) => `delivery of ${id}`) : ['delivery'],
});

/** The plan as this thread makes it. */
export const planHere = (request: PlanRequest) => {
	const {endpoint: record, middlewares, rules} = request.pipeline;
	return planRequested(compileEndpoint(record, middlewares, rules), request);
};
