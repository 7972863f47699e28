import {z} from 'zod';

/** The name of a header field (RFC 9110, 5.1). */
export const headerNameText = z
	.string()
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'must be the name of a header: letters, digits and hyphens');

const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** True for one line of Latin-1 characters: what a header field can hold. */
export const isHeaderValue = (text: string): boolean => headerValue.test(text);

/** Such a line, of a length that a setting may have. */
export const headerValueText = z.string().max(8192).regex(headerValue, 'must be one line of Latin-1 characters');
