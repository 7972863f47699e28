/** One part of a parsed glob. Characters are code points. */
export type GlobNode =
	| Readonly<{kind: 'literal'; character: number}>
	| Readonly<{kind: 'any'}>
	| Readonly<{kind: 'run'}>
	| Readonly<{kind: 'set'; has(character: number): boolean}>
	| Readonly<{kind: 'either'; alternatives: readonly (readonly GlobNode[])[]}>;

/** Longest pattern, in UTF-16 code units. */
const maxGlobLength = 256;

type Cursor = {readonly characters: readonly string[]; at: number};

/** @throws SyntaxError for a malformed pattern, with a message for people. */
export const parseGlob = (pattern: string): readonly GlobNode[] => {
	if (pattern === '') throw new SyntaxError('an empty pattern matches no name');
	if (pattern.length > maxGlobLength) throw new SyntaxError(`a pattern has at most ${maxGlobLength} characters`);
	const cursor: Cursor = {characters: Array.from(pattern), at: 0};
	const nodes = parseSequence(cursor, '');
	if (cursor.at < cursor.characters.length) throw unopened(cursor);
	return nodes;
};

/** Reads up to the end, or to the first of the characters `until` (which is left unread). */
const parseSequence = (cursor: Cursor, until: string): readonly GlobNode[] => {
	const nodes: GlobNode[] = [];
	for (let character = peek(cursor); character !== undefined; character = peek(cursor)) {
		if (until.includes(character)) break;
		nodes.push(parseNode(cursor, character));
	}
	return nodes;
};

const parseNode = (cursor: Cursor, character: string): GlobNode => {
	if (character === '}' || character === ']') throw unopened(cursor);
	cursor.at += 1;
	switch (character) {
		case '*':
			return {kind: 'run'};
		case '?':
			return {kind: 'any'};
		case '[':
			return parseSet(cursor);
		case '{':
			return parseAlternatives(cursor);
		default:
			return {kind: 'literal', character: codeOf(character)};
	}
};

const parseAlternatives = (cursor: Cursor): GlobNode => {
	const opened = cursor.at;
	const alternatives = [parseSequence(cursor, ',}')];
	while (peek(cursor) === ',') {
		cursor.at += 1;
		alternatives.push(parseSequence(cursor, ',}'));
	}
	if (peek(cursor) !== '}') throw new SyntaxError(`the "{" at character ${opened} is not closed`);
	cursor.at += 1;
	if (alternatives.every((alternative) => alternative.length === 0)) {
		throw new SyntaxError(`the "{}" at character ${opened} holds no alternative`);
	}
	return {kind: 'either', alternatives};
};

const parseSet = (cursor: Cursor): GlobNode => {
	const opened = cursor.at;
	const negated = peek(cursor) === '!' || peek(cursor) === '^';
	if (negated) cursor.at += 1;
	const ranges: (readonly [number, number])[] = [];
	// POSIX: a "]" that comes first is a member of the set.
	while (peek(cursor) !== ']' || ranges.length === 0) {
		if (peek(cursor) === undefined) throw new SyntaxError(`the "[" at character ${opened} is not closed`);
		ranges.push(parseRange(cursor));
	}
	cursor.at += 1;
	return {
		kind: 'set',
		has: (character) => ranges.some(([from, to]) => character >= from && character <= to) !== negated,
	};
};

const parseRange = (cursor: Cursor): readonly [number, number] => {
	const from = take(cursor);
	const end = cursor.characters[cursor.at + 1];
	if (peek(cursor) !== '-' || end === undefined || end === ']') return [codeOf(from), codeOf(from)];
	cursor.at += 1;
	const to = take(cursor);
	if (codeOf(from) > codeOf(to)) throw new SyntaxError(`the range "${from}-${to}" runs backwards`);
	return [codeOf(from), codeOf(to)];
};

const peek = (cursor: Cursor): string | undefined => cursor.characters[cursor.at];

const take = (cursor: Cursor): string => {
	const character = cursor.characters[cursor.at] as string;
	cursor.at += 1;
	return character;
};

const codeOf = (character: string): number => character.codePointAt(0) as number;

const unopened = (cursor: Cursor): SyntaxError =>
	new SyntaxError(
		`the "${peek(cursor)}" at character ${cursor.at + 1} closes nothing; write [${peek(cursor)}] for the character`,
	);
