/** What every answer that is data, not a page, carries. */
export const dataHeaders: Readonly<Record<string, string>> = {
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
};

/** The pages under /docs: our own files only, no inline script, no inline style sheet. */
export const pageHeaders: Readonly<Record<string, string>> = {
	...dataHeaders,
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
};

/** The pages of the dashboard: our own files only, no inline script, no inline style; the API on this origin alone. */
export const applicationHeaders: Readonly<Record<string, string>> = {
	...dataHeaders,
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"img-src 'self' data:",
		"font-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
	].join('; '),
};
