import type {Settlement, Unordered} from '../../ports/index.ts';
import type {Acceptable, DeduplicationClaim} from '../../webhook/model/acceptable.ts';
import type {LeasedDelivery, PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {NewEvent} from '../../webhook/model/event.ts';
import type {Middleware} from '../../webhook/model/middleware.ts';
import {defaultRetryConfig} from '../../webhook/model/retry-config.ts';
import type {RoutingRule} from '../../webhook/model/routing-rule.ts';
import type {CompactTrace} from '../../webhook/model/trace.ts';
import {buildSealed} from './environment.ts';
import {buildId, builtAt, nextNumber} from './identity.ts';

export const buildEndpoint = (
	fields: Pick<EndpointRecord, 'user_id' | 'team_id'> & Partial<EndpointRecord>,
): EndpointRecord => ({
	id: buildId(),
	slug: `slug-${nextNumber()}`,
	name: 'Pushes',
	destination_url: 'https://ci.example.com/hook',
	routing_mode: 'single',
	retry_config: null,
	verification: {type: 'none'},
	verification_secrets: null,
	signing_secret: buildSealed(),
	previous_signing_secret: null,
	response: null,
	is_active: true,
	is_for_notices: false,
	created_at: builtAt,
	updated_at: builtAt,
	version: 1,
	...fields,
});

type OfEndpoint = Readonly<{endpoint: Pick<EndpointRecord, 'id'>}>;

/** A step that adds a header; without a place of its own. */
export const buildMiddleware = ({
	endpoint,
	...fields
}: OfEndpoint & Partial<Unordered<Middleware>>): Unordered<Middleware> =>
	({
		id: buildId(),
		endpoint_id: endpoint.id,
		name: 'Mark',
		type: 'transform_headers',
		config: {set: {'x-mark': 'yes'}},
		is_active: true,
		...fields,
	}) as Unordered<Middleware>;

/** A rule without a condition; without a place of its own. */
export const buildRoutingRule = ({
	endpoint,
	...fields
}: OfEndpoint & Partial<Unordered<RoutingRule>>): Unordered<RoutingRule> => ({
	id: buildId(),
	endpoint_id: endpoint.id,
	name: 'Builds',
	destination_url: 'https://ci.example.com/builds',
	condition_source: null,
	condition_field: null,
	condition_operator: null,
	condition_value: null,
	retry_config: null,
	headers_override: {},
	transform_body: null,
	is_active: true,
	...fields,
});

/** Of a webhook that nothing changed and that went where no rule had a say. */
const plainTrace: CompactTrace = {
	pipeline: {outcome: 'passed', delay_seconds: 0, steps: [], result: {}},
	routing: {routing_mode: 'single', destinations: [], rules: []},
};

/** Of the endpoint and its team, received for its creator. */
type ForEndpoint = Readonly<{endpoint: Pick<EndpointRecord, 'id' | 'team_id' | 'user_id'>}>;

export const buildEvent = ({endpoint, ...fields}: ForEndpoint & Partial<NewEvent>): NewEvent => ({
	id: buildId(),
	endpoint_id: endpoint.id,
	team_id: endpoint.team_id,
	user_id: endpoint.user_id,
	method: 'POST',
	path: '',
	query: '',
	headers: [['Content-Type', 'application/json']],
	body: new TextEncoder().encode('{"action":"push"}'),
	source_ip: '192.0.2.1',
	replay_of: null,
	created_at: builtAt,
	processed: {headers: null, body: null},
	trace: plainTrace,
	...fields,
});

export const buildPlannedDelivery = (fields: Partial<PlannedDelivery> = {}): PlannedDelivery => ({
	id: buildId(),
	rule_id: null,
	name: 'Pushes',
	url: 'https://ci.example.com/hook',
	destination_key: 'https://ci.example.com',
	headers_override: {},
	body: null,
	retry_config: defaultRetryConfig,
	delay_seconds: 0,
	failure: null,
	...fields,
});

/** Without a middleware that says otherwise, of a step that is nobody's. */
export const buildClaim = (fields: Partial<DeduplicationClaim> = {}): DeduplicationClaim => ({
	middleware_id: buildId(),
	digest: `digest-${nextNumber()}`,
	ttl_seconds: 300,
	otherwise: {pipeline: {...plainTrace.pipeline, outcome: 'duplicate'}, routing: null},
	...fields,
});

/** An event with one delivery that is due at once. */
export const buildAcceptable = ({
	endpoint,
	event = {},
	...fields
}: ForEndpoint & Readonly<{event?: Partial<NewEvent>}> & Partial<Omit<Acceptable, 'event'>>): Acceptable => ({
	event: buildEvent({endpoint, ...event}),
	claims: [],
	outcome: {deliveries: [buildPlannedDelivery()]},
	is_counted: true,
	monthly_limit: null,
	...fields,
});

/** How a leased attempt ends: delivered with 200, unless told otherwise. */
export const buildSettlement = ({
	leased,
	attempt = {},
	...fields
}: Readonly<{leased: Pick<LeasedDelivery, 'id' | 'fence' | 'attempt'>; attempt?: Partial<Settlement['attempt']>}> &
	Partial<Pick<Settlement, 'next' | 'error'>>): Settlement => ({
	delivery_id: leased.id,
	fence: leased.fence,
	attempt: {
		id: leased.attempt.id,
		outcome: 'delivered',
		status_code: 200,
		error_code: null,
		response_headers: {'content-type': 'text/plain'},
		response_body: new TextEncoder().encode('ok'),
		duration_ms: 12,
		...attempt,
	},
	next: {status: 'delivered'},
	error: null,
	...fields,
});
