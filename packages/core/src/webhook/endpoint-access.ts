import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {EndpointRecord} from './model/endpoint.ts';

type Needs = Pick<Ports, 'signals' | 'endpoints'>;

/** The caller's endpoint, and the word that it changed. */
export type EndpointAccess = Readonly<{
	/** @throws resource_not_found for another tenant's too. */
	find(caller: Caller, id: string): Promise<EndpointRecord>;
	/** Whoever keeps what was compiled of it reads it anew. */
	announce(endpoint: Pick<EndpointRecord, 'id' | 'team_id'>): void;
}>;

export const createEndpointAccess = ({endpoints, signals}: Needs): EndpointAccess => ({
	find: async (caller, id) => {
		const endpoint = await endpoints.get(caller.team_ids, id);
		if (!endpoint || endpoint.is_for_notices) throw new DomainError('resource_not_found');
		return endpoint;
	},
	announce: ({id, team_id}) => signals.publish({type: 'webhook.endpoint.changed', endpoint_id: id, team_id}),
});
