export type TokenKind = 'key' | 'string' | 'literal' | 'punctuation' | 'plain';

export type Token = Readonly<{kind: TokenKind; text: string}>;

/** A line of a text, as it is shown. */
export type Line = readonly Token[];

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

/** Behind the quote that ends the text which begins there: the first one with an even number of backslashes before it. */
const endOfText = (json: string, begin: number): number => {
	for (let quote = json.indexOf('"', begin + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
		let backslashes = 0;
		while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
		if (backslashes % 2 === 0) return quote + 1;
	}
	return json.length;
};

/** By hand where texts are: a pattern that takes one of megabytes needs as much of a stack. */
const tokensOf = (json: string): readonly string[] => {
	const token = /[{}[\],:]|[^\s{}[\],:"]+|"/g;
	const found: string[] = [];
	for (let match = token.exec(json); match !== null; match = token.exec(json)) {
		if (match[0] === '"') token.lastIndex = endOfText(json, match.index);
		found.push(json.slice(match.index, token.lastIndex));
	}
	return found;
};

/** Sets JSON in lines, by its characters: numbers, doubled names and the order of names stay as they were sent. */
const layOut = (text: string): readonly Line[] => {
	const lines: Token[][] = [];
	const found = tokensOf(text);
	let line: Token[] = [];
	let depth = 0;
	const breakLine = (): void => {
		lines.push(line);
		line = depth > 0 ? [{kind: 'plain', text: '  '.repeat(depth)}] : [];
	};
	found.forEach((token, at) => {
		const next = found[at + 1];
		if (token === '{' || token === '[') {
			const isEmpty = next === '}' || next === ']';
			line.push({kind: 'punctuation', text: token});
			depth += 1;
			if (!isEmpty) breakLine();
		} else if (token === '}' || token === ']') {
			depth -= 1;
			if (found[at - 1] !== '{' && found[at - 1] !== '[') breakLine();
			line.push({kind: 'punctuation', text: token});
		} else if (token === ',') {
			line.push({kind: 'punctuation', text: token});
			breakLine();
		} else if (token === ':') {
			line.push({kind: 'punctuation', text: ': '});
		} else {
			const kind = token.startsWith('"') ? (next === ':' ? 'key' : 'string') : 'literal';
			line.push({kind, text: token});
		}
	});
	return [...lines, line];
};

/** Longer lines are broken, so that each is quickly drawn. */
const longest = 2000;

const broken = (line: string): readonly Line[] => {
	if (line.length <= longest) return [[{kind: 'plain', text: line}]];
	return Array.from({length: Math.ceil(line.length / longest)}, (_, at) => [
		{kind: 'plain', text: line.slice(at * longest, (at + 1) * longest)},
	]);
};

const lengthOf = (line: Line): number => line.reduce((sum, {text}) => sum + text.length, 0);

const brokenTokens = (line: Line): readonly Line[] => {
	if (lengthOf(line) <= longest) return [line];
	return line.flatMap(({kind, text}) =>
		Array.from({length: Math.ceil(text.length / longest)}, (_, at) => [
			{kind, text: text.slice(at * longest, (at + 1) * longest)},
		]),
	);
};

/** A text in lines: JSON laid out, anything else as it is. */
export const linesOf = (text: string): Readonly<{json: boolean; lines: readonly Line[]}> =>
	/^\s*[[{]/.test(text) && isJson(text)
		? {json: true, lines: layOut(text).flatMap(brokenTokens)}
		: {json: false, lines: text.split(/\r?\n/).flatMap(broken)};
