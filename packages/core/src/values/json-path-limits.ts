import {type JSONPathQuery, jsonpath} from 'json-p3';
import {compileIRegexp} from './i-regexp.ts';
import {type Expression, isDescendant, type Segment} from './json-path-run.ts';

const {FilterSelector, IndexSelector, NameSelector} = jsonpath.selectors;
const {
	FunctionExtension,
	InfixExpression,
	LogicalExpression,
	PrefixExpression,
	RelativeQuery,
	RootQuery,
	StringLiteral,
} = jsonpath.expressions;

type FunctionCall = InstanceType<typeof FunctionExtension>;

const mostSegments = 64;
const mostSelectors = 16;
const mostForks = 2;

/** A segment that leads one way: one name or one index. */
const isSingular = (segment: Segment): boolean =>
	!isDescendant(segment) &&
	segment.selectors.length === 1 &&
	(segment.selectors[0] instanceof NameSelector || segment.selectors[0] instanceof IndexSelector);

const functionProblem = ({name, args}: FunctionCall): string | undefined => {
	if (name !== 'match' && name !== 'search') return firstProblem(args);
	const [text, pattern] = args;
	if (!(pattern instanceof StringLiteral)) return `the pattern of ${name}() must be a text that stands in the path`;
	return patternProblem(name, pattern.value) ?? (text && expressionProblem(text));
};

const patternProblem = (name: 'match' | 'search', pattern: string): string | undefined => {
	try {
		compileIRegexp(name, pattern);
		return undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return `the pattern of ${name}() ${error.message}`;
		throw error;
	}
};

const firstProblem = (expressions: readonly Expression[]): string | undefined => {
	for (const expression of expressions) {
		const problem = expressionProblem(expression);
		if (problem !== undefined) return problem;
	}
	return undefined;
};

/** Whatever a filter asks is asked of each node that it is put to, so it must cost no more than the node is large. */
const expressionProblem = (expression: Expression): string | undefined => {
	if (expression instanceof LogicalExpression) return expressionProblem(expression.expression);
	if (expression instanceof PrefixExpression) return expressionProblem(expression.right);
	if (expression instanceof InfixExpression) return firstProblem([expression.left, expression.right]);
	if (expression instanceof FunctionExtension) return functionProblem(expression);
	if (expression instanceof RootQuery)
		return expression.path.segments.every(isSingular) ? undefined : 'a path with $ in a filter must lead to one place';
	if (expression instanceof RelativeQuery) return relativeProblem(expression.path.segments);
	return undefined;
};

const relativeProblem = (segments: readonly Segment[]): string | undefined => {
	if (segments.some(isDescendant)) return 'a filter must not hold ..';
	if (segments.some(({selectors}) => selectors.some((selector) => selector instanceof FilterSelector)))
		return 'a filter must not hold another one';
	return forkProblem(segments);
};

/** Where one node can be selected several times, each further segment multiplies the work. */
const forkProblem = (segments: readonly Segment[]): string | undefined => {
	if (segments.length > mostSegments) return `must not have more than ${mostSegments} segments`;
	if (segments.some(({selectors}) => selectors.length > mostSelectors))
		return `a bracket must not hold more than ${mostSelectors} selectors`;
	return segments.filter(({selectors}) => selectors.length > 1).length > mostForks
		? `not more than ${mostForks} brackets may hold several selectors`
		: undefined;
};

/**
 * What makes a query cost more than a small multiple of the size of what it is put to, or undefined. Such queries are
 * refused, so that no text of a stranger can make one slow.
 */
export const jsonPathProblem = ({segments}: JSONPathQuery): string | undefined => {
	if (segments.filter(isDescendant).length > 1) return '.. must not stand there twice';
	for (const {selectors} of segments) {
		for (const selector of selectors) {
			const problem = selector instanceof FilterSelector ? expressionProblem(selector.expression) : undefined;
			if (problem !== undefined) return problem;
		}
	}
	return forkProblem(segments);
};
