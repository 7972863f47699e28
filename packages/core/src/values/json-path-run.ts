import {JSONPathEnvironment, type JSONPathQuery, jsonpath} from 'json-p3';
import {longNumberOf} from './parse-json.ts';

const {FilterSelector, IndexSelector, NameSelector, SliceSelector, WildcardSelector} = jsonpath.selectors;
const {
	BooleanLiteral,
	FunctionExtension,
	InfixExpression,
	LogicalExpression,
	NullLiteral,
	NumberLiteral,
	PrefixExpression,
	RelativeQuery,
	RootQuery,
	StringLiteral,
} = jsonpath.expressions;

export type Expression = InstanceType<typeof FunctionExtension>['args'][number];
export type Segment = JSONPathQuery['segments'][number];
type Selector = Segment['selectors'][number];

/** One evaluation of a query. Every value that is looked at is a step. */
export type PathRun = {
	readonly root: unknown;
	/** Whether `match` or `search` holds for a text: the pattern stands in the path. */
	readonly matches: (name: string, text: string, pattern: string) => boolean;
	stepsLeft: number;
	/** What a path with `$` selects does not change while a filter goes over its nodes. */
	readonly absolute: Map<Expression, readonly unknown[]>;
};

/** The library does not export the class of `..`. */
const DescendantSegment = new JSONPathEnvironment().compile('$..*').segments[0]?.constructor as new () => Segment;

export const isDescendant = (segment: Segment): boolean => segment instanceof DescendantSegment;

const spend = (run: PathRun, steps: number): void => {
	run.stepsLeft -= steps;
	if (run.stepsLeft < 0) throw new RangeError('the path takes too long for this body: let it look at fewer values');
};

/** About as many characters as are read in the time of one step. */
const spendOnText = (run: PathRun, {length}: string): void => spend(run, 4 + (length >> 3));

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && longNumberOf(value) === undefined;

const childrenOf = (value: unknown, run: PathRun): readonly unknown[] => {
	if (Array.isArray(value)) {
		spend(run, value.length + 1);
		return value;
	}
	const members = isObject(value) ? Object.values(value) : [];
	// An object of many members is a table, which is slow to go through.
	spend(run, 5 * members.length + 1);
	return members;
};

const at = (array: readonly unknown[], index: number): readonly unknown[] => {
	const place = index < 0 ? array.length + index : index;
	return place >= 0 && place < array.length ? [array[place]] : [];
};

type Slice = InstanceType<typeof SliceSelector>;

/** RFC 9535, 2.3.4.2.2. */
const sliceOf = (array: readonly unknown[], {start, stop, step = 1}: Slice, run: PathRun): readonly unknown[] => {
	const {length} = array;
	const clamp = (index: number, low: number, high: number) =>
		Math.min(Math.max(index < 0 ? length + index : index, low), high);
	const selected: unknown[] = [];
	if (step > 0) {
		const end = clamp(stop ?? length, 0, length);
		for (let index = clamp(start ?? 0, 0, length); index < end; index += step) selected.push(array[index]);
	} else if (step < 0) {
		const end = stop === undefined ? -1 : clamp(stop, -1, length - 1);
		for (let index = clamp(start ?? length - 1, -1, length - 1); index > end; index += step)
			selected.push(array[index]);
	}
	spend(run, selected.length);
	return selected;
};

const selectBy = (selector: Selector, value: unknown, run: PathRun): readonly unknown[] => {
	spend(run, 1);
	if (selector instanceof NameSelector)
		return isObject(value) && Object.hasOwn(value, selector.name) ? [value[selector.name]] : [];
	if (selector instanceof IndexSelector) return Array.isArray(value) ? at(value, selector.index) : [];
	if (selector instanceof SliceSelector) return Array.isArray(value) ? sliceOf(value, selector, run) : [];
	if (selector instanceof WildcardSelector) return childrenOf(value, run);
	if (selector instanceof FilterSelector)
		return childrenOf(value, run).filter((child) => holds(selector.expression, child, run));
	throw new TypeError(`No selector of RFC 9535: ${selector}`);
};

/** The values and all that is in them, each before what it holds. */
const descendantsOf = (values: readonly unknown[], run: PathRun): readonly unknown[] => {
	const visited: unknown[] = [];
	const ahead = values.toReversed();
	while (ahead.length > 0) {
		const value = ahead.pop();
		visited.push(value);
		const children = childrenOf(value, run);
		for (let index = children.length - 1; index >= 0; index -= 1) ahead.push(children[index]);
	}
	return visited;
};

/** What the segments select from a value, in order, a value once for each way that leads to it. */
export const selectFrom = (segments: readonly Segment[], start: unknown, run: PathRun): readonly unknown[] => {
	let values: readonly unknown[] = [start];
	for (const segment of segments) {
		if (values.length === 0) return values;
		const from = isDescendant(segment) ? descendantsOf(values, run) : values;
		values = selectByEach(segment.selectors, from, run);
	}
	return values;
};

const selectByEach = (selectors: readonly Selector[], values: readonly unknown[], run: PathRun): readonly unknown[] => {
	const [selector, ...others] = selectors;
	if (selector !== undefined && others.length === 0 && values.length === 1) return selectBy(selector, values[0], run);
	const selected: unknown[] = [];
	for (const value of values)
		for (const one of selectors) for (const child of selectBy(one, value, run)) selected.push(child);
	return selected;
};

const nodesOf = (query: Expression, current: unknown, run: PathRun): readonly unknown[] | undefined => {
	if (query instanceof RelativeQuery) return selectFrom(query.path.segments, current, run);
	if (!(query instanceof RootQuery)) return undefined;
	const known = run.absolute.get(query) ?? selectFrom(query.path.segments, run.root, run);
	run.absolute.set(query, known);
	return known;
};

/** Whether a logical expression of a filter holds for a value. */
const holds = (expression: Expression, current: unknown, run: PathRun): boolean => {
	if (expression instanceof LogicalExpression) return holds(expression.expression, current, run);
	spend(run, 1);
	if (expression instanceof PrefixExpression) return !holds(expression.right, current, run);
	if (expression instanceof InfixExpression) {
		const {left, operator, right} = expression;
		if (operator === '&&') return holds(left, current, run) && holds(right, current, run);
		if (operator === '||') return holds(left, current, run) || holds(right, current, run);
		return compare([operandOf(left, current, run), operandOf(right, current, run)], operator, run);
	}
	const nodes = nodesOf(expression, current, run);
	return nodes === undefined ? operandOf(expression, current, run) === true : nodes.length > 0;
};

/** The value of a comparable, undefined where it has none ("Nothing"). A number of any length is a number here. */
const operandOf = (expression: Expression, current: unknown, run: PathRun): unknown => {
	const nodes = nodesOf(expression, current, run);
	if (nodes !== undefined) return nodes.length === 1 ? numeric(nodes[0]) : undefined;
	if (expression instanceof FunctionExtension) return callOf(expression, current, run);
	if (expression instanceof NullLiteral) return null;
	return expression instanceof StringLiteral ||
		expression instanceof NumberLiteral ||
		expression instanceof BooleanLiteral
		? expression.value
		: undefined;
};

const numeric = (value: unknown): unknown => {
	const digits = longNumberOf(value);
	return digits === undefined ? value : Number(digits);
};

const callOf = ({name, args}: InstanceType<typeof FunctionExtension>, current: unknown, run: PathRun): unknown => {
	const [first, second] = args as [Expression, Expression | undefined];
	if (name === 'count') return nodesOf(first, current, run)?.length;
	const value = operandOf(first, current, run);
	if (name === 'value') return value;
	if (name === 'length') return lengthOf(value, run);
	if (typeof value !== 'string' || !(second instanceof StringLiteral)) return false;
	spendOnText(run, value);
	return run.matches(name, value, second.value);
};

/** Of a text in characters, not in UTF-16 units (RFC 9535, 2.4.4). */
const lengthOf = (value: unknown, run: PathRun): number | undefined => {
	if (typeof value === 'string') {
		spendOnText(run, value);
		return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
	}
	return Array.isArray(value) || isObject(value) ? childrenOf(value, run).length : undefined;
};

type Pair = readonly [left: unknown, right: unknown];

const compare = ([left, right]: Pair, operator: string, run: PathRun): boolean => {
	switch (operator) {
		case '==':
			return isEqual([left, right], run);
		case '!=':
			return !isEqual([left, right], run);
		case '<':
			return isLess([left, right], run);
		case '>':
			return isLess([right, left], run);
		case '<=':
			return isLess([left, right], run) || isEqual([left, right], run);
		default:
			return isLess([right, left], run) || isEqual([left, right], run);
	}
};

const isLess = ([left, right]: Pair, run: PathRun): boolean => {
	if (typeof left === 'number' && typeof right === 'number') return left < right;
	if (typeof left !== 'string' || typeof right !== 'string') return false;
	spendOnText(run, left);
	return left < right;
};

/** Whether two JSON values are the same, without recursion: they may be of any depth. */
const isEqual = (pair: Pair, run: PathRun): boolean => {
	if (typeof pair[0] !== 'object' && typeof pair[0] !== typeof pair[1]) return false;
	const ahead: Pair[] = [pair];
	for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
		const [left, right] = [numeric(next[0]), numeric(next[1])];
		spend(run, 1);
		if (typeof left === 'string' && left.length === (right as string | undefined)?.length) spendOnText(run, left);
		if (left === right) continue;
		const inner = pairsOf([left, right], run);
		if (inner === undefined) return false;
		for (const one of inner) ahead.push(one);
	}
	return true;
};

/** What two containers of one shape hold, in pairs; undefined when they differ in shape. */
const pairsOf = ([left, right]: Pair, run: PathRun): readonly Pair[] | undefined => {
	if (Array.isArray(left) && Array.isArray(right)) {
		if (left.length !== right.length) return undefined;
		spend(run, left.length);
		return left.map((value, index) => [value, right[index]]);
	}
	if (!isObject(left) || !isObject(right)) return undefined;
	const keys = Object.keys(left);
	spend(run, 5 * keys.length);
	const isSame = keys.length === childrenOf(right, run).length && keys.every((key) => Object.hasOwn(right, key));
	return isSame ? keys.map((key) => [left[key], right[key]]) : undefined;
};
