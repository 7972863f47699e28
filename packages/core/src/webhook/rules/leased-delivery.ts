import type {LeasedDelivery, PlannedDelivery} from '../model/delivery.ts';
import type {NewEvent} from '../model/event.ts';
import {endToEndHeaders} from './end-to-end-headers.ts';

/** What identifies a lease, and where it stands among the attempts. */
export type GrantedLease = Pick<LeasedDelivery, 'fence' | 'retries' | 'attempt'>;

type Source = Pick<
	NewEvent,
	'id' | 'endpoint_id' | 'team_id' | 'user_id' | 'method' | 'headers' | 'body' | 'processed'
>;

const none: readonly never[] = [];

type LeasablePlan = Omit<PlannedDelivery, 'delay_seconds' | 'failure'>;

/** A delivery of an event, as whoever leased it sees it. Named one by one, which takes a third of what spreading takes. */
export const leasedDelivery = (
	{id: event_id, endpoint_id, team_id, user_id, method, headers, body, processed}: Source,
	{id, rule_id, name, url, destination_key, headers_override, body: rendered, retry_config}: LeasablePlan,
	{fence, retries, attempt}: GrantedLease,
): LeasedDelivery => ({
	id,
	rule_id,
	name,
	url,
	destination_key,
	headers_override,
	body: rendered,
	retry_config,
	fence,
	retries,
	attempt,
	event_id,
	endpoint_id,
	team_id,
	user_id,
	event: {
		method,
		headers:
			processed.headers ?? endToEndHeaders(headers).map(([field, text]) => [field, {text, references: none}] as const),
		body: processed.body ?? {bytes: body, references: none},
	},
});
