/** How often a request came through a Signalbox before: where a target leads back to us, it does not go round for ever. */
export const hops = {
	/** Never a sender's to set on what we send. */
	header: 'x-signalbox-hops',
	/** A request that came through as often is not taken. */
	most: 3,
	/** What a request says of itself by the values of that header; 0 for one that says nothing. */
	of: (value: string | readonly string[] | undefined): number => {
		const count = Number(value ?? 0);
		return Number.isInteger(count) && count > 0 ? count : 0;
	},
} as const;

/** Headers that belong to one connection, or say how a body is framed. */
const framingHeaders: ReadonlySet<string> = new Set([
	'accept-encoding',
	'connection',
	'content-length',
	'expect',
	'host',
	'http2-settings',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);

/** What callers prove themselves to us with: it never goes to an upstream. */
const ourCredentials: ReadonlySet<string> = new Set(['cookie', 'x-api-key']);

/** True for a header of one connection, or of how a body is framed: whoever sends a request sets it. */
export const isFramingHeader = (name: string): boolean => {
	const header = name.toLowerCase();
	return framingHeaders.has(header) || header.startsWith('proxy-');
};

/** True for a header that nobody can set on a request to an upstream: the body's encoding is not theirs to choose either. */
export const isConnectionHeader = (name: string): boolean =>
	isFramingHeader(name) || name.toLowerCase() === 'content-encoding' || name.toLowerCase() === hops.header;

/** Names of fields that the value of `Connection` says are for that connection alone (RFC 9110, 7.6.1). */
export const namedByConnection = (value: string): readonly string[] =>
	// What nearly everybody says of a connection names no field that would pass.
	value === '' || value === 'keep-alive' ? none : value.split(',').map((name) => name.trim().toLowerCase());

const none: readonly string[] = [];

/** True for a header of a client that no setting lets through to an upstream. */
export const isStoppedHeader = (name: string): boolean =>
	isConnectionHeader(name) || ourCredentials.has(name.toLowerCase());
