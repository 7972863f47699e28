import type {Resolver} from '../environment/resolver.ts';
import {invalidField} from '../errors.ts';
import type {Cipher} from '../ports/index.ts';
import {upstreamHeadersBinding} from '../values/binding.ts';
import {mask} from '../values/mask.ts';
import {isReference} from '../values/template.ts';
import {unresolvedMessage} from '../values/unresolved-message.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ParsedServerSettings} from './model/server-settings.ts';
import {isOtherOrigin, resolvedTargetUrl} from './rules/target-url.ts';

type Headers = Readonly<Record<string, string>>;
type Owner = Pick<McpServerRecord, 'id' | 'user_id' | 'team_id'>;
type Stored = Pick<McpServerRecord, 'upstream_headers' | 'upstream_header_names'>;
type Needs = Readonly<{cipher: Cipher; resolve: Resolver['resolve']}>;

/** What is sealed. `origin`: what they were given for, where `target_url` leaves that to a variable. */
export type OpenedHeaders = Readonly<{headers: Headers; origin?: string}>;

const none: OpenedHeaders = {headers: {}};

const noUpstreamHeaders: Stored = {upstream_headers: null, upstream_header_names: []};

/** Undefined when the text does not open: its master key is missing, or somebody changed it. */
export const openUpstreamHeaders = (cipher: Cipher, server: Owner & Stored): OpenedHeaders | undefined => {
	if (server.upstream_headers === null) return none;
	try {
		const opened = JSON.parse(cipher.open(server.upstream_headers, upstreamHeadersBinding(server)));
		// Earlier releases sealed no origin, whatever the target was.
		return Array.isArray(opened) ? {headers: opened[0], origin: opened[1]} : {headers: opened};
	} catch {
		return undefined;
	}
};

/** The sealed headers after the request. Another origin never gets headers that were meant for the one before. */
export const upstreamHeadersAfter = async (
	needs: Needs,
	current: McpServerRecord,
	request: ParsedServerSettings,
): Promise<Stored> => {
	const {target_url = current.target_url, upstream_headers: given} = request;
	const moves = isOtherOrigin(current.target_url, target_url);
	if (given === undefined) return moves ? noUpstreamHeaders : current;
	// What does not open any more is to be sent anew: a mask stands for nothing then.
	const known = (moves ? undefined : openUpstreamHeaders(needs.cipher, current)) ?? none;
	return await sealUpstreamHeaders(needs, {...current, target_url}, {given, known});
};

/**
 * Seals headers for the origin of the target, as it resolves now.
 * @throws validation_error for a mask without a value, and while a target that is a variable does not resolve.
 */
export const sealUpstreamHeaders = async (
	{cipher, resolve}: Needs,
	server: Owner & Pick<McpServerRecord, 'target_url'>,
	{given, known}: Readonly<{given: Headers; known: OpenedHeaders}>,
): Promise<Stored> => {
	const names = Object.keys(given);
	if (names.length === 0) return noUpstreamHeaders;
	const origin = await originGivenFor(resolve, server);
	const isStillMeant = known.origin === undefined || known.origin === origin;
	const headers = unmasked(given, isStillMeant ? known.headers : {});
	const text = JSON.stringify(origin === undefined ? headers : [headers, origin]);
	return {upstream_headers: cipher.seal(text, upstreamHeadersBinding(server)), upstream_header_names: names};
};

/** Undefined where `target_url` says it: whoever changes that loses the headers. */
const originGivenFor = async (
	resolve: Resolver['resolve'],
	server: Owner & Pick<McpServerRecord, 'target_url'>,
): Promise<string | undefined> => {
	if (!isReference(server.target_url)) return undefined;
	const resolution = await resolve(server, 'mcp', [server.target_url]);
	const url = resolution.ok
		? resolvedTargetUrl(server.target_url, resolution.texts[0] ?? '')
		: resolution.unresolved.map(unresolvedMessage).join(' ');
	// Bound later, they would go wherever somebody else lets the variable lead first.
	if (typeof url === 'string') throw invalidField('upstream_headers', `need a target_url that resolves: ${url}`);
	return url.origin;
};

/** Whoever sends back what they read sends masks: each stands for the value that is stored under its name. */
const unmasked = (request: Headers, known: Headers): Headers => {
	const stored = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
	const values = Object.entries(request).map(([name, value]) => {
		const meant = value === mask ? stored.get(name.toLowerCase()) : value;
		if (meant === undefined) throw invalidField(`upstream_headers.${name}`, 'is the mask: send the value itself');
		return [name, meant] as const;
	});
	return Object.fromEntries(values);
};
