import {keepersOf} from '../keepers-of.ts';
import type {Ports} from '../ports/index.ts';
import type {EndpointRecord} from './model/endpoint.ts';

type Needs = Pick<Ports, 'clock' | 'ids' | 'teams' | 'notifications'>;

/** What failed at an endpoint, for people, with the ids of what it is about. */
export type FailureNews = Readonly<{title: string; message: string; data: Readonly<Record<string, string | null>>}>;

/** Tells whoever keeps an endpoint. @param about the id in `data` of which no more is told until somebody has read it. */
export const tellOfFailure = async (
	needs: Needs,
	endpoint: EndpointRecord,
	[news, about]: readonly [FailureNews, string],
): Promise<void> => {
	const told = {...news, type: 'endpoint_failure' as const, is_read: false, created_at: needs.clock.now()};
	for (const user_id of await keepersOf(needs, endpoint))
		await needs.notifications.appendUnlessUnread({...told, id: needs.ids.next(), user_id}, about);
};
