import {destinationKeyOf} from '../../values/template.ts';
import type {Acceptable} from '../model/acceptable.ts';
import type {EndpointRecord} from '../model/endpoint.ts';
import {defaultRetryConfig} from '../model/retry-config.ts';

/** Something that a person is told at an address of theirs. */
export type Notice = Readonly<{
	/** Of what it is about: there is one notice of it. */
	id: string;
	user_id: string;
	/** Absolute, http or https; `{{env.KEY}}` resolves when it is sent. */
	url: string;
	/** Where it comes from, for people. */
	name: string;
	/** What happened, such as `cron.execution.failed`. */
	type: string;
	/** When it happened. ISO 8601. */
	timestamp: string;
	data: Readonly<Record<string, unknown>>;
}>;

/** A notice as the only delivery of an event that came from nobody; its body is that of Standard Webhooks. */
export const plannedNotice = (
	{id, url, name, type, timestamp, data}: Notice,
	{id: endpoint_id, team_id, user_id}: Pick<EndpointRecord, 'id' | 'team_id' | 'user_id'>,
	delivery_id: string,
): Acceptable => ({
	event: {
		...{id, endpoint_id, team_id, user_id, method: 'POST', path: '/', query: '', source_ip: '', replay_of: null},
		headers: [['content-type', 'application/json']],
		body: new TextEncoder().encode(JSON.stringify({type, timestamp, data})),
		created_at: timestamp,
		processed: {headers: null, body: null},
		trace: {
			pipeline: {outcome: 'passed', delay_seconds: 0, steps: [], result: {}},
			routing: {routing_mode: 'single', destinations: [{rule_id: null, name, url}], rules: []},
		},
	},
	claims: [],
	outcome: {
		deliveries: [
			{
				...{id: delivery_id, rule_id: null, name, url, destination_key: destinationKeyOf(url)},
				...{headers_override: {}, body: null, retry_config: defaultRetryConfig, delay_seconds: 0, failure: null},
			},
		],
	},
	// They are ours, not the webhooks that a plan counts.
	monthly_limit: null,
});
