import {compileRegex, type LinearRegex} from './linear-regex.ts';

/** In RFC 9485 a dot is any character but a line break. */
const withoutBareDots = (pattern: string): string => {
	let isClass = false;
	return pattern.replaceAll(/\\.|[[\].]/gsu, (part) => {
		if (part === '.' && !isClass) return '[^\\n\\r]';
		if (part === '[') isClass = true;
		if (part === ']') isClass = false;
		return part;
	});
};

/**
 * Compiles a pattern of JSONPath's `match` (over the whole text) or `search` (anywhere in it); RFC 9485, and what else RE2
 * knows.
 * @throws SyntaxError with a message for people.
 */
export const compileIRegexp = (name: 'match' | 'search', pattern: string): LinearRegex => {
	const text = withoutBareDots(pattern);
	return compileRegex(name === 'match' ? `^(?:${text})$` : text);
};
