import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import type {EndpointRecord} from './model/endpoint.ts';
import type {WebhookMessage} from './model/message.ts';
import type {Verification} from './model/verification.ts';
import {answerHandshake, answerSubscription, type Handshake} from './rules/handshake.ts';
import {verifyRequest} from './rules/verify-request.ts';
import {openVerification} from './sealed-secrets.ts';

/** Whether a request is from whom the endpoint expects it, and is a webhook. */
export type SenderVerdict =
	| Readonly<{ok: true; handshake: Handshake | undefined}>
	/** For the log, not for the sender. */
	| Readonly<{ok: false; because: string}>;

type Needs = Pick<Ports, 'cipher' | 'clock' | 'secrets' | 'signatures'> & Pick<Resolver, 'resolve'>;

/**
 * Knows the sender by the endpoint's verification. A secret that does not open or resolve lets nobody in.
 * What holds no reference is opened once for a record, and kept as long as the record is.
 */
export const createSenderCheck = (needs: Needs) => {
	const opened = new WeakMap<EndpointRecord, Verification | undefined>();
	const open = (endpoint: EndpointRecord): Verification | undefined => {
		if (!opened.has(endpoint)) opened.set(endpoint, openOrNone(needs, endpoint));
		return opened.get(endpoint);
	};
	return async (endpoint: EndpointRecord, request: WebhookMessage): Promise<SenderVerdict> => {
		const configured = open(endpoint);
		if (configured === undefined) return refused('the secret does not open with the master keys that are set');
		const verification = await resolved(needs, endpoint, configured);
		return verification === undefined
			? refused('a variable of its secret has no value')
			: judge(needs, verification, request);
	};
};

const refused = (because: string): SenderVerdict => ({ok: false, because});

const openOrNone = ({cipher}: Needs, endpoint: EndpointRecord): Verification | undefined => {
	try {
		return openVerification(cipher, endpoint);
	} catch {
		return undefined;
	}
};

/** With the values of its references; undefined when one has none, or an empty one: no secret at all. */
const resolved = async (
	{resolve}: Needs,
	endpoint: EndpointRecord,
	verification: Verification,
): Promise<Verification | undefined> => {
	const texts = Object.entries(verification).filter(isText);
	if (!texts.some(([, text]) => text.includes('{{'))) return verification;
	const resolution = await resolve(
		endpoint,
		'webhook',
		texts.map(([, text]) => text),
	);
	if (!resolution.ok) return undefined;
	const values = texts.map(([name, text], at) => [name, resolution.texts[at] ?? '', text] as const);
	if (values.some(([, value, text]) => value === '' && text !== '')) return undefined;
	return {...verification, ...Object.fromEntries(values)} as Verification;
};

const isText = (field: readonly [string, unknown]): field is [string, string] => typeof field[1] === 'string';

const judge = (needs: Needs, verification: Verification, request: WebhookMessage): SenderVerdict => {
	const {secrets, signatures, clock} = needs;
	const subscription = answerSubscription(verification, request, secrets.equal);
	if (subscription === 'wrong') return refused('it is no subscription that knows the verify_token');
	if (subscription !== undefined) return {ok: true, handshake: subscription};
	const now = Math.floor(millisecondsOf(clock.now()) / 1000);
	const verdict = verifyRequest(verification, {request, now, signatures});
	return verdict.ok ? {ok: true, handshake: answerHandshake(verification, request, signatures)} : verdict;
};
