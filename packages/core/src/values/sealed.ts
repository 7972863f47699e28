/** An encrypted text: which master key wraps its data key, and the sealed bytes as text. Safe to store, useless to read. */
export type Sealed = Readonly<{kid: string; data: string}>;
