/** `{{env.KEY}}`, blanks allowed inside the braces. Its parts exclude each other, so matching takes linear time. */
const reference = /\{\{[ \t]*env\.([A-Za-z_][A-Za-z0-9_]{0,127})[ \t]*\}\}/g;

const onlyReference = new RegExp(`^${reference.source}$`);

/** The keys that a text refers to, each once, in the order of their first mention. */
export const referencesIn = (text: string): readonly string[] => [
	...new Set(Array.from(text.matchAll(reference), ([, key = '']) => key)),
];

/** The text with each reference replaced by its value, in one pass: values are not scanned. The rest stays as it is. */
export const fillTemplate = (text: string, valueOf: (key: string) => string): string =>
	text.replace(reference, (_, key: string) => valueOf(key));

const httpUrl = (text: string): URL | undefined => {
	const url = URL.parse(text);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
};

const sameBut = (a: URL, b: URL, parts: readonly ('protocol' | 'username' | 'password' | 'host' | 'hash')[]): boolean =>
	parts.every((part) => a[part] === b[part]);

const authority = ['protocol', 'username', 'password', 'host'] as const;

/**
 * What is wrong with a text as a URL that may hold references, or undefined. Path and query may hold them, or the whole
 * URL may be one; a part of scheme, user, host, port or fragment may not: a secret in a host name leaks through DNS.
 */
export const urlTemplateProblem = (text: string): string | undefined => {
	if (onlyReference.test(text)) return undefined;
	// Whatever a reference can change differs between two fillings.
	const [one, other] = ['a', 'b'].map((value) => httpUrl(fillTemplate(text, () => value)));
	if (one === undefined || other === undefined) return 'must be an absolute http or https URL';
	if (sameBut(one, other, [...authority, 'hash'])) return undefined;
	return 'only the path and the query may hold {{env.KEY}}, or the whole URL may be one';
};

/**
 * The URL that a template led to, or undefined when it is no http(s) URL, or when a value reached beyond path and query.
 * `resolved` is `template` with its references replaced.
 */
export const resolvedUrl = (template: string, resolved: string): URL | undefined => {
	const url = httpUrl(resolved);
	if (url === undefined || onlyReference.test(template)) return url;
	const expected = httpUrl(fillTemplate(template, () => 'a'));
	return expected !== undefined && sameBut(url, expected, authority) ? url : undefined;
};
