import {fromBase64, toBase64, utf8} from '../../values/bytes-text.ts';
import type {Signatures} from '../../values/signatures.ts';

/** What Standard Webhooks signs. */
export type SignedMessage = Readonly<{id: string; timestamp: string; body: Uint8Array}>;

const prefix = 'whsec_';

/** The key that a signing secret holds: base64 after `whsec_`, or the text itself where it is none. */
const signingKeyOf = (secret: string): Uint8Array => {
	const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
	return fromBase64(text) ?? utf8(text);
};

export const signingSecretOf = (key: Uint8Array): string => `${prefix}${toBase64(key)}`;

/** HMAC-SHA-256 over `id.timestamp.body` (Standard Webhooks, "Signature scheme"). */
export const standardSignature = (
	{hmac}: Pick<Signatures, 'hmac'>,
	secret: string,
	{id, timestamp, body}: SignedMessage,
): Uint8Array => hmac('sha256', signingKeyOf(secret), [`${id}.${timestamp}.`, body]);

/** The value of `webhook-signature`: one signature for each secret, so that a receiver may know either. */
export const signatureHeader = (
	signatures: Pick<Signatures, 'hmac'>,
	secrets: readonly string[],
	message: SignedMessage,
): string => secrets.map((secret) => `v1,${toBase64(standardSignature(signatures, secret, message))}`).join(' ');
