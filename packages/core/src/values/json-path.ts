import {JSONPathEnvironment, JSONPathError, type JSONPathQuery} from 'json-p3';
import {compileIRegexp} from './i-regexp.ts';
import {jsonPathProblem} from './json-path-limits.ts';
import {selectFrom} from './json-path-run.ts';
import {type LinearRegex, retryAfresh} from './linear-regex.ts';

/** A compiled JSONPath. */
export type JsonPath = Readonly<{
	/** The values that it selects. @throws RangeError when that takes too many steps. */
	select(value: unknown): readonly unknown[];
}>;

const longest = 1024;
/** Values that a query may look at, each as often as it does: at most about 200 ns each. */
const mostSteps = 200_000;

const environment = new JSONPathEnvironment();

const parse = (text: string): JSONPathQuery => {
	if (text.length > longest) throw new SyntaxError(`is longer than ${longest} characters`);
	try {
		return environment.compile(text);
	} catch (error) {
		if (error instanceof JSONPathError) throw new SyntaxError(error.message);
		throw error;
	}
};

/** `match` and `search` on an engine that takes linear time. The patterns stand in the path, so they are few. */
const createPatterns = () => {
	const compiled = new Map<string, LinearRegex>();
	return {
		matches: (name: string, text: string, pattern: string): boolean => {
			const key = `${name} ${pattern}`;
			const regex = compiled.get(key) ?? compileIRegexp(name === 'match' ? name : 'search', pattern);
			compiled.set(key, regex);
			return regex.test(text);
		},
		all: () => [...compiled.values()],
	};
};

/**
 * Compiles a JSONPath (RFC 9535). No part of it is evaluated as code, and what could take more than linear time is refused.
 * @throws SyntaxError with a message for people.
 */
export const compileJsonPath = (text: string): JsonPath => {
	const query = parse(text);
	const problem = jsonPathProblem(query);
	if (problem !== undefined) throw new SyntaxError(problem);
	const {matches, all} = createPatterns();
	return {
		select: (root) =>
			retryAfresh(all(), () =>
				selectFrom(query.segments, root, {root, matches, stepsLeft: mostSteps, absolute: new Map()}),
			),
	};
};
