import type {Resolver} from '../environment/resolver.ts';
import type {Cipher} from '../ports/index.ts';
import {isHeaderValue} from '../values/header-text.ts';
import {unresolvedMessage} from '../values/unresolved-message.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ResolvedTarget} from './model/target.ts';
import {headersOriginProblem, resolvedTargetUrl} from './rules/target-url.ts';
import {type OpenedHeaders, openUpstreamHeaders} from './upstream-headers.ts';

type Needs = Readonly<{cipher: Cipher; resolve: Resolver['resolve']}>;

export type TargetResolver = Readonly<{
	target(server: McpServerRecord): Promise<ResolvedTarget>;
	/** The target, if it is known already and cannot change while the record does not. */
	fixedTarget(server: McpServerRecord): ResolvedTarget | undefined;
}>;

/**
 * Answers the target of a server as it resolves now. Most hold no template: what they resolve to is worked out once for a
 * record, and kept as long as the record is, with its headers opened. (Opening them takes 30 us.)
 */
export const createTargetResolver = (needs: Needs): TargetResolver => {
	const fixed = new WeakMap<McpServerRecord, ResolvedTarget>();
	const resolve = async (server: McpServerRecord): Promise<ResolvedTarget> => {
		const known = fixed.get(server);
		if (known !== undefined) return known;
		const opened = openUpstreamHeaders(needs.cipher, server);
		if (opened === undefined) return refused('The upstream headers do not open with the master keys that are set.');
		const texts = [server.target_url, ...Object.values(opened.headers)];
		if (texts.some((text) => text.includes('{{'))) return await resolveTemplates(needs, server, {...opened, texts});
		const target = targetOf(server, server.target_url, opened);
		fixed.set(server, target);
		return target;
	};
	return {target: resolve, fixedTarget: (server) => fixed.get(server)};
};

const resolveTemplates = async (
	needs: Needs,
	server: McpServerRecord,
	{texts, ...opened}: OpenedHeaders & Readonly<{texts: readonly string[]}>,
): Promise<ResolvedTarget> => {
	const resolution = await needs.resolve(server, 'mcp', texts);
	if (!resolution.ok) return refused(resolution.unresolved.map(unresolvedMessage).join(' '));
	const [target_url = '', ...values] = resolution.texts;
	const headers = Object.fromEntries(Object.keys(opened.headers).map((name, at) => [name, values[at] ?? '']));
	return targetOf(server, target_url, {...opened, headers});
};

const targetOf = (server: McpServerRecord, target_url: string, {headers, origin}: OpenedHeaders): ResolvedTarget => {
	const url = resolvedTargetUrl(server.target_url, target_url);
	if (typeof url === 'string') return refused(url);
	const problem = headersOriginProblem(origin, url);
	if (problem !== undefined) return refused(problem);
	const bad = Object.keys(headers).find((name) => !isHeaderValue(headers[name] ?? ''));
	if (bad !== undefined) return refused(`The upstream header ${bad} resolves to what a header cannot hold.`);
	return {ok: true, url, headers};
};

const refused = (message: string) => ({ok: false, message}) as const;
