import {keepersOf} from '../keepers-of.ts';
import type {Ports} from '../ports/index.ts';
import {plusSeconds} from '../values/instant.ts';
import type {EndpointRecord} from './model/endpoint.ts';

type Needs = Pick<Ports, 'clock' | 'ids' | 'teams' | 'notifications'>;

/** What failed at an endpoint, for people, with the ids of what it is about. */
export type FailureNews = Readonly<{
	title: string;
	message: string;
	/** Where it should have gone: a rule, a channel, or the name of another destination. */
	destination: string;
	data: Readonly<Record<string, string | null>>;
}>;

/** A flood is told once, the next failure is news again: whoever is told by a channel marks nothing as read. Seconds. */
const quiet = 3600;

/** Tells whoever keeps an endpoint, once an hour of each destination as long as nobody has read it. */
export const tellOfFailure = async (
	needs: Needs,
	endpoint: EndpointRecord,
	{title, message, destination, data}: FailureNews,
): Promise<void> => {
	const created_at = needs.clock.now();
	const about = {...data, destination_id: `${endpoint.id}/${destination}`};
	const told = {title, message, data: about, type: 'endpoint_failure' as const, is_read: false, created_at};
	const since = plusSeconds(created_at, -quiet);
	for (const user_id of await keepersOf(needs, endpoint))
		await needs.notifications.appendUnlessUnread({...told, id: needs.ids.next(), user_id}, 'destination_id', since);
};
