import {hops} from '../../values/request-headers.ts';
import type {Signatures} from '../../values/signatures.ts';
import {filledUrlProblem, referencesIn} from '../../values/template.ts';
import type {LeasedDelivery} from '../model/delivery.ts';
import type {DeliveryRequest} from '../model/delivery-exchange.ts';
import type {EnvValues} from '../model/env-values.ts';
import {deliveryHeaders} from './delivery-headers.ts';
import {UnresolvedReference} from './env-markers.ts';
import {fillBytes, fillConfiguration} from './fill-references.ts';
import {signatureHeader} from './standard-webhooks.ts';

/** Whatever a delivery is made of besides itself. */
export type DeliveryFacts = Readonly<{
	values: EnvValues;
	/** Signing keys that hold now: the newest first, and the one before while receivers may still know only that. */
	keys: readonly Uint8Array[];
	/** Epoch seconds. */
	now: number;
	signatures: Pick<Signatures, 'hmac'>;
}>;

export type BuiltRequest = Readonly<{ok: true; request: DeliveryRequest}> | Readonly<{ok: false; because: string}>;

type Bodies = Pick<LeasedDelivery, 'body' | 'event'>;

const bodyOf = ({body, event}: Bodies) => body ?? event.body;

/** The keys that a delivery refers to, each once. */
export const referencesOf = (delivery: LeasedDelivery): readonly string[] => {
	const {url, headers_override, event} = delivery;
	const inData = [...event.headers.map(([, value]) => value), bodyOf(delivery)].flatMap(({references}) => references);
	const inTexts = [url, ...Object.values(headers_override)].flatMap(referencesIn);
	return [...new Set([...inTexts, ...inData.map(({key}) => key)])];
};

/**
 * The id of a message, constant over its attempts. Each destination of an event has a message of its own: two rules may
 * lead to one receiver with different bodies, and it must not take the second for a repetition of the first.
 */
const messageIdOf = ({event_id, id}: Pick<LeasedDelivery, 'event_id' | 'id'>): string => `msg_${event_id}_${id}`;

/** The destination as it resolves now, of the origin that is configured. Messages name no value. */
const destinationOf = (configured: string, values: EnvValues): URL => {
	const url = URL.parse(fillConfiguration(configured, values));
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
		throw new UnresolvedReference('The destination does not resolve to an http or https URL.');
	if (url.username !== '' || url.password !== '')
		throw new UnresolvedReference('The destination resolves to a URL with a user name or password.');
	if ((URL.parse(configured)?.origin ?? url.origin) !== url.origin)
		throw new UnresolvedReference('The destination resolves to another origin than the configured one.');
	const problem = filledUrlProblem(configured, url);
	if (problem !== undefined) throw new UnresolvedReference(problem);
	return url;
};

const receivedHops = ({event}: Pick<LeasedDelivery, 'event'>): string | undefined =>
	event.headers.find(([name]) => name.toLowerCase() === hops.header)?.[1].text;

const requestOf = (delivery: LeasedDelivery, facts: DeliveryFacts): DeliveryRequest => {
	const {values, keys, signatures} = facts;
	const body = fillBytes(bodyOf(delivery), values);
	const signed = {id: messageIdOf(delivery), timestamp: String(Math.floor(facts.now)), body};
	return {
		method: delivery.event.method,
		url: destinationOf(delivery.url, values),
		headers: [
			...deliveryHeaders(delivery, values),
			[hops.header, String(hops.of(receivedHops(delivery)) + 1)],
			['webhook-id', signed.id],
			['webhook-timestamp', signed.timestamp],
			['webhook-signature', signatureHeader(signatures, keys, signed)],
		],
		body,
	};
};

/** One attempt of a delivery, as it leaves; or why it cannot, which names keys and never a value. */
export const deliveryRequest = (delivery: LeasedDelivery, facts: DeliveryFacts): BuiltRequest => {
	try {
		return {ok: true, request: requestOf(delivery, facts)};
	} catch (error) {
		if (!(error instanceof UnresolvedReference)) throw error;
		return {ok: false, because: error.message};
	}
};
