/** A value as a forgiving reader sees it: an object keeps every member that was written, in order, repeated or not. */
export type TolerantValue =
	| Readonly<{members: readonly (readonly [key: string, value: TolerantValue])[]}>
	| readonly TolerantValue[]
	| string
	/** A number, a literal or anything else that stands bare. */
	| Readonly<{bare: string}>;

type Reader = {readonly text: string; at: number};

const blank = /(?:[\s\p{Cc}\ufeff\u200b,;]|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*|\)\]\}',?)+/uy;
const bareWord = /[^\s\p{Cc},:{}[\]"'/]+/uy;
const escapes: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0'};

const take = (reader: Reader, pattern: RegExp): string => {
	pattern.lastIndex = reader.at;
	const [found = ''] = pattern.exec(reader.text) ?? [];
	reader.at += found.length;
	return found;
};

const readEscape = (reader: Reader): string => {
	const code = take(reader, /u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}/iy);
	if (code !== '') return String.fromCodePoint(Number.parseInt(code.replace(/[ux{}]/gi, ''), 16));
	const char = reader.text[reader.at++] ?? '';
	return escapes[char] ?? char;
};

const readText = (reader: Reader, quote: string): string => {
	let text = '';
	while (reader.at < reader.text.length) {
		const char = reader.text[reader.at++] ?? '';
		if (char === quote) break;
		text += char === '\\' ? readEscape(reader) : char;
	}
	return text;
};

const skip = (reader: Reader): string | undefined => {
	take(reader, blank);
	return reader.text[reader.at];
};

const readArray = (reader: Reader): TolerantValue => {
	const items: TolerantValue[] = [];
	for (let next = skip(reader); next !== undefined && next !== ']'; next = skip(reader)) items.push(readValue(reader));
	reader.at += 1;
	return items;
};

const readKey = (reader: Reader): string => {
	const key = readValue(reader);
	return typeof key === 'string' ? key : 'bare' in key ? key.bare : '';
};

const readObject = (reader: Reader): TolerantValue => {
	const members: [string, TolerantValue][] = [];
	for (let next = skip(reader); next !== undefined && next !== '}'; next = skip(reader)) {
		const key = readKey(reader);
		if (skip(reader) === ':') reader.at += 1;
		skip(reader);
		members.push([key, readValue(reader)]);
	}
	reader.at += 1;
	return {members};
};

const readValue = (reader: Reader): TolerantValue => {
	const char = skip(reader) ?? '';
	if (char === '{' || char === '[') {
		reader.at += 1;
		return char === '{' ? readObject(reader) : readArray(reader);
	}
	if (char === '"' || char === "'") {
		reader.at += 1;
		return readText(reader, char);
	}
	const bare = take(reader, bareWord);
	// What nobody can read is stepped over, so that every text comes to an end.
	if (bare === '') reader.at += 1;
	return {bare};
};

/**
 * Every value in a text, as the most forgiving of readers takes it: comments, either quote, bare keys, trailing commas,
 * odd blanks, unknown escapes and one value after another. It refuses nothing.
 */
export const readTolerantly = (text: string): readonly TolerantValue[] => {
	const reader: Reader = {text, at: 0};
	const values: TolerantValue[] = [];
	while (skip(reader) !== undefined) values.push(readValue(reader));
	return values;
};
