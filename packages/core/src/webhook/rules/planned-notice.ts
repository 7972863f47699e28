import {utf8} from '../../values/bytes-text.ts';
import {destinationKeyOf} from '../../values/template.ts';
import type {Acceptable} from '../model/acceptable.ts';
import type {PlannedDelivery} from '../model/delivery.ts';
import type {EndpointRecord} from '../model/endpoint.ts';
import type {Notice, NoticeDestination} from '../model/notice.ts';
import {defaultRetryConfig} from '../model/retry-config.ts';

type Owner = Pick<EndpointRecord, 'id' | 'team_id' | 'user_id'>;

const deliveryTo = (
	{name, url, destination_key, body}: NoticeDestination,
	owner: Owner,
	{id, retry_config}: Pick<PlannedDelivery, 'id' | 'retry_config'>,
): PlannedDelivery => ({
	...{id, rule_id: null, name, url, headers_override: {}},
	destination_key: destination_key ?? destinationKeyOf(url, owner),
	body: body === undefined ? null : {bytes: utf8(JSON.stringify(body)), references: []},
	...{retry_config, delay_seconds: 0, failure: null},
});

/** A notice as the deliveries of an event that came from nobody; its body is that of Standard Webhooks. */
export const plannedNotice = (
	{id, type, timestamp, data, destinations, retry_config = defaultRetryConfig}: Notice,
	{id: endpoint_id, team_id, user_id}: Owner,
	nextId: () => string,
): Acceptable => ({
	event: {
		...{id, endpoint_id, team_id, user_id, method: 'POST', path: '/', query: '', source_ip: '', replay_of: null},
		headers: [['content-type', 'application/json']],
		body: utf8(JSON.stringify({type, timestamp, data})),
		created_at: timestamp,
		processed: {headers: null, body: null},
		trace: {
			pipeline: {outcome: 'passed', delay_seconds: 0, steps: [], result: {}},
			routing: {
				routing_mode: destinations.length === 1 ? 'single' : 'broadcast',
				destinations: destinations.map(({name, url}) => ({rule_id: null, name, url})),
				rules: [],
			},
		},
	},
	claims: [],
	outcome: {
		deliveries: destinations.map((destination) =>
			deliveryTo(destination, {id: endpoint_id, team_id, user_id}, {id: nextId(), retry_config}),
		),
	},
	// They are ours, not the webhooks that a plan counts.
	is_counted: false,
	monthly_limit: null,
});
