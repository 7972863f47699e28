import type {McpServerRecord} from '../model/server.ts';
import type {ResolvedTarget} from '../model/target.ts';

/**
 * The settings that decide where a call goes and with what: an approval given under one set says nothing about another.
 * Headers for the upstream are bound by what they resolve to (`isSameTarget`, `CallDigests.target`): sealed anew, the same ones
 * read differently.
 */
const effectOf = (server: McpServerRecord): readonly unknown[] => [
	server.slug,
	server.target_url,
	server.forward_headers,
	server.require_auth,
];

/** A target as text, for comparison. It holds secrets. */
export const targetText = (target: ResolvedTarget): string => JSON.stringify(target);

/** What an approval binds to besides the settings: digests, so that it holds no secret. */
export type CallDigests = Readonly<{arguments: string; target: string}>;

/** What an approval binds to, as text: the arguments, the effect of the server's configuration, and what it resolves to. */
export const callBinding = (server: McpServerRecord, digests: CallDigests): string =>
	JSON.stringify([digests.arguments, digests.target, ...effectOf(server)]);

/** True when a call approved under `before` does the same under `after`, as far as the server itself says. */
export const isSameInEffect = (before: McpServerRecord, after: McpServerRecord): boolean =>
	before.version === after.version || JSON.stringify(effectOf(before)) === JSON.stringify(effectOf(after));

/** True when both lead to one address with the same headers: a variable behind a template may change by itself. */
export const isSameTarget = (before: ResolvedTarget, after: ResolvedTarget): boolean =>
	targetText(before) === targetText(after);
