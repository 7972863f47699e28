import type {IncomingMessage, ServerResponse} from 'node:http';

const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After, WWW-Authenticate';

/** Lets the page of an origin that passed the check read the answer; a preflight learns what it may send. */
export const allowOrigin = (request: IncomingMessage, response: ServerResponse): void => {
	const {origin, 'access-control-request-headers': asked} = request.headers;
	if (origin === undefined) return;
	response.setHeader('Access-Control-Allow-Origin', origin);
	response.setHeader('Access-Control-Expose-Headers', exposed);
	response.setHeader('Vary', 'Origin');
	if (request.method !== 'OPTIONS') return;
	response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
	response.setHeader('Access-Control-Max-Age', '600');
	if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
};
