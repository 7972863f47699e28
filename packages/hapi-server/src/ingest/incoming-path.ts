/** Where a request to `/wh` wants to go. */
export type IncomingPath = Readonly<{
	slug: string;
	/** What follows the slug: `/a/b`, or empty. */
	path: string;
	/** Without its question mark. */
	query: string;
}>;

/**
 * What stands before the path in the form for proxies, which a server must accept from anyone (RFC 9112, 3.2.2). No host, or a
 * name and password before it, is an error by RFC 9110, 4.2.
 */
const authority = /^https?:\/\/[^/?#@]+(?=\/)/i;

const pathOf = (target: string): string => (target.startsWith('/') ? target : target.replace(authority, ''));

/** Whether a request is a webhook's, by its target. */
export const isWebhook = (target: string): boolean => pathOf(target).startsWith('/wh/');

const pattern = /^\/wh\/([A-Za-z0-9_-]{1,128})(\/[^?]*)?(?:\?(.*))?$/;

/** Reads a request target, or undefined when no endpoint could be meant. Path and query stay as they were written. */
export const readIncomingPath = (target: string): IncomingPath | undefined => {
	const [, slug, path = '', query = ''] = pattern.exec(pathOf(target)) ?? [];
	return slug === undefined ? undefined : {slug, path, query};
};
