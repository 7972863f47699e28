/** What one field of a cron expression may hold. `names` stand for `from` and what follows. */
export type FieldRule = Readonly<{name: string; from: number; to: number; names?: readonly string[]}>;

/** A field as it is written: its values in order, and whether a `*` or a step wrote them. */
export type Field = Readonly<{values: readonly number[]; isStarred: boolean; isStepped: boolean}>;

export const minuteRule: FieldRule = {name: 'minute', from: 0, to: 59};
export const hourRule: FieldRule = {name: 'hour', from: 0, to: 23};
export const dayRule: FieldRule = {name: 'day of the month', from: 1, to: 31};
export const monthRule: FieldRule = {
	name: 'month',
	from: 1,
	to: 12,
	names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
/** Sunday stands at both ends, so that a range may end with it. */
export const weekdayRule: FieldRule = {
	name: 'weekday',
	from: 0,
	to: 7,
	names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
};

const partPattern = /^(?:\*|(\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?)(?:\/(\d{1,2}))?$/;

const numberOf = (text: string, {name, from, to, names = []}: FieldRule, isEnd: boolean): number => {
	const named = isEnd ? names.lastIndexOf(text) : names.indexOf(text);
	const value = named < 0 ? Number(text) : from + named;
	if (value >= from && value <= to) return value;
	throw new SyntaxError(`'${text}' is no ${name}: it goes from ${from} to ${to}.`);
};

/** @throws SyntaxError for what stands for no value of the field. */
export const fieldValueOf = (text: string, rule: FieldRule): number => numberOf(text, rule, false);

const stepOf = (text: string | undefined, {name, from, to}: FieldRule): number => {
	if (text === undefined) return 1;
	const step = Number(text);
	if (step >= 1 && step <= to - from + 1) return step;
	throw new SyntaxError(`A step of ${text} does not fit the ${name}: it goes from ${from} to ${to}.`);
};

const boundsOf = ([, first, last, step]: RegExpExecArray, rule: FieldRule): readonly [number, number] => {
	if (first === undefined) return [rule.from, rule.to];
	const from = fieldValueOf(first, rule);
	if (last === undefined && step !== undefined)
		throw new SyntaxError(`A step needs a range: write ${from}-${rule.to}/${step} or */${step}.`);
	const to = last === undefined ? from : numberOf(last, rule, true);
	if (from <= to) return [from, to];
	throw new SyntaxError(`The range ${first}-${last} runs backwards: write ${from}-${rule.to},${rule.from}-${to}.`);
};

const readPart = (text: string, rule: FieldRule): Field => {
	const match = partPattern.exec(text);
	if (!match) throw new SyntaxError(`'${text}' is no ${rule.name}, range, step or list.`);
	const [from, to] = boundsOf(match, rule);
	const step = stepOf(match[3], rule);
	const values = Array.from({length: Math.floor((to - from) / step) + 1}, (_, index) => from + index * step);
	return {values, isStarred: text.startsWith('*') && step === 1, isStepped: step > 1};
};

export const inOrder = (values: Iterable<number>): readonly number[] =>
	[...new Set(values)].toSorted((one, other) => one - other);

/**
 * Reads values, names, ranges, steps and lists of them, in lower case.
 *
 * @throws SyntaxError with the reason for people.
 */
export const readField = (parts: readonly string[], rule: FieldRule): Field => {
	const read = parts.map((part) => readPart(part, rule));
	return {
		values: inOrder(read.flatMap(({values}) => values)),
		isStarred: read.some(({isStarred}) => isStarred),
		isStepped: read.some(({isStepped}) => isStepped),
	};
};

const runsOf = (values: readonly number[]): readonly (readonly number[])[] => {
	const runs: number[][] = [];
	for (const value of values) {
		const run = runs.at(-1);
		if (run?.at(-1) === value - 1) run.push(value);
		else runs.push([value]);
	}
	return runs;
};

/** `1-5,8`: three or more in a row are a range. */
export const listText = (values: readonly number[]): string =>
	runsOf(values)
		.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(',')))
		.join(',');

/** How far apart they stand, if all are equally far. */
const strideOf = (values: readonly number[]): number | undefined => {
	const [first = 0, second = first] = values;
	const stride = second - first;
	return stride > 1 && values.every((value, index) => value === first + index * stride) ? stride : undefined;
};

/** A `*` or a step where that is what the values are, else a list. */
export const stepText = (values: readonly number[], {from, to}: FieldRule): string => {
	const [first = from] = values;
	const size = to - from + 1;
	if (values.length === size) return '*';
	const stride = strideOf(values);
	if (stride === undefined || (values.length === 2 && stride * 2 !== size)) return listText(values);
	const isWhole = first === from && first + values.length * stride > to;
	if (isWhole) return `*/${stride}`;
	return values.length > 2 ? `${first}-${values.at(-1)}/${stride}` : listText(values);
};
