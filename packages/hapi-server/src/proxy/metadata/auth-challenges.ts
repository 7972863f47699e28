/** Elements of a list with the commas that end them; a comma within a quoted string ends none (RFC 9110, 5.6.1). */
const element = /(?:"(?:[^"\\]|\\.)*"|[^",])*(?:,|$)/gy;

/**
 * The parameter in an element of its own, or behind the scheme that begins its challenge (RFC 9110, 11.6.1). An address is
 * no token, but is found unquoted all the same, and clients read it.
 */
const parameter =
	/^([ \t]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]+)?resource_metadata[ \t]*=[ \t]*)("(?:[^"\\]|\\.)*"|[^\s",]+)([ \t]*,?)$/i;

const unquoted = (value: string): string =>
	value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;

export type Readdressed = Readonly<{
	value: string;
	/** What the first `resource_metadata` said before. */
	named: string | undefined;
}>;

/**
 * The value of one `WWW-Authenticate` field with every `resource_metadata` (RFC 9728, 5.1) replaced and all else byte for
 * byte as it was. A field whose quotes do not close says nothing for certain and stays as it is.
 * @param address a URL: nothing in it needs an escape within quotes.
 */
export const readdressChallenges = (value: string, address: string): Readdressed => {
	const elements = [...value.matchAll(element)].map(([text]) => text);
	let named: string | undefined;
	if (elements.join('') !== value) return {value, named};
	const readdressed = elements.map((text) => {
		const [, before, found, after] = parameter.exec(text) ?? [];
		if (found === undefined) return text;
		named ??= unquoted(found);
		return `${before}"${address}"${after}`;
	});
	return {value: readdressed.join(''), named};
};
