import type {FieldPath} from '../../values/field-path.ts';
import {compileRegex, retryAfresh} from '../../values/linear-regex.ts';
import {referencesIn} from '../../values/template.ts';
import type {ConditionOperator} from '../model/middleware.ts';
import type {EnvMarkers} from './env-markers.ts';
import type {MessageView} from './message-view.ts';

/** Whether a condition holds, and what made it so, in words that show no value of a variable. */
export type ConditionVerdict = Readonly<{holds: boolean; because: string}>;

/** A condition made ready for many webhooks: judges the texts of the nodes that its field selects. */
export type Condition = (view: MessageView, path: FieldPath, markers: EnvMarkers) => ConditionVerdict;

/** Finds the first text that satisfies it. */
type Find = (texts: readonly string[]) => string | undefined;

const shownCharacters = 100;

const quote = (text: string): string =>
	JSON.stringify(text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text);

type FindOperator = 'equals' | 'contains' | 'matches';

const compileFind = (operator: FindOperator, value: string): Find => {
	switch (operator) {
		case 'equals':
			return (texts) => texts.find((text) => text === value);
		case 'contains':
			return (texts) => texts.find((text) => text.includes(value));
		case 'matches': {
			const regex = compileRegex(value);
			return (texts) => retryAfresh([regex], () => texts.find(regex.test));
		}
	}
};

const words = {
	equals: {does: 'equals', doesNot: 'does not equal'},
	not_equals: {does: 'equals', doesNot: 'does not equal'},
	contains: {does: 'contains', doesNot: 'does not contain'},
	matches: {does: 'matches', doesNot: 'does not match'},
} as const;

/** @throws SyntaxError that names the configuration only: what it resolves to is nobody's to read. */
const compileResolved = (operator: FindOperator, value: string, markers: EnvMarkers): Find => {
	const resolved = markers.resolve(markers.mark(value));
	try {
		return compileFind(operator, resolved);
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new SyntaxError(`${value} does not resolve to a pattern`);
	}
};

/** Compiled once where the value holds no reference, and for each webhook where it does. */
const compileFinder = (operator: FindOperator, value: string): ((markers: EnvMarkers) => Find) => {
	if (referencesIn(value).length > 0) return (markers) => compileResolved(operator, value, markers);
	const find = compileFind(operator, value);
	return () => find;
};

/**
 * Compiles a condition (specification, "Condition operators"). It holds if any node satisfies it; `not_equals` is the
 * negation of `equals`, also where there is no node or there are several.
 * @throws SyntaxError for a malformed pattern, with a message for people.
 */
export const compileCondition = (operator: ConditionOperator, value: string): Condition => {
	if (operator === 'exists')
		return (view, path) => {
			const holds = view.select(path).length > 0;
			return {holds, because: holds ? 'is there' : view.absence(path)};
		};
	const finder = compileFinder(operator === 'not_equals' ? 'equals' : operator, value);
	const isNegated = operator === 'not_equals';
	return (view, path, markers) => {
		const texts = view.select(path);
		const resolved = texts.map(markers.resolve);
		const found = finder(markers)(resolved);
		const shown = found === undefined ? undefined : texts[resolved.indexOf(found)];
		const absence = texts.length === 0 ? view.absence(path) : '';
		const because = judgement(texts, shown, {operator, value, markers, absence});
		return {holds: (found !== undefined) !== isNegated, because};
	};
};

type Asked = Readonly<{
	operator: Exclude<ConditionOperator, 'exists'>;
	value: string;
	markers: EnvMarkers;
	absence: string;
}>;

const judgement = (texts: readonly string[], found: string | undefined, asked: Asked): string => {
	const {operator, value, markers, absence} = asked;
	const {does, doesNot} = words[operator];
	if (found !== undefined) return `${quote(markers.show(found))} ${does} ${quote(value)}`;
	const [first] = texts;
	if (first === undefined) return `${absence}, so it ${doesNot} ${quote(value)}`;
	return texts.length === 1
		? `${quote(markers.show(first))} ${doesNot} ${quote(value)}`
		: `none of ${texts.length} values ${does} ${quote(value)}`;
};
