/** Fields of one connection, and those that say how a body is framed: whoever sends a request sets them. */
const connectionHeaders: ReadonlySet<string> = new Set([
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

/** What a delivery is signed with (Standard Webhooks). */
const signatureHeaders: ReadonlySet<string> = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature']);

/** True for a header of a delivery that neither a sender nor a configuration sets. The body's own encoding is not one. */
export const isReservedHeader = (name: string): boolean => {
	const header = name.toLowerCase();
	if (connectionHeaders.has(header) || signatureHeaders.has(header)) return true;
	return header.startsWith('proxy-') || header.startsWith('x-signalbox-');
};
