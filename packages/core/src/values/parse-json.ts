/**
 * `JSON.parse`, without its error about keys: V8 (seen in Node 24.21, not in 20) remembers the keys of the objects it parsed, and takes
 * `"a\n"` for a remembered key `a\` when that is how the text of the key begins. Whoever can send both could show a person
 * other names than the upstream reads. Keys written with an escape are therefore parsed under names without one.
 *
 * @param text decoded from UTF-8, and of bounded depth: objects with such keys are walked recursively.
 * @throws SyntaxError as `JSON.parse` does.
 */
export const parseJson = (text: string): unknown => parseWith(text, JSON.parse);

/**
 * The same, except that a number which a double cannot hold is an object that `JSON.stringify` writes as it stood there
 * (`JSON.rawJSON`).
 */
export const parseLosslessJson = (text: string): unknown =>
	parseWith(text, mayBeLong.test(text) ? parseNumbersWhole : JSON.parse);

/**
 * From its first digit on. Asked first, because most bodies hold none: with a look at each value, parsing takes ten times as
 * long. What goes before is looked at behind a digit: asked for first, it takes four times as long.
 */
const mayBeLong = /\d(?<=(?:^|[:[,\s])-?\d)(?:[\d.]{15,}(?:[eE][+-]?\d+)?|[\d.]*[eE][+-]?\d+)/;
const allThatMayBeLong = new RegExp(mayBeLong, 'g');

/** What ECMAScript has since JSON.parse hands on the source text, and the library's types do not. */
type RawJson = Readonly<{
	rawJSON(text: string): unknown;
	isRawJSON(value: unknown): boolean;
	parse(text: string, revive: (key: string, value: unknown, context: Readonly<{source?: string}>) => unknown): unknown;
}>;

const {rawJSON, isRawJSON, parse} = JSON as unknown as RawJson;

/** The digits of a number that `parseLosslessJson` kept as it stood; undefined for any other value. */
export const longNumberOf = (value: unknown): string | undefined =>
	isRawJSON(value) ? (value as Readonly<{rawJSON: string}>).rawJSON : undefined;

/**
 * Whether a text of JSON holds a number that a double cannot, so that whoever parses it sees another one. What looks like
 * such a number within a string may count, too. Time linear in the text.
 */
export const holdsLongNumber = (text: string): boolean => {
	for (const [digits] of text.matchAll(allThatMayBeLong)) if (!isExact(Number(digits), digits)) return true;
	return false;
};

const parseNumbersWhole = (text: string): unknown =>
	parse(text, (_key, value, {source}) =>
		typeof value === 'number' && source !== undefined && !isExact(value, source) ? rawJSON(source) : value,
	);

/** Whether the double says what the digits said. */
const isExact = (value: number, source: string): boolean => digitsOf(String(value)) === digitsOf(source);

/** The significant digits, without sign, point, exponent and the noughts around them. */
const digitsOf = (number: string): string =>
	number
		.replace(/[eE].*$/, '')
		.replaceAll(/[-.]/g, '')
		.replace(/^0+|0+$/g, '');

const parseWith = (text: string, parseText: (text: string) => unknown): unknown => {
	const value = parseText(text);
	if (!text.includes('\\')) return value;
	const escaped = withoutEscapedKeys(text);
	return escaped === undefined ? value : restored(parseText(escaped.text), escaped.keys);
};

/** Where the string that begins at `start` ends, its closing quote included. The text is known to be JSON. */
export const endOfString = (text: string, start: number): number => {
	for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
		let slashes = 0;
		while (text[quote - 1 - slashes] === '\\') slashes += 1;
		if (slashes % 2 === 0) return quote + 1;
	}
};

const isKey = (text: string, end: number): boolean => {
	let at = end;
	while (' \t\r\n'.includes(text[at] ?? '-')) at += 1;
	return text[at] === ':';
};

/** A lone surrogate: no key of a text that was decoded from UTF-8 can begin with it. */
const standIn = '\ud800';

/** The text with another name for each key that is written with an escape, and what each stands for. */
const withoutEscapedKeys = (text: string) => {
	const keys = new Map<string, string>();
	const parts: string[] = [];
	let copied = 0;
	for (let start = text.indexOf('"'); start >= 0; ) {
		const end = endOfString(text, start);
		const raw = text.slice(start, end);
		if (raw.includes('\\') && isKey(text, end)) {
			const name = `${standIn}${keys.size}`;
			keys.set(name, JSON.parse(raw));
			parts.push(text.slice(copied, start), `"${name}"`);
			copied = end;
		}
		start = text.indexOf('"', end);
	}
	return keys.size === 0 ? undefined : {text: parts.join('') + text.slice(copied), keys};
};

const restored = (value: unknown, keys: ReadonlyMap<string, string>): unknown => {
	if (typeof value !== 'object' || value === null || isRawJSON(value)) return value;
	if (Array.isArray(value)) return value.map((element) => restored(element, keys));
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [keys.get(key) ?? key, restored(inner, keys)]));
};
