import {invalidField} from '../errors.ts';
import type {Cipher, Ports, Secrets} from '../ports/index.ts';
import {signingSecretBinding, verificationBinding} from '../values/binding.ts';
import {fromBase64Url} from '../values/bytes-text.ts';
import {plusSeconds} from '../values/instant.ts';
import {mask} from '../values/mask.ts';
import type {Sealed} from '../values/sealed.ts';
import type {EndpointRecord} from './model/endpoint.ts';
import {splitVerification, type Verification} from './model/verification.ts';
import {signingSecretOf} from './rules/standard-webhooks.ts';

type Owner = Pick<EndpointRecord, 'id' | 'user_id' | 'team_id'>;
type StoredVerification = Pick<EndpointRecord, 'verification' | 'verification_secrets'>;

/** Standard Webhooks asks for 24 to 64. */
const signingKeyBytes = 32;

/** `whsec_` and the key as base64. */
export const newSigningSecret = ({random}: Pick<Secrets, 'random'>): string =>
	signingSecretOf(fromBase64Url(random(signingKeyBytes)) ?? new Uint8Array());

export const sealSigningSecret = (cipher: Cipher, owner: Owner, secret: string) =>
	cipher.seal(secret, signingSecretBinding(owner));

/** How long the secret before a rotation still signs. */
const overlapSeconds = 24 * 3600;

/** Secrets of before that sign beside the newest, at most. */
const mostBefore = 3;

/**
 * What signs for a day beside a new secret: the one before, and those that still do since they were replaced lately, as one
 * text with blanks between them. One of them that does not open any more signs no more.
 */
const secretsBefore = (
	{cipher, clock}: Pick<Ports, 'cipher' | 'clock'>,
	{signing_secret, previous_signing_secret: previous, ...owner}: EndpointRecord,
): Sealed => {
	if (previous === null || previous.until <= clock.now()) return signing_secret;
	try {
		const texts = [signing_secret, previous.secret].map((sealed) => cipher.open(sealed, signingSecretBinding(owner)));
		return sealSigningSecret(cipher, owner, texts.join(' ').split(' ').slice(0, mostBefore).join(' '));
	} catch {
		return signing_secret;
	}
};

/** The endpoint with a new secret; the one before signs beside it for a day. */
export const withSigningSecret = (
	needs: Pick<Ports, 'cipher' | 'clock'>,
	current: EndpointRecord,
	secret: string,
): EndpointRecord => ({
	...current,
	signing_secret: sealSigningSecret(needs.cipher, current, secret),
	previous_signing_secret: {
		secret: secretsBefore(needs, current),
		until: plusSeconds(needs.clock.now(), overlapSeconds),
	},
});

/** How the sender is known, references unresolved. @throws Error when its secrets do not open. */
export const openVerification = (cipher: Cipher, endpoint: Owner & StoredVerification): Verification => {
	const {verification, verification_secrets: sealed} = endpoint;
	const secrets = sealed === null ? {} : JSON.parse(cipher.open(sealed, verificationBinding(endpoint)));
	return {...verification, ...secrets};
};

/** Whoever sends back what they read sends masks: each stands for the secret that is stored under its name. */
const unmasked = (asked: Verification, known: Verification): Verification => {
	const stored: Readonly<Record<string, unknown>> = known.type === asked.type ? known : {};
	const fields = Object.entries(asked).map(([name, value]) => {
		const meant = value === mask ? stored[name] : value;
		if (meant === undefined) throw invalidField(`verification.${name}`, 'is the mask: send the value itself');
		return [name, meant] as const;
	});
	return Object.fromEntries(fields) as Verification;
};

const sealVerification = (cipher: Cipher, owner: Owner, verification: Verification): StoredVerification => {
	const {shown, secrets} = splitVerification(verification);
	const isSecret = Object.keys(secrets).length > 0;
	return {
		verification: shown,
		verification_secrets: isSecret ? cipher.seal(JSON.stringify(secrets), verificationBinding(owner)) : null,
	};
};

/** How a sender is known as long as nobody says how: not at all. */
export const noVerification: StoredVerification = {verification: {type: 'none'}, verification_secrets: null};

/** How the sender is known after the request. */
export const verificationAfter = (
	cipher: Cipher,
	current: Owner & StoredVerification,
	asked: Verification | undefined,
): StoredVerification => {
	const {verification, verification_secrets} = current;
	if (asked === undefined) return {verification, verification_secrets};
	return sealVerification(cipher, current, unmasked(asked, openVerification(cipher, current)));
};
