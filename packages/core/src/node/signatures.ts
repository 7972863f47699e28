import {createHmac, timingSafeEqual} from 'node:crypto';
import type {Signatures} from '../values/signatures.ts';

/** Signatures by node:crypto. */
export const createSignatures = (): Signatures => ({
	hmac: (algorithm, key, parts) => {
		const hmac = createHmac(algorithm, key);
		for (const part of parts) hmac.update(part);
		return hmac.digest();
	},
	equal: (a, b) => a.byteLength === b.byteLength && timingSafeEqual(a, b),
});
