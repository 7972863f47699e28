export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha512';

/** Message authentication, for other people's webhooks and for ours. */
export type Signatures = Readonly<{
	/** HMAC (RFC 2104) over the parts, one after the other. Quicker for a key whose very array was used before; it must not change. */
	hmac(algorithm: HmacAlgorithm, key: Uint8Array, parts: readonly (Uint8Array | string)[]): Uint8Array;
	/** In constant time for bytes of one length; bytes of different lengths differ. */
	equal(a: Uint8Array, b: Uint8Array): boolean;
}>;
