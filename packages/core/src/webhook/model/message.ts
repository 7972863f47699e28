/** A header field as it came: names keep their case, fields their order, repeated ones stay apart. */
export type HeaderField = readonly [name: string, value: string];

/** A webhook on its way through an endpoint. The body is never copied and never changed in place. */
export type WebhookMessage = Readonly<{
	/** In capitals. */
	method: string;
	/** What followed the slug: `/a/b`, or empty. */
	path: string;
	/** Without its question mark. */
	query: string;
	headers: readonly HeaderField[];
	body: Uint8Array;
}>;

/**
 * A place in a text where the value of `{{env.KEY}}` goes at the moment of use. `at` counts UTF-8 bytes of the text without
 * any value. `json`: the value stands inside a JSON string and is escaped for it.
 */
export type EnvReference = Readonly<{at: number; key: string; as: 'text' | 'json'}>;

/** Text that may hold references: what is stored of it is never a value, and never text that could be taken for one. */
export type ReferencingText = Readonly<{text: string; references: readonly EnvReference[]}>;

/** The same of a body. */
export type ReferencingBytes = Readonly<{bytes: Uint8Array; references: readonly EnvReference[]}>;
