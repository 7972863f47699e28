import {createHmac, createSecretKey, type KeyObject, timingSafeEqual} from 'node:crypto';
import type {Signatures} from '../values/signatures.ts';

/** Signatures by node:crypto. */
export const createSignatures = (): Signatures => {
	// A key that is made anew takes longer than signing a short body does. One goes with the bytes it was made of.
	const made = new WeakMap<Uint8Array, KeyObject>();
	const keyOf = (bytes: Uint8Array): KeyObject => {
		const key = made.get(bytes) ?? createSecretKey(bytes);
		made.set(bytes, key);
		return key;
	};
	return {
		hmac: (algorithm, key, parts) => {
			const hmac = createHmac(algorithm, keyOf(key));
			for (const part of parts) hmac.update(part);
			return hmac.digest();
		},
		equal: (a, b) => a.byteLength === b.byteLength && timingSafeEqual(a, b),
	};
};
