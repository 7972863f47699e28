import {z} from 'zod';

/** The name of a header field (RFC 9110, 5.1). */
export const headerNameText = z
	.string()
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'must be the name of a header: letters, digits and hyphens');

/** One line of Latin-1 characters: what a header field can hold. */
export const headerValueText = z
	.string()
	.max(8192)
	.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of Latin-1 characters');
