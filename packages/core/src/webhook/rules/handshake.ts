import {toHex, utf8} from '../../values/bytes-text.ts';
import type {Signatures} from '../../values/signatures.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {Verification} from '../model/verification.ts';

/** What a provider wants to read before it sends webhooks. */
export type Handshake = Readonly<{content_type: 'text/plain' | 'application/json'; body: string}>;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});

const jsonOf = (body: Uint8Array): Members => {
	try {
		return membersOf(JSON.parse(new TextDecoder().decode(body)));
	} catch {
		return {};
	}
};

/** Longer ones are nothing that these providers send. */
const longestChallenge = 1024;

const isChallenge = (value: unknown): value is string =>
	typeof value === 'string' && value !== '' && value.length <= longestChallenge;

/**
 * Meta's subscription, a GET that is not signed but knows the token: the challenge to answer, `wrong`, or undefined when the
 * request is something else.
 * @param isSame compares in constant time.
 */
export const answerSubscription = (
	verification: Verification,
	{method, query}: Pick<WebhookMessage, 'method' | 'query'>,
	isSame: (a: string, b: string) => boolean,
): Handshake | 'wrong' | undefined => {
	if (verification.type !== 'meta' || method !== 'GET') return undefined;
	const parameters = new URLSearchParams(query);
	const challenge = parameters.get('hub.challenge');
	if (parameters.get('hub.mode') !== 'subscribe' || !isChallenge(challenge)) return 'wrong';
	const isKnown = isSame(parameters.get('hub.verify_token') ?? '', verification.verify_token);
	return isKnown ? {content_type: 'text/plain', body: challenge} : 'wrong';
};

const answerSlack = (body: Members): Handshake | undefined =>
	body.type === 'url_verification' && isChallenge(body.challenge)
		? {content_type: 'text/plain', body: body.challenge}
		: undefined;

const answerZoom = (body: Members, secret: string, {hmac}: Pick<Signatures, 'hmac'>): Handshake | undefined => {
	const {plainToken} = membersOf(body.payload);
	if (body.event !== 'endpoint.url_validation' || !isChallenge(plainToken)) return undefined;
	const encryptedToken = toHex(hmac('sha256', utf8(secret), [plainToken]));
	return {content_type: 'application/json', body: JSON.stringify({plainToken, encryptedToken})};
};

/** The answer to a request that is signed, and is a handshake instead of a webhook; undefined for a webhook. */
export const answerHandshake = (
	verification: Verification,
	{body}: Pick<WebhookMessage, 'body'>,
	signatures: Pick<Signatures, 'hmac'>,
): Handshake | undefined => {
	switch (verification.type) {
		case 'slack':
			return answerSlack(jsonOf(body));
		case 'zoom':
			return answerZoom(jsonOf(body), verification.secret, signatures);
		default:
			return undefined;
	}
};
