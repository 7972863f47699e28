import {linesIn, linesOfPairs, pairsOf} from '../parts/line-pairs.ts';
import type {StepConfig, StepType} from './step-kinds.ts';

const textIn = (values: FormData, name: string): string => String(values.get(name) ?? '');

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

/** `gold` is a text, `7` a number, `{"a":1}` an object, `"7"` the text again. */
const parsedValue = (text: string): unknown => (isJson(text) ? JSON.parse(text) : text);

const textOfValue = (value: unknown): string =>
	typeof value === 'string' && !isJson(value) && !value.includes('\n') && value === value.trim()
		? value
		: JSON.stringify(value);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

const withSome = (set: object, remove: readonly string[]): StepConfig => ({
	...(Object.keys(set).length > 0 && {set}),
	...(remove.length > 0 && {remove}),
});

/** The config that a form describes. */
export const configOf = (type: StepType, values: FormData): StepConfig => {
	const removed = linesIn(textIn(values, 'config.remove'));
	const set = textIn(values, 'config.set');
	switch (type) {
		case 'filter': {
			const [field, operator] = [textIn(values, 'config.field').trim(), textIn(values, 'config.operator')];
			return operator === 'exists' ? {field, operator} : {field, operator, value: textIn(values, 'config.value')};
		}
		case 'transform_headers':
			return withSome(pairsOf(set, ':'), removed);
		case 'transform_body':
			return withSome(mapped(pairsOf(set, '='), parsedValue), removed);
		case 'delay':
			return {seconds: Number(textIn(values, 'config.seconds'))};
		case 'deduplicate':
			return {key: textIn(values, 'config.key').trim(), ttl: Number(textIn(values, 'config.ttl'))};
	}
};

/** What `set` holds, as lines to change. */
export const setText = (type: StepType, {set}: StepConfig): string =>
	type === 'transform_headers'
		? linesOfPairs(mapped(recordOf(set), String), ': ')
		: linesOfPairs(mapped(recordOf(set), textOfValue), ' = ');

export const removeText = ({remove}: StepConfig): string => (Array.isArray(remove) ? remove.join('\n') : '');
