const step = /((?:[^.\\]|\\[.\\])*)(\.|$)/suy;

/**
 * Reads `a.b.c`: the names of members from the outermost on, or the index of an element of an array. `\.` is a literal
 * dot, `\\` a literal backslash.
 * @throws SyntaxError with a message for people.
 */
export const parseDottedPath = (text: string): readonly string[] => {
	const steps: string[] = [];
	for (step.lastIndex = 0; ; ) {
		const read = step.exec(text);
		if (read === null) throw new SyntaxError('a backslash must be followed by a dot or a backslash');
		const [, raw = '', end] = read;
		if (raw === '') throw new SyntaxError('must not have an empty part');
		steps.push(raw.replaceAll(/\\(.)/gsu, '$1'));
		if (end === '') return steps;
	}
};
