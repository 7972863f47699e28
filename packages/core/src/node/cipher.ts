import {createCipheriv, createDecipheriv, randomBytes} from 'node:crypto';
import type {Cipher} from '../ports/index.ts';
import type {Sealed} from '../values/sealed.ts';
import {type KeyRing, newestKey} from './key-ring.ts';

const algorithm = 'aes-256-gcm';
const format = 1;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const boxOverhead = nonceBytes + tagBytes;
const wrappedKeyBytes = keyBytes + boxOverhead;

/** What a box is authenticated with: its role, and whatever it belongs to. JSON keeps the parts apart. */
const associated = (...parts: readonly string[]): Buffer => Buffer.from(JSON.stringify(parts));

/** Nonce, ciphertext, tag. */
const close = (key: Uint8Array, plain: Uint8Array, data: Buffer): Buffer => {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, key, nonce, {authTagLength: tagBytes}).setAAD(data);
	return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

const unlock = (key: Uint8Array, box: Buffer, data: Buffer): Buffer => {
	const nonce = box.subarray(0, nonceBytes);
	const decipher = createDecipheriv(algorithm, key, nonce, {authTagLength: tagBytes}).setAAD(data);
	decipher.setAuthTag(box.subarray(-tagBytes));
	return Buffer.concat([decipher.update(box.subarray(nonceBytes, -tagBytes)), decipher.final()]);
};

const bytesOf = (data: string): Buffer => {
	const bytes = Buffer.from(data, 'base64url');
	// Decoding forgives stray characters and spare bits; a sealed text has one spelling only.
	if (bytes.toString('base64url') !== data) throw new Error('not canonical');
	if (bytes.length < 1 + wrappedKeyBytes + boxOverhead || bytes[0] !== format) throw new Error('not a sealed text');
	return bytes;
};

const openWith = (key: Uint8Array, {kid, data}: Sealed, binding: string): string => {
	const bytes = bytesOf(data);
	const wrapped = bytes.subarray(1, 1 + wrappedKeyBytes);
	const dataKey = unlock(key, wrapped, associated('data key', kid, binding));
	return unlock(dataKey, bytes.subarray(1 + wrappedKeyBytes), associated('text', binding)).toString();
};

/**
 * AES-256-GCM envelopes (NIST SP 800-38D): every text has a random data key, wrapped by the newest master key; both
 * boxes are bound to `binding`, the wrapped key to the kid too. Layout: format byte, wrapped key, text.
 * Random nonces allow 2^32 texts per master key: rotate long before. @throws Error for an empty ring.
 */
export const createCipher = ({keys}: Readonly<{keys: KeyRing}>): Cipher => {
	const newest = newestKey(keys);
	const byKid = new Map(keys.map(({kid, key}) => [kid, key]));
	return {
		currentKid: () => newest.kid,
		seal: (text, binding) => {
			const dataKey = randomBytes(keyBytes);
			const wrapped = close(newest.key, dataKey, associated('data key', newest.kid, binding));
			const box = close(dataKey, Buffer.from(text), associated('text', binding));
			return {kid: newest.kid, data: Buffer.concat([Buffer.of(format), wrapped, box]).toString('base64url')};
		},
		open: (sealed, binding) => {
			const key = byKid.get(sealed.kid);
			try {
				if (key === undefined) throw new Error(`no master key ${sealed.kid}`);
				return openWith(key, sealed, binding);
			} catch (cause) {
				throw new Error('sealed text does not open', {cause});
			}
		},
	};
};
