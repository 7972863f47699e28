import {FunctionExpressionType, JSONPathEnvironment, JSONPathError, type JSONPathQuery} from 'json-p3';
import {compileIRegexp} from './i-regexp.ts';
import {jsonPathProblem} from './json-path-limits.ts';
import type {LinearRegex} from './linear-regex.ts';

/** A compiled JSONPath. */
export type JsonPath = Readonly<{
	/** The values that it selects. @throws RangeError when the value is too deep or too wide for it. */
	select(value: unknown): readonly unknown[];
}>;

const longest = 1024;

/** `match` and `search` of RFC 9535 on an engine that takes linear time. Patterns stand in the path, so they are few. */
const createPatternFunction = (name: 'match' | 'search') => {
	const compiled = new Map<string, LinearRegex>();
	return {
		argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
		returnType: FunctionExpressionType.LogicalType,
		call: (text: unknown, pattern: unknown): boolean => {
			if (typeof text !== 'string' || typeof pattern !== 'string') return false;
			const regex = compiled.get(pattern) ?? compileIRegexp(name, pattern);
			compiled.set(pattern, regex);
			return regex.test(text);
		},
	};
};

/** One for each path, so that what it compiled is freed with it. */
const createEnvironment = (): JSONPathEnvironment => {
	const environment = new JSONPathEnvironment();
	for (const name of ['match', 'search'] as const) environment.functionRegister.set(name, createPatternFunction(name));
	return environment;
};

const parse = (text: string): JSONPathQuery => {
	if (text.length > longest) throw new SyntaxError(`is longer than ${longest} characters`);
	try {
		return createEnvironment().compile(text);
	} catch (error) {
		if (error instanceof JSONPathError) throw new SyntaxError(error.message);
		throw error;
	}
};

/**
 * Compiles a JSONPath (RFC 9535). No part of it is evaluated as code, and what could take more than linear time is refused.
 * @throws SyntaxError with a message for people.
 */
export const compileJsonPath = (text: string): JsonPath => {
	const query = parse(text);
	const problem = jsonPathProblem(query);
	if (problem !== undefined) throw new SyntaxError(problem);
	return {
		select: (value) => {
			try {
				return query.query(value as Parameters<JSONPathQuery['query']>[0]).values();
			} catch (error) {
				if (error instanceof JSONPathError) throw new RangeError(error.message);
				throw error;
			}
		},
	};
};
