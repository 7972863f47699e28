import type {LeasedDelivery, PlannedDelivery} from '../model/delivery.ts';
import type {NewEvent} from '../model/event.ts';
import {endToEndHeaders} from './end-to-end-headers.ts';

/** What identifies a lease, and where it stands among the attempts. */
export type GrantedLease = Pick<LeasedDelivery, 'fence' | 'retries' | 'attempt'>;

type Source = Pick<
	NewEvent,
	'id' | 'endpoint_id' | 'team_id' | 'user_id' | 'method' | 'headers' | 'body' | 'processed'
>;

/** A delivery of an event, as whoever leased it sees it. */
export const leasedDelivery = (
	{id: event_id, endpoint_id, team_id, user_id, method, headers, body, processed}: Source,
	{delay_seconds: _, failure: __, ...planned}: PlannedDelivery,
	lease: GrantedLease,
): LeasedDelivery => ({
	...planned,
	...lease,
	event_id,
	endpoint_id,
	team_id,
	user_id,
	event: {
		method,
		headers:
			processed.headers ?? endToEndHeaders(headers).map(([name, text]) => [name, {text, references: []}] as const),
		body: processed.body ?? {bytes: body, references: []},
	},
});
