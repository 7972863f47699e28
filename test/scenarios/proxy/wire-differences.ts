import {STATUS_CODES} from 'node:http';
import {type Field, fieldOf, fieldValues, type HttpMessage} from './http-messages.ts';
import {type SeenAnswer, statusOf} from './run-wire-case.ts';
import type {WireCase} from './wire-cases.ts';

/**
 * Everything in which an exchange through the proxy differs from a direct one, by design. Each says how what was seen
 * direct must look through the proxy; whatever no difference names must be the same.
 */
export type Difference<T> = Readonly<{
	name: string;
	reason: string;
	apply(seen: T, about: About): T;
}>;

/** What a difference may depend on. */
export type About = Readonly<{
	server: NonNullable<WireCase['server']>;
	/** The client's request, as it was sent to the proxy. */
	request: HttpMessage;
	/** The public address of the server's metadata. */
	metadata: string;
}>;

/** Stands for a value that is new each time. */
export const anew = '(new each time)';

const without = <T extends HttpMessage>(seen: T, isDropped: (name: string) => boolean): T => ({
	...seen,
	fields: seen.fields.filter(([name]) => !isDropped(name)),
});

const set = <T extends HttpMessage>(seen: T, ...fields: readonly Field[]): T => {
	const kept = without(seen, (name) => fields.some(([each]) => each === name));
	return {...kept, fields: [...kept.fields, ...fields]};
};

const mediaType = (seen: HttpMessage): string =>
	fieldOf(seen, 'content-type').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isEvents = (seen: HttpMessage): boolean => mediaType(seen) === 'text/event-stream';

const hopByHop = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

const namedInConnection = (seen: HttpMessage): readonly string[] =>
	fieldOf(seen, 'connection')
		.split(',')
		.map((name) => name.trim().toLowerCase());

/** Fields of one connection, on either side of the proxy: each connection has its own. */
export const withoutOwnHop = <T extends HttpMessage>(seen: T): T => without(seen, (name) => hopByHop.includes(name));

const againstOurOrigin = [
	'alt-svc',
	'clear-site-data',
	'content-location',
	'content-security-policy',
	'link',
	'location',
	'refresh',
	'service-worker-allowed',
	'set-cookie',
	'strict-transport-security',
];

const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After, WWW-Authenticate';

export const answerDifferences: readonly Difference<SeenAnswer>[] = [
	{
		name: 'protocol version and reason phrase',
		reason: 'They are of one connection, and nobody reads the phrase (RFC 9110, 2.5; RFC 9112, 4).',
		apply: (seen) => ({...seen, start: `HTTP/1.1 ${statusOf(seen)} ${STATUS_CODES[statusOf(seen)] ?? 'unknown'}`}),
	},
	{
		name: 'hop-by-hop fields of the upstream',
		reason: 'Hop-by-hop fields and fields named in Connection stop at a proxy (RFC 9110, 7.6.1).',
		apply: (seen) => {
			const named = namedInConnection(seen);
			return without(seen, (name) => hopByHop.includes(name) || name.startsWith('proxy-') || named.includes(name));
		},
	},
	{
		name: 'early hints',
		reason: 'They are Link fields, which an upstream may not set on our origin.',
		apply: (seen) => ({...seen, interim: seen.interim.filter((status) => status === 100)}),
	},
	{
		name: 'trailers',
		reason: 'A proxy may drop them (RFC 9110, 6.5.1), and MCP knows none.',
		apply: (seen) => ({...seen, trailers: []}),
	},
	{
		name: 'length of events',
		reason: 'A stream of events that breaks off gets an event of ours: it ends otherwise than announced.',
		apply: (seen) => (isEvents(seen) ? without(seen, (name) => name === 'content-length') : seen),
	},
	{
		name: 'buffering',
		reason: 'X-Accel-Buffering: no, so that no proxy before ours holds events back.',
		apply: (seen) => (isEvents(seen) ? set(seen, ['x-accel-buffering', 'no']) : seen),
	},
	{
		name: 'content type',
		reason: 'Only JSON and events keep theirs: nothing that an upstream sends is ever a page of ours.',
		apply: (seen) =>
			['', 'application/json', 'text/event-stream'].includes(mediaType(seen))
				? seen
				: set(seen, ['content-type', 'text/plain; charset=utf-8']),
	},
	{
		name: 'fields against our origin',
		reason: 'An upstream sets neither cookies nor policies there, and sends nobody past the proxy.',
		apply: (seen) => without(seen, (name) => againstOurOrigin.includes(name)),
	},
	{
		name: 'sandbox',
		reason: 'Nothing that an upstream sends is ever a page of ours.',
		apply: (seen) =>
			set(seen, ['content-security-policy', "sandbox; default-src 'none'"], ['x-content-type-options', 'nosniff']),
	},
	{
		name: 'request id',
		reason: 'Every answer carries ours; a client may name it.',
		apply: (seen, {request}) => set(seen, ['x-request-id', fieldOf(request, 'x-request-id') || anew]),
	},
	{
		name: 'date',
		reason: 'Where the upstream sends none, we add it (RFC 9110, 6.6.1).',
		apply: (seen) => (fieldOf(seen, 'date') === '' ? set(seen, ['date', anew]) : seen),
	},
	{
		name: 'CORS',
		reason: 'Origins are checked by us, so we say who may read an answer, and which fields of it.',
		apply: (seen, {request}) => {
			const own = without(seen, (name) => name.startsWith('access-control-'));
			const origin = fieldOf(request, 'origin');
			if (origin === '') return own;
			const allowed = set(own, ['access-control-allow-origin', origin], ['access-control-expose-headers', exposed]);
			return set(allowed, ['vary', [...fieldValues(seen, 'vary'), 'Origin'].join(', ')]);
		},
	},
	{
		name: 'OAuth metadata',
		reason: 'WWW-Authenticate points to our metadata of the server, which names our address as the resource.',
		apply: (seen, {metadata}) => {
			const challenges = fieldValues(seen, 'www-authenticate').map(
				(value): Field => [
					'www-authenticate',
					value.replace(/resource_metadata="[^"]*"/, `resource_metadata="${metadata}"`),
				],
			);
			return set(seen, ...challenges);
		},
	},
];

const passed = [
	'accept',
	'content-type',
	'last-event-id',
	'user-agent',
	'traceparent',
	'tracestate',
	'baggage',
	'authorization',
];

const isOurCredential = (name: string, value: string): boolean =>
	name === 'x-api-key' || name === 'cookie' || (name === 'authorization' && /^bearer sbx_/i.test(value));

const framing = ['host', 'content-length'];

export const requestDifferences: readonly Difference<HttpMessage>[] = [
	{
		name: 'protocol version and query',
		reason: 'The upstream is asked in HTTP/1.1 at its own path and query.',
		apply: (seen) => ({...seen, start: seen.start.replace(/\?\S* /, ' ').replace(/1\.0$/, '1.1')}),
	},
	{
		name: 'fields named in Connection',
		reason: 'They are of one connection (RFC 9110, 7.6.1).',
		apply: (seen) => {
			const named = namedInConnection(seen);
			return without(seen, (name) => named.includes(name));
		},
	},
	{
		name: 'our credentials',
		reason: 'X-API-Key, cookies and tokens of ours are for us alone.',
		apply: (seen) => ({...seen, fields: seen.fields.filter(([name, value]) => !isOurCredential(name, value))}),
	},
	{
		name: 'allow-list',
		reason: 'Requests carry what MCP needs and what forward_headers adds, and nothing else.',
		apply: (seen, {server}) => {
			const added = (server.forward_headers ?? []).map((name) => name.toLowerCase());
			const names = [...framing, ...hopByHop, ...passed, ...added];
			return without(seen, (name) => !names.includes(name) && !name.startsWith('mcp-'));
		},
	},
	{
		name: 'encoding of answers',
		reason: 'Compressed answers could be neither logged nor streamed: none are asked for.',
		apply: (seen) => set(seen, ['accept-encoding', 'identity']),
	},
	{
		name: 'framing of bodies',
		reason: 'A body is judged whole, so its length is known, and trailers are gone.',
		apply: (seen) => ({
			...(seen.start.startsWith('POST ') ? set(seen, ['content-length', String(seen.body.length)]) : seen),
			trailers: [],
		}),
	},
	{
		name: 'upstream_headers',
		reason: "The server's own fields are added last and win.",
		apply: (seen, {server}) =>
			set(
				seen,
				...Object.entries(server.upstream_headers ?? {}).map(([name, value]): Field => [name.toLowerCase(), value]),
			),
	},
];

/** Answers that the proxy gives itself, and why. */
export const ownAnswers: Readonly<Record<string, string>> = {
	methods: 'MCP knows POST, GET and DELETE; everything else is answered 405 by us.',
	preflight: 'Origins are checked by us, so OPTIONS is answered by us.',
	origin: 'A foreign Origin or Host is refused with 403: rewriting Host would hide DNS rebinding from the upstream.',
	'body gate': 'What is no strict UTF-8 JSON in clear is refused, and nothing of it is forwarded.',
	'bodies of GET and DELETE': 'MCP gives them none, and nothing would judge it.',
	'headers unlike the body': 'Mcp-Method and Mcp-Name must say what the body says: 400 and -32020.',
	'dead upstream': 'An upstream that breaks off before the client got any of its answer is 502, with the id.',
	'larger heads': 'What reads heads here takes 16 KiB of them, from either side: 431 to a client, 502 for an upstream.',
	'encoded answer': 'An upstream that compresses although it was told not to cannot be read: 502.',
};
