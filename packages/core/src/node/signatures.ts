import {createHmac, createSecretKey, timingSafeEqual} from 'node:crypto';
import type {Signatures} from '../values/signatures.ts';

/** Signatures by node:crypto. */
export const createSignatures = (): Signatures => ({
	hmac: (algorithm, key, parts) => {
		// A key made before takes half as long as bytes do.
		const hmac = createHmac(algorithm, createSecretKey(key));
		for (const part of parts) hmac.update(part);
		return hmac.digest();
	},
	equal: (a, b) => a.byteLength === b.byteLength && timingSafeEqual(a, b),
});
