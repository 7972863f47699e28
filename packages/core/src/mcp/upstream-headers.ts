import {invalidField} from '../errors.ts';
import type {Cipher} from '../ports/index.ts';
import {upstreamHeadersBinding} from '../values/binding.ts';
import {mask} from '../values/mask.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ParsedServerSettings} from './model/server-settings.ts';
import {isOtherOrigin} from './rules/target-url.ts';

type Headers = Readonly<Record<string, string>>;
type Owner = Pick<McpServerRecord, 'id' | 'user_id' | 'team_id'>;
type Stored = Pick<McpServerRecord, 'upstream_headers' | 'upstream_header_names'>;

export const noUpstreamHeaders: Stored = {upstream_headers: null, upstream_header_names: []};

/** @throws Error when the text does not open: its master key is missing, or somebody changed it. */
export const openUpstreamHeaders = (cipher: Cipher, server: Owner & Stored): Headers =>
	server.upstream_headers === null
		? {}
		: JSON.parse(cipher.open(server.upstream_headers, upstreamHeadersBinding(server)));

/** The sealed headers after the request. Another origin never gets headers that were meant for the one before. */
export const upstreamHeadersAfter = (
	cipher: Cipher,
	current: McpServerRecord,
	request: ParsedServerSettings,
): Stored => {
	const {target_url = current.target_url, upstream_headers} = request;
	const moves = isOtherOrigin(current.target_url, target_url);
	if (upstream_headers === undefined) return moves ? noUpstreamHeaders : current;
	const known = moves ? {} : openUpstreamHeaders(cipher, current);
	return sealUpstreamHeaders(cipher, current, unmasked(upstream_headers, known));
};

export const sealUpstreamHeaders = (cipher: Cipher, server: Owner, headers: Headers): Stored => {
	const names = Object.keys(headers);
	if (names.length === 0) return noUpstreamHeaders;
	return {
		upstream_headers: cipher.seal(JSON.stringify(headers), upstreamHeadersBinding(server)),
		upstream_header_names: names,
	};
};

/** Whoever sends back what they read sends masks: each stands for the value that is stored under its name. */
export const unmasked = (request: Headers, known: Headers): Headers => {
	const stored = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
	const values = Object.entries(request).map(([name, value]) => {
		const meant = value === mask ? stored.get(name.toLowerCase()) : value;
		if (meant === undefined) throw invalidField(`upstream_headers.${name}`, 'is the mask: send the value itself');
		return [name, meant] as const;
	});
	return Object.fromEntries(values);
};
