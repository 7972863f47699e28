import {randomBytes} from 'node:crypto';

/** One secret key of the server and the id that is written beside whatever it signs or seals. */
export type RingKey = Readonly<{kid: string; key: Uint8Array}>;

/** Keys of one purpose, newest first: the first signs and seals, all of them verify and open. */
export type KeyRing = readonly RingKey[];

const keyBytes = 32;
const kidPattern = /^[A-Za-z0-9_.-]{1,64}$/;
const base64Pattern = /^[A-Za-z0-9+/_-]{43}=?$/;

const parseKey = (entry: string, position: number): RingKey => {
	const colon = entry.indexOf(':');
	const kid = entry.slice(0, Math.max(colon, 0)).trim();
	if (!kidPattern.test(kid)) {
		throw new Error(`Key ${position}: write it as kid:base64, the kid of 1 to 64 letters, digits, "_", "-" or "."`);
	}
	const encoded = entry.slice(colon + 1).trim();
	if (!base64Pattern.test(encoded)) throw new Error(`Key ${position} (${kid}): write ${keyBytes} bytes as base64`);
	return {kid, key: new Uint8Array(Buffer.from(encoded, 'base64'))};
};

/**
 * Reads `kid:base64,...`, newest first, 32 bytes each.
 *
 * @throws Error that names the position and the kid of the entry at fault, never any key material.
 */
export const parseKeyRing = (text: string): KeyRing => {
	const ring = text.split(',').map((entry, index) => parseKey(entry, index + 1));
	const repeated = ring.find(({kid}, index) => ring.findIndex((other) => other.kid === kid) !== index);
	if (repeated !== undefined) throw new Error(`The kid ${repeated.kid} stands twice: each key needs its own`);
	return ring;
};

/** Writes a ring as `parseKeyRing` reads it. */
export const formatKeyRing = (ring: KeyRing): string =>
	ring.map(({kid, key}) => `${kid}:${Buffer.from(key).toString('base64')}`).join(',');

/** A new random key. */
export const generateKey = (kid: string): RingKey => ({kid, key: new Uint8Array(randomBytes(keyBytes))});

/** @throws Error for an empty ring. */
export const newestKey = (ring: KeyRing): RingKey => {
	const [newest] = ring;
	if (newest === undefined) throw new Error('A key ring needs at least one key');
	return newest;
};
