/** Where a request to `/wh` wants to go. */
export type IncomingPath = Readonly<{
	slug: string;
	/** What follows the slug: `/a/b`, or empty. */
	path: string;
	/** Without its question mark. */
	query: string;
}>;

const pattern = /^\/wh\/([A-Za-z0-9_-]{1,128})(\/[^?]*)?(?:\?(.*))?$/;

/** Reads a request target, or undefined when no endpoint could be meant. Path and query stay as they were written. */
export const readIncomingPath = (url: string): IncomingPath | undefined => {
	const [, slug, path = '', query = ''] = pattern.exec(url) ?? [];
	return slug === undefined ? undefined : {slug, path, query};
};
