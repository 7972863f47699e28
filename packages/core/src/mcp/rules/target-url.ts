import {filledUrlProblem, templateUrlProblem} from '../../values/template.ts';

/** What is wrong with a target as it is configured, or undefined. A whole `{{env.KEY}}` is judged when it resolves. */
export const targetUrlProblem = (target_url: string): string | undefined => {
	const problem = templateUrlProblem(target_url);
	if (problem !== undefined) return problem;
	const url = URL.parse(target_url);
	// The answer shows target_url, and upstream_headers are sealed.
	return url !== null && hasCredentials(url) ? 'must hold no user name or password: use upstream_headers' : undefined;
};

/** The target once its references are replaced, or what is wrong with it. Never names a value. */
export const resolvedTargetUrl = (configured: string, resolved: string): URL | string => {
	const url = URL.parse(resolved);
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
		return 'The target does not resolve to an http or https URL.';
	if (hasCredentials(url)) return 'The target resolves to a URL with a user name or password: use upstream_headers.';
	const origin = URL.parse(configured)?.origin ?? url.origin;
	if (url.origin !== origin) return 'The target resolves to another origin than the configured one.';
	return filledUrlProblem(configured, url) ?? url;
};

/**
 * Why headers that were given for an origin do not go to that URL, or undefined. Headers without one are let through: their
 * target says it, or an earlier release sealed them. Never names a value.
 */
export const headersOriginProblem = (given_for: string | undefined, url: URL): string | undefined => {
	if (given_for === undefined || given_for === url.origin) return undefined;
	return 'The target resolves to another origin than upstream_headers were given for: send upstream_headers anew for this one.';
};

/** True when headers meant for the one must not go to the other. A reference is an origin of its own. */
export const isOtherOrigin = (before: string, after: string): boolean => originOf(before) !== originOf(after);

const originOf = (target_url: string): string => URL.parse(target_url)?.origin ?? target_url.replaceAll(/\s/g, '');

const hasCredentials = ({username, password}: URL): boolean => username !== '' || password !== '';
