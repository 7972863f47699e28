import {endOfString} from '../../values/parse-json.ts';

/** A value in a text, from `start` up to, not including, `end`. */
export type Span = Readonly<{start: number; end: number}>;

/** A text that is known to be JSON, and where each container in it ends, by where it begins. */
export type ScannedJson = Readonly<{text: string; ends: ReadonlyMap<number, number>}>;

/** A member of an object, or an element of an array under its index: where it begins, key included, and its value. */
export type Member = Readonly<{key: string; start: number; value: Span}>;

/** Looks at the text once; what is asked of it later looks at nothing twice. */
export const scanText = (text: string): ScannedJson => {
	const structure = /["[\]{}]/g;
	const ends = new Map<number, number>();
	const open: number[] = [];
	for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
		const [character] = found;
		if (character === '"') structure.lastIndex = endOfString(text, found.index);
		else if (character === '{' || character === '[') open.push(found.index);
		else ends.set(open.pop() ?? 0, structure.lastIndex);
	}
	return {text, ends};
};

const blank = /[\t\n\r ]*/y;
const scalar = /[^\t\n\r ,\]}]*/y;

const endOf = (expression: RegExp, text: string, at: number): number => {
	expression.lastIndex = at;
	expression.test(text);
	return expression.lastIndex;
};

const skipBlanks = (text: string, at: number): number => endOf(blank, text, at);

const spanAt = ({text, ends}: ScannedJson, start: number): Span => {
	if (text[start] === '"') return {start, end: endOfString(text, start)};
	return {start, end: ends.get(start) ?? endOf(scalar, text, start)};
};

/** The value that is the whole text. */
export const rootOf = (json: ScannedJson): Span => spanAt(json, skipBlanks(json.text, 0));

const memberAt = (json: ScannedJson, start: number): Member => {
	const {text} = json;
	const key_end = endOfString(text, start);
	const value = spanAt(json, skipBlanks(text, skipBlanks(text, key_end) + 1));
	return {key: JSON.parse(text.slice(start, key_end)), start, value};
};

/** What stands between the brackets of a container, in its order, repeated members too. */
export const membersOf = (json: ScannedJson, {start, end}: Span): readonly Member[] => {
	const {text} = json;
	const isObject = text[start] === '{';
	const members: Member[] = [];
	let at = skipBlanks(text, start + 1);
	while (at < end - 1) {
		const member = isObject ? memberAt(json, at) : {key: String(members.length), start: at, value: spanAt(json, at)};
		members.push(member);
		at = skipBlanks(text, member.value.end);
		if (text[at] === ',') at = skipBlanks(text, at + 1);
	}
	return members;
};
