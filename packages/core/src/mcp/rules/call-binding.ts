import type {McpServerRecord} from '../model/server.ts';

/** The settings that decide where a call goes and with what: an approval given under one set says nothing about another. */
const effectOf = (server: McpServerRecord): readonly unknown[] => [
	server.slug,
	server.target_url,
	server.upstream_headers?.data ?? null,
	server.forward_headers,
	server.require_auth,
];

/** What an approval binds to, as text: the arguments by their digest, and the effect of the server's configuration. */
export const callBinding = (server: McpServerRecord, arguments_digest: string): string =>
	JSON.stringify([arguments_digest, ...effectOf(server)]);

/** True when a call approved under `before` does the same under `after`. */
export const isSameInEffect = (before: McpServerRecord, after: McpServerRecord): boolean =>
	before.version === after.version || callBinding(before, '') === callBinding(after, '');
