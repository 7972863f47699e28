import {createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual} from 'node:crypto';
import type {Secrets} from '../ports/index.ts';
import {type KeyRing, newestKey, type RingKey} from './key-ring.ts';

const sha256 = (input: string | Uint8Array): Buffer => createHash('sha256').update(input).digest();

/** A key of its own, so that the ring may also serve another purpose without one use answering for the other. */
const derivationKey = ({key}: RingKey): Buffer =>
	Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'signalbox: derived secrets', 32));

/** Randomness, digests and keyed derivation of `node:crypto`. @throws Error for an empty ring. */
export const createSecrets = ({keys}: Readonly<{keys: KeyRing}>): Secrets => {
	newestKey(keys);
	const derivationKeys = keys.map(derivationKey);
	return {
		random: (bytes) => randomBytes(bytes).toString('base64url'),
		digest: (input) => sha256(input).toString('base64url'),
		derive: (input) => derivationKeys.map((key) => createHmac('sha256', key).update(input).digest('base64url')),
		// Digests have one length, which the comparison needs, and hide that of the texts.
		equal: (a, b) => timingSafeEqual(sha256(a), sha256(b)),
	};
};
