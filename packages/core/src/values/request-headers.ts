/** Headers that belong to one connection, or say how a body is framed or encoded. */
const connectionHeaders: ReadonlySet<string> = new Set([
	'accept-encoding',
	'connection',
	'content-encoding',
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

/** True for a header that nobody can set on a request to an upstream: it is the connection's own. */
export const isConnectionHeader = (name: string): boolean => {
	const header = name.toLowerCase();
	return connectionHeaders.has(header) || header.startsWith('proxy-');
};

/** True for a header of a client that no setting lets through to an upstream. */
export const isStoppedHeader = (name: string): boolean =>
	isConnectionHeader(name) || ourCredentials.has(name.toLowerCase());
