import {createDirectory} from '../directory.ts';
import type {EndpointStore, Ports} from '../ports/index.ts';
import {signingSecretBinding} from '../values/binding.ts';
import {type Instant, millisecondsOf} from '../values/instant.ts';
import type {Sealed} from '../values/sealed.ts';
import type {LeasedDelivery} from './model/delivery.ts';
import type {EndpointRecord} from './model/endpoint.ts';
import {signingKeyOf} from './rules/standard-webhooks.ts';

/** The endpoint of a delivery, and what signs for it. */
export type Signer = Readonly<{
	endpoint: EndpointRecord;
	/**
	 * The keys that sign at that time: the newest first, and those before it for as long as it was promised. The same
	 * bytes each time. @throws Error when one does not open.
	 */
	keysAt(now: Instant): readonly Uint8Array[];
}>;

/** Answers the signer of a delivery, mostly without asking the store; undefined when its endpoint is gone. */
export type SignerDirectory = (
	delivery: Pick<LeasedDelivery, 'team_id' | 'endpoint_id'>,
) => Promise<Signer | undefined>;

type Needs = Pick<Ports, 'cipher' | 'signals' | 'clock'> & Readonly<{endpoints: Pick<EndpointStore, 'get'>}>;

const signerOf = ({cipher}: Pick<Needs, 'cipher'>, endpoint: EndpointRecord): Signer => {
	const {signing_secret, previous_signing_secret: previous} = endpoint;
	const opened = new Map<Sealed, readonly Uint8Array[]>();
	const open = (sealed: Sealed): readonly Uint8Array[] => {
		const keys = opened.get(sealed) ?? cipher.open(sealed, signingSecretBinding(endpoint)).split(' ').map(signingKeyOf);
		opened.set(sealed, keys);
		return keys;
	};
	const isHonoured = (now: Instant) => previous !== null && millisecondsOf(now) < millisecondsOf(previous.until);
	return {
		endpoint,
		keysAt: (now) => [...open(signing_secret), ...(previous !== null && isHonoured(now) ? open(previous.secret) : [])],
	};
};

export const createSignerDirectory = (needs: Needs): SignerDirectory => {
	const {find} = createDirectory<Signer>(needs, {
		read: async (key, known) => {
			const [team_id = '', endpoint_id = ''] = key.split(' ');
			const endpoint = await needs.endpoints.get([team_id], endpoint_id);
			if (endpoint === undefined) return undefined;
			return known?.endpoint.version === endpoint.version ? known : signerOf(needs, endpoint);
		},
		changedBy: (event) => {
			if (event.type === 'team.deleted') return ({endpoint}) => endpoint.team_id === event.team_id;
			if (event.type !== 'webhook.endpoint.changed') return undefined;
			return ({endpoint}) => endpoint.id === event.endpoint_id;
		},
	});
	return ({team_id, endpoint_id}) => find(`${team_id} ${endpoint_id}`);
};
