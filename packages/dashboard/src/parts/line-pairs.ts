/** `Name: value` lines, as people write headers. Lines without the sign name something without a value. */
export const pairsOf = (text: string, sign: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		linesIn(text).map((line) => {
			const at = line.indexOf(sign);
			return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + sign.length).trim()];
		}),
	);

export const linesOfPairs = (pairs: Readonly<Record<string, string>>, sign: string): string =>
	Object.entries(pairs)
		.map(([name, value]) => `${name}${sign}${value}`)
		.join('\n');

/** The lines of a text that say something. */
export const linesIn = (text: string): readonly string[] =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
