import {fromBase64, toBase64, utf8} from '../../values/bytes-text.ts';
import type {Signatures} from '../../values/signatures.ts';

/** What Standard Webhooks signs. */
export type SignedMessage = Readonly<{id: string; timestamp: string; body: Uint8Array}>;

const prefix = 'whsec_';

/** The key that a signing secret holds: base64 after `whsec_`, or the text itself where it is none. */
export const signingKeyOf = (secret: string): Uint8Array => {
	const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
	return fromBase64(text) ?? utf8(text);
};

export const signingSecretOf = (key: Uint8Array): string => `${prefix}${toBase64(key)}`;

/** HMAC-SHA-256 over `id.timestamp.body` (Standard Webhooks, "Signature scheme"). */
export const standardSignature = (
	{hmac}: Pick<Signatures, 'hmac'>,
	key: Uint8Array,
	{id, timestamp, body}: SignedMessage,
): Uint8Array => hmac('sha256', key, [`${id}.${timestamp}.`, body]);

/** The value of `webhook-signature`: one signature for each key, so that a receiver may know either. */
export const signatureHeader = (
	signatures: Pick<Signatures, 'hmac'>,
	keys: readonly Uint8Array[],
	message: SignedMessage,
): string => keys.map((key) => `v1,${toBase64(standardSignature(signatures, key, message))}`).join(' ');
