/** Steps from the root of a JSON value to one place in it: names of members and indexes of elements. */
export type SingularPath = readonly (string | number)[];

const name = /\.([A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*)/uy;
const index = /\[(0|-?[1-9][0-9]{0,14})\]/y;
const quoted = /\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]/uy;

/**
 * Reads a singular query of RFC 9535: `$`, then `.name`, `["name"]`, `['name']` or `[index]`; a negative index counts from
 * the end.
 * @throws SyntaxError for anything else, with a message for people.
 */
export const parseSingularPath = (text: string): SingularPath => {
	if (!text.startsWith('$')) throw new SyntaxError('a JSON path begins with $');
	const steps: (string | number)[] = [];
	let at = 1;
	while (at < text.length) {
		const step = readStep(text, at);
		if (step === undefined)
			throw new SyntaxError(`${JSON.stringify(text.slice(at, at + 20))} is not .name, ["name"] or [index]`);
		steps.push(step.value);
		at = step.end;
	}
	return steps;
};

/** What is wrong with the path, or undefined. */
export const singularPathProblem = (text: string): string | undefined => {
	try {
		parseSingularPath(text);
		return undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return error.message;
		throw error;
	}
};

const readStep = (text: string, at: number): Readonly<{value: string | number; end: number}> | undefined => {
	const match = (expression: RegExp) => {
		expression.lastIndex = at;
		return expression.exec(text);
	};
	const byName = match(name);
	if (byName) return {value: byName[1] as string, end: at + byName[0].length};
	const byIndex = match(index);
	if (byIndex) return {value: Number(byIndex[1]), end: at + byIndex[0].length};
	const byQuoted = match(quoted);
	if (!byQuoted) return undefined;
	const value = unquote(byQuoted[1] ?? (byQuoted[2] as string).replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"'));
	return value === undefined ? undefined : {value, end: at + byQuoted[0].length};
};

const unquote = (inner: string): string | undefined => {
	try {
		return JSON.parse(`"${inner}"`);
	} catch {
		return undefined;
	}
};
