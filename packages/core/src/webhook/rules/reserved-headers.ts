import {isFramingHeader} from '../../values/request-headers.ts';

/** What a delivery is signed with (Standard Webhooks). */
const signatureHeaders: ReadonlySet<string> = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature']);

/** True for a header of a delivery that neither a sender nor a configuration sets. The body's own encoding is not one. */
export const isReservedHeader = (name: string): boolean => {
	const header = name.toLowerCase();
	return isFramingHeader(header) || signatureHeaders.has(header) || header.startsWith('x-signalbox-');
};
