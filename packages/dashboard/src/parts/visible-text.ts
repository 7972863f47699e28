/** A run of text as it stands, or a character that would not be seen, or would move others, under its name. */
export type Piece = Readonly<{text: string; mark?: string}>;

/**
 * Controls (ANSI escapes begin with one), bidi overrides, zero-width and other invisible characters, private and unpaired
 * ones, and spaces that are no space.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
const unseenRuns = new RegExp(`(?:${unseen.source})`, 'gu');

/** What joins and dresses emoji is part of what is seen. */
const emoji = /\p{Extended_Pictographic}(?:\ufe0f|\u200d\p{Extended_Pictographic}|\p{Emoji_Modifier})+/gu;

const names: Readonly<Record<number, string>> = {
	0: 'NUL',
	7: 'BEL',
	8: 'BS',
	11: 'VT',
	12: 'FF',
	13: 'CR',
	27: 'ESC',
	127: 'DEL',
	155: 'CSI',
	160: 'NBSP',
	173: 'SHY',
	8203: 'ZWSP',
	8204: 'ZWNJ',
	8205: 'ZWJ',
	8206: 'LRM',
	8207: 'RLM',
	1564: 'ALM',
	8232: 'LS',
	8233: 'PS',
	8234: 'LRE',
	8235: 'RLE',
	8236: 'PDF',
	8237: 'LRO',
	8238: 'RLO',
	8288: 'WJ',
	8294: 'LRI',
	8295: 'RLI',
	8296: 'FSI',
	8297: 'PDI',
	65279: 'BOM',
};

const nameOf = (character: string): string => {
	const code = character.codePointAt(0) ?? 0;
	return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

const marked = (text: string): Piece[] => {
	const pieces: Piece[] = [];
	let end = 0;
	for (const match of text.matchAll(unseenRuns)) {
		if (match[0] === '\t') continue;
		if (match.index > end) pieces.push({text: text.slice(end, match.index)});
		pieces.push({text: match[0], mark: nameOf(match[0])});
		end = match.index + match[0].length;
	}
	if (end < text.length) pieces.push({text: text.slice(end)});
	return pieces;
};

/** One line of any text, so that nothing in it hides, moves or colours anything else. */
export const visiblePieces = (line: string): readonly Piece[] => {
	if (!unseen.test(line)) return line === '' ? [] : [{text: line}];
	const pieces: Piece[] = [];
	let end = 0;
	for (const match of line.matchAll(emoji)) {
		pieces.push(...marked(line.slice(end, match.index)), {text: match[0]});
		end = match.index + match[0].length;
	}
	return [...pieces, ...marked(line.slice(end))];
};
