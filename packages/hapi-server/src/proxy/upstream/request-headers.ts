import type {IncomingHttpHeaders} from 'node:http';
import {hops, isConnectionHeader, isStoppedHeader, namedByConnection} from '@signalbox/core';

export type HeaderRules = Readonly<{
	/** Names that the server's owner added to the allow-list. */
	forward_headers: readonly string[];
	/** The server's own headers, resolved: added last, they win. */
	upstream_headers: Readonly<Record<string, string>>;
	/** False when `Authorization` is a credential of ours, which no upstream may ever see. */
	forward_authorization: boolean;
	/** True when it goes to an address of ours: nobody else is told how often it came through here. */
	goes_to_us: boolean;
}>;

const passed: ReadonlySet<string> = new Set([
	'accept',
	'content-type',
	'last-event-id',
	'user-agent',
	'traceparent',
	'tracestate',
	'baggage',
]);

const none: ReadonlyMap<string, string> = new Map();

const ownHeaders = (headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
	const entries = Object.entries(headers);
	return entries.length === 0 ? none : new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
};

const isPassed = (name: string, rules: HeaderRules): boolean => {
	if (passed.has(name) || name.startsWith('mcp-')) return true;
	if (name === 'authorization') return rules.forward_authorization;
	return rules.forward_headers.some((added) => added.toLowerCase() === name) && !isStoppedHeader(name);
};

/** What the upstream gets to see of a client's headers, as names and values in turn. Host is the client's to write. */
export const upstreamRequestHeaders = (headers: IncomingHttpHeaders, rules: HeaderRules): string[] => {
	const own = ownHeaders(rules.upstream_headers);
	const dropped = namedByConnection(headers.connection ?? '');
	// Compressed answers could be neither read for the log nor passed on as a stream of events.
	const forwarded = ['accept-encoding', 'identity'];
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value === undefined || own.has(name) || dropped.includes(name) || !isPassed(name, rules)) continue;
		forwarded.push(name, Array.isArray(value) ? value.join(', ') : value);
	}
	for (const [name, value] of own) if (!isConnectionHeader(name)) forwarded.push(name, value);
	if (rules.goes_to_us) forwarded.push(hops.header, String(hops.of(headers[hops.header]) + 1));
	return forwarded;
};
