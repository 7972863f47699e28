import {endOfString} from '../../values/parse-json.ts';

/** A value in a text, from `start` up to, not including, `end`. */
export type Span = Readonly<{start: number; end: number}>;

/** A member of an object in a text: where its key begins, and where its value stands. */
export type Member = Readonly<{key: string; key_start: number; value: Span}>;

const blank = /[\t\n\r ]*/y;
const scalar = /[^\t\n\r ,\]}]*/y;
const structure = /["[\]{}]/g;

const endOf = (expression: RegExp, text: string, at: number): number => {
	expression.lastIndex = at;
	expression.test(text);
	return expression.lastIndex;
};

const skipBlanks = (text: string, at: number): number => endOf(blank, text, at);

const endOfContainer = (text: string, start: number): number => {
	let depth = 0;
	for (let at = start; ; ) {
		structure.lastIndex = at;
		const found = structure.exec(text)?.[0];
		if (found === undefined) return text.length;
		at = found === '"' ? endOfString(text, structure.lastIndex - 1) : structure.lastIndex;
		if (found === '{' || found === '[') depth += 1;
		else if (found !== '"') depth -= 1;
		if (depth === 0) return at;
	}
};

/** The value that begins at `start`. The text is known to be JSON. */
const spanAt = (text: string, start: number): Span => {
	const first = text[start];
	if (first === '{' || first === '[') return {start, end: endOfContainer(text, start)};
	return {start, end: first === '"' ? endOfString(text, start) : endOf(scalar, text, start)};
};

/** The value that is the whole text, which is known to be JSON. */
export const rootOf = (text: string): Span => spanAt(text, skipBlanks(text, 0));

/** What stands between the brackets of a container, one after the other: `read` answers where its item ends. */
const readItems = (text: string, {start, end}: Span, read: (at: number) => number): void => {
	let at = skipBlanks(text, start + 1);
	while (at < end - 1) {
		at = skipBlanks(text, read(at));
		if (text[at] === ',') at = skipBlanks(text, at + 1);
	}
};

/** The members of an object, in their order, repeated ones too. */
export const membersOf = (text: string, object: Span): readonly Member[] => {
	const members: Member[] = [];
	readItems(text, object, (key_start) => {
		const key_end = endOfString(text, key_start);
		const value = spanAt(text, skipBlanks(text, skipBlanks(text, key_end) + 1));
		members.push({key: JSON.parse(text.slice(key_start, key_end)), key_start, value});
		return value.end;
	});
	return members;
};

/** The elements of an array. */
export const elementsOf = (text: string, array: Span): readonly Span[] => {
	const elements: Span[] = [];
	readItems(text, array, (start) => {
		const element = spanAt(text, start);
		elements.push(element);
		return element.end;
	});
	return elements;
};
