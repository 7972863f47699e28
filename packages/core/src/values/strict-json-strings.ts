const quote = 0x22;
const backslash = 0x5c;

/** Where a string ends (the place of its closing quote), and what it holds that no strict reader takes. */
export type StringRead = Readonly<{end: number; forbidden: 'NUL' | 'a lone surrogate' | undefined}>;

export type StringReader = Readonly<{
	/** `from` is the place after the opening quote. */
	read(from: number): StringRead;
}>;

/**
 * Finds the ends of the strings of a text, which must be read from front to back. Searches for quotes and backslashes
 * natively and remembers what it found, so that no byte is searched twice.
 * @param ascii the same text, if each of its characters is one byte: searching it costs less.
 */
export const createStringReader = (bytes: Uint8Array, ascii: string | undefined): StringReader => {
	const nextQuote = ascii === undefined ? createSearch(bytes, quote) : createSearch(ascii, '"');
	const nextBackslash = ascii === undefined ? createSearch(bytes, backslash) : createSearch(ascii, '\\');
	return {
		read: (from) => {
			let at = from;
			let forbidden: StringRead['forbidden'];
			for (;;) {
				const end = nextQuote(at);
				const escapeAt = nextBackslash(at);
				if (escapeAt >= end) return {end, forbidden};
				const read = readEscape(bytes, escapeAt);
				forbidden ??= read.forbidden;
				at = read.next;
			}
		},
	};
};

type Searchable<T> = Readonly<{length: number; indexOf(sought: T, from: number): number}>;

/** Answers the first place of `sought` from `at` on, or the length of the text. `at` never goes back. */
const createSearch = <T>(text: Searchable<T>, sought: T) => {
	let found = -1;
	return (at: number): number => {
		if (found >= at) return found;
		const place = text.indexOf(sought, at);
		found = place < 0 ? text.length : place;
		return found;
	};
};

const readEscape = (bytes: Uint8Array, at: number): Readonly<{next: number; forbidden: StringRead['forbidden']}> => {
	const code = unicodeEscape(bytes, at);
	if (code === undefined) return {next: at + 2, forbidden: undefined};
	if (code === 0) return {next: at + 6, forbidden: 'NUL'};
	if (!isSurrogate(code)) return {next: at + 6, forbidden: undefined};
	const following = unicodeEscape(bytes, at + 6);
	const isPair = code < 0xdc00 && following !== undefined && following >= 0xdc00 && following <= 0xdfff;
	return isPair ? {next: at + 12, forbidden: undefined} : {next: at + 6, forbidden: 'a lone surrogate'};
};

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** The code of `\uXXXX` at that place, or undefined when something else stands there. */
const unicodeEscape = (bytes: Uint8Array, at: number): number | undefined => {
	if (bytes[at] !== backslash || bytes[at + 1] !== 0x75) return undefined;
	const digits = String.fromCharCode(...bytes.subarray(at + 2, at + 6));
	return /^[0-9A-Fa-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
};
