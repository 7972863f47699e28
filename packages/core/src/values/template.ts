/** `{{env.KEY}}`, blanks allowed inside the braces. Its parts exclude each other, so matching takes linear time. */
const reference = /\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}\}/g;

const onlyReference = new RegExp(`^${reference.source}$`);

/** True when the whole text is one reference. */
export const isReference = (text: string): boolean => onlyReference.test(text);

/** The keys that a text refers to, each once, in the order of their first mention. */
export const referencesIn = (text: string): readonly string[] =>
	// Most texts hold none, and to begin a search takes twenty times as long.
	text.includes('{{') ? [...new Set(Array.from(text.matchAll(reference), ([, key = '']) => key))] : [];

/** The text with each reference replaced by its value, in one pass: values are not scanned. The rest stays as it is. */
export const fillTemplate = (text: string, lookUp: (key: string) => string): string =>
	text.replace(reference, (_, key: string) => lookUp(key));

/** Characters that values add to all that they are put into together: a text may name one thousands of times. */
const mostFilled = 1024 * 1024;

/**
 * Lets values through as long as they are no more than that together.
 * @param tooLong what is thrown then, by the key whose value was too much.
 */
export const limitFilling = (tooLong: (key: string) => Error): ((key: string, value: string) => string) => {
	let length = 0;
	return (key, value) => {
		length += value.length;
		if (length > mostFilled) throw tooLong(key);
		return value;
	};
};

const httpUrl = (text: string): URL | undefined => {
	const url = URL.parse(text);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
};

const untouchable = ['protocol', 'username', 'password', 'host', 'hash'] as const;

/**
 * What is wrong with a text as a URL that may hold references, or undefined. Path and query may hold them, or the whole
 * URL may be one; a part of scheme, user, host, port or fragment may not: a secret in a host name leaks through DNS.
 */
export const templateUrlProblem = (text: string): string | undefined => {
	if (isReference(text)) return undefined;
	// Whatever a reference can change differs between two fillings.
	const [one, other] = ['a', 'b'].map((value) => httpUrl(fillTemplate(text, () => value)));
	if (one === undefined || other === undefined) return 'must be an absolute http or https URL';
	if (untouchable.every((part) => one[part] === other[part])) return undefined;
	return 'only the path and the query may hold {{env.KEY}}, or the whole URL may be one';
};

const segmentsOf = ({pathname}: URL): number => pathname.split('/').length;

/**
 * What values made of a URL that it was not to be, or undefined: a `#` cuts off what follows it, and `..` the path before
 * it. Never names a value. A whole `{{env.KEY}}` is a URL of its own.
 */
export const filledUrlProblem = (template: string, filled: URL): string | undefined => {
	const shape = isReference(template) ? undefined : httpUrl(fillTemplate(template, () => 'a'));
	if (shape === undefined) return undefined;
	if (shape.hash !== filled.hash) return 'A variable of the URL holds a #, which would cut off the rest: write %23.';
	if (segmentsOf(filled) < segmentsOf(shape)) return 'A variable of the URL would lead out of its path.';
	return undefined;
};

/** DNS knows no longer names. */
const longestHost = 253;

/** What is wrong with a destination as it is configured, or undefined. A whole `{{env.KEY}}` is judged when it resolves. */
export const destinationUrlProblem = (text: string): string | undefined => {
	const problem = templateUrlProblem(text);
	if (problem !== undefined) return problem;
	const url = URL.parse(text);
	if (url === null) return undefined;
	// Answers and traces show it.
	if (url.username !== '' || url.password !== '') return 'must hold no user name or password';
	return url.hostname.length > longestHost ? `must have a host name of at most ${longestHost} characters` : undefined;
};

/**
 * What destinations have in common that are one and the same host: the origin, or the reference that is the whole URL, which
 * stands for another one with everybody who has variables.
 */
export const destinationKeyOf = (
	url: string,
	{team_id, user_id}: Readonly<{team_id: string; user_id: string}>,
): string =>
	isReference(url) ? `{{env.${referencesIn(url)[0]}}} ${team_id} ${user_id}` : (URL.parse(url)?.origin ?? url);
