import {fromBase64, fromHex, utf8} from '../../values/bytes-text.ts';
import type {HmacAlgorithm, Signatures} from '../../values/signatures.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {Verification} from '../model/verification.ts';
import {signingKeyOf, standardSignature} from './standard-webhooks.ts';

export type RequestVerdict = Readonly<{ok: true}> | Readonly<{ok: false; because: string}>;

/** A verification whose secrets are resolved, what it is put to, and the time in epoch seconds. */
export type VerificationFacts = Readonly<{
	request: Pick<WebhookMessage, 'headers' | 'body'>;
	now: number;
	signatures: Signatures;
}>;

const verified: RequestVerdict = {ok: true};
const refused = (because: string): RequestVerdict => ({ok: false, because});

/** The only field of that name; one that is sent twice could be read either way, so it counts as missing. */
const headerOf = ({request}: VerificationFacts, name: string): string | undefined => {
	const [value, ...others] = request.headers.filter(([field]) => field.toLowerCase() === name).map(([, text]) => text);
	return others.length === 0 ? value : undefined;
};

type Candidate = Uint8Array | undefined;

/** All candidates are compared, so that the time tells nothing of which one was right. */
const isAmong = ({signatures}: VerificationFacts, expected: Uint8Array, candidates: readonly Candidate[]): boolean =>
	candidates.map((candidate) => candidate !== undefined && signatures.equal(candidate, expected)).includes(true);

const verdictOn = (isRight: boolean): RequestVerdict => (isRight ? verified : refused('the signature is wrong'));

/** Texts of any length in constant time: what is compared are their authentication codes. */
const isSameText = ({signatures}: VerificationFacts, a: string, b: string): boolean => {
	const code = (text: string) => signatures.hmac('sha256', utf8('compare'), [text]);
	return signatures.equal(code(a), code(b));
};

const isFresh = ({now}: VerificationFacts, timestamp: string, tolerance: number): boolean =>
	/^[0-9]{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= tolerance;

const stale = refused('the signed time is too far from now');

type Signed = Readonly<{header: string; algorithm: HmacAlgorithm; encoding: 'hex' | 'base64'; prefix: string}>;

type Keyed = Extract<Verification, {secret: string}>;

const keys = new WeakMap<Keyed, Uint8Array>();

/** The bytes of its secret; the same array each time, so that what is made of them need not be made anew. */
const keyOf = (verification: Keyed): Uint8Array => {
	const {type, secret} = verification;
	const key = keys.get(verification) ?? (type === 'standard_webhooks' ? signingKeyOf(secret) : utf8(secret));
	keys.set(verification, key);
	return key;
};

const verifyBody = (facts: VerificationFacts, verification: Keyed, signed: Signed): RequestVerdict => {
	const value = headerOf(facts, signed.header.toLowerCase());
	if (value === undefined) return refused(`the header ${signed.header} is missing`);
	if (!value.startsWith(signed.prefix))
		return refused(`the header ${signed.header} does not begin with ${signed.prefix}`);
	const expected = facts.signatures.hmac(signed.algorithm, keyOf(verification), [facts.request.body]);
	const decode = signed.encoding === 'hex' ? fromHex : fromBase64;
	return verdictOn(isAmong(facts, expected, [decode(value.slice(signed.prefix.length))]));
};

const hubSignature: Signed = {header: 'x-hub-signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256='};
const shopifySignature: Signed = {header: 'x-shopify-hmac-sha256', algorithm: 'sha256', encoding: 'base64', prefix: ''};

type Timed<T extends Verification['type']> = Extract<Verification, {type: T}>;

const verifyStripe = (facts: VerificationFacts, verification: Timed<'stripe'>): RequestVerdict => {
	const fields = (headerOf(facts, 'stripe-signature') ?? '').split(',').map((field) => field.trim().split('='));
	const valuesOf = (name: string) => fields.filter(([key]) => key === name).map(([, value = '']) => value);
	const [timestamp] = valuesOf('t');
	if (timestamp === undefined) return refused('the header stripe-signature is missing or holds no time');
	if (!isFresh(facts, timestamp, verification.tolerance_seconds)) return stale;
	const expected = facts.signatures.hmac('sha256', keyOf(verification), [`${timestamp}.`, facts.request.body]);
	return verdictOn(isAmong(facts, expected, valuesOf('v1').map(fromHex)));
};

/** `v0:<time>:<body>`, as Slack and Zoom sign. */
const verifyVersioned = (facts: VerificationFacts, verification: Timed<'slack' | 'zoom'>): RequestVerdict => {
	const brand = verification.type === 'slack' ? 'x-slack' : 'x-zm';
	const timestamp = headerOf(facts, `${brand}-request-timestamp`);
	const signature = headerOf(facts, `${brand}-signature`);
	if (timestamp === undefined || signature === undefined) return refused(`a header of ${brand}-* is missing`);
	if (!isFresh(facts, timestamp, verification.tolerance_seconds)) return stale;
	const expected = facts.signatures.hmac('sha256', keyOf(verification), [`v0:${timestamp}:`, facts.request.body]);
	return verdictOn(signature.startsWith('v0=') && isAmong(facts, expected, [fromHex(signature.slice(3))]));
};

const verifyStandard = (facts: VerificationFacts, verification: Timed<'standard_webhooks'>): RequestVerdict => {
	const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headerOf(facts, `webhook-${name}`));
	if (id === undefined || timestamp === undefined || signature === undefined)
		return refused('a header of webhook-id, webhook-timestamp and webhook-signature is missing');
	if (!isFresh(facts, timestamp, verification.tolerance_seconds)) return stale;
	const expected = standardSignature(facts.signatures, keyOf(verification), {id, timestamp, body: facts.request.body});
	const candidates = signature
		.split(' ')
		.filter((part) => part.startsWith('v1,'))
		.map((part) => fromBase64(part.slice(3)));
	return verdictOn(isAmong(facts, expected, candidates));
};

const verifyBasic = (facts: VerificationFacts, {username, password}: Timed<'basic'>): RequestVerdict => {
	const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(headerOf(facts, 'authorization') ?? '') ?? [];
	const given = encoded === undefined ? undefined : fromBase64(encoded);
	if (given === undefined) return refused('the header authorization is missing or not of the scheme Basic');
	const isRight = isSameText(facts, new TextDecoder().decode(given), `${username}:${password}`);
	return isRight ? verified : refused('user name or password is wrong');
};

const verifyApiKey = (facts: VerificationFacts, {header, key}: Timed<'api_key'>): RequestVerdict => {
	const given = headerOf(facts, header.toLowerCase());
	if (given === undefined) return refused(`the header ${header} is missing`);
	return isSameText(facts, given, key) ? verified : refused('the key is wrong');
};

/**
 * Whether a webhook is from whom the endpoint expects it (decisions, "Endpoints"), over its raw bytes and in constant time.
 * @param verification with its secrets resolved.
 */
export const verifyRequest = (verification: Verification, facts: VerificationFacts): RequestVerdict => {
	switch (verification.type) {
		case 'none':
			return verified;
		case 'standard_webhooks':
			return verifyStandard(facts, verification);
		case 'github':
		case 'meta':
			return verifyBody(facts, verification, hubSignature);
		case 'shopify':
			return verifyBody(facts, verification, shopifySignature);
		case 'hmac':
			return verifyBody(facts, verification, verification);
		case 'stripe':
			return verifyStripe(facts, verification);
		case 'slack':
		case 'zoom':
			return verifyVersioned(facts, verification);
		case 'basic':
			return verifyBasic(facts, verification);
		case 'api_key':
			return verifyApiKey(facts, verification);
	}
};
