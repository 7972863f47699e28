import type {IncomingMessage, OutgoingHttpHeaders} from 'node:http';

const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After, WWW-Authenticate';

/** Lets the page of an origin that passed the check read the answer; a preflight learns what it may send. */
export const corsHeaders = ({headers, method}: IncomingMessage): OutgoingHttpHeaders | undefined => {
	const {origin, 'access-control-request-headers': asked} = headers;
	if (origin === undefined) return undefined;
	const readable = {
		'access-control-allow-origin': origin,
		'access-control-expose-headers': exposed,
		vary: 'Origin',
	};
	if (method !== 'OPTIONS') return readable;
	return {
		...readable,
		'access-control-allow-methods': 'GET, POST, DELETE',
		'access-control-max-age': '600',
		...(asked !== undefined && {'access-control-allow-headers': asked}),
	};
};
