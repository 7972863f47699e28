import {linesOfPairs, pairsOf} from '../parts/line-pairs.ts';

type Variables = Readonly<Record<string, string>>;

const mapValues = (variables: Variables, change: (value: string) => string): Variables =>
	Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, change(value)]));

/** As JSON where a line would not hold all of it. */
const written = (value: string): string =>
	/[\r\n]|^"/.test(value) || value !== value.trim() ? JSON.stringify(value) : value;

const read = (text: string): string => {
	if (!/^".*"$/.test(text)) return text;
	try {
		return String(JSON.parse(text));
	} catch {
		return text;
	}
};

/** `NAME=value` lines, as people write them. */
export const linesOfVariables = (variables: Variables): string => linesOfPairs(mapValues(variables, written), '=');

export const variablesIn = (text: string): Variables => mapValues(pairsOf(text, '='), read);
