import type {z} from 'zod';
import {counted} from './counted.ts';

type Issue = z.core.$ZodIssue;

type Of<Code extends Issue['code']> = Extract<Issue, {code: Code}>;

const types: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	record: 'an object',
};

const formats: Readonly<Record<string, string>> = {
	email: 'an email address, like ada@example.com',
	uuid: 'an id (a UUID)',
	url: 'a URL, like https://example.com',
	datetime: 'a time in UTC, like 2026-01-31T08:00:00Z',
	date: 'a date, like 2026-01-31',
};

const entries = ['entry', 'entries'] as const;
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
	string: ['character', 'characters'],
	array: entries,
	set: entries,
};

const bound = ({origin, exact}: Of<'too_small'> | Of<'too_big'>, amount: number | bigint, word: string): string => {
	const unit = units[origin];
	if (unit === undefined) return `must be ${exact ? 'exactly' : word} ${amount}`;
	return `must have ${exact ? 'exactly' : word} ${counted(amount, ...unit)}`;
};

const tooSmall = (issue: Of<'too_small'>): string => {
	const isEmptiness = issue.origin in units && issue.minimum === 1 && !issue.exact;
	return isEmptiness ? 'must not be empty' : bound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than');
};

const tooBig = (issue: Of<'too_big'>): string => bound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than');

/** Only the message says that there was nothing: issues hold no input. */
const wrongType = ({expected, message}: Of<'invalid_type'>): string =>
	message.endsWith('received undefined') ? 'is required' : `must be ${types[expected] ?? expected}`;

const wrongFormat = ({format, pattern}: Of<'invalid_format'>): string => {
	if (format === 'regex') return `must match the pattern ${pattern}`;
	return `must be ${formats[format] ?? `a valid ${format}`}`;
};

const oneOf = (values: readonly unknown[]): string =>
	`must be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;

const wordsOf = (issue: Issue): string | undefined => {
	if (issue.code === 'too_small') return tooSmall(issue);
	if (issue.code === 'too_big') return tooBig(issue);
	if (issue.code === 'invalid_type') return wrongType(issue);
	if (issue.code === 'invalid_format') return wrongFormat(issue);
	if (issue.code === 'invalid_value') return oneOf(issue.values);
	if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`;
	if (issue.code === 'invalid_union')
		return 'options' in issue && issue.options ? oneOf(issue.options) : 'has none of the forms that it may have';
	return undefined;
};

/** Where a schema has no words of its own, which begin in lower case, the validator's say what it computed. */
const isOfValidator = ({message}: Issue): boolean => /^(Invalid|Too (small|big)|Unrecognized)\b/.test(message);

/** What is wrong with a field, and so what to send instead, to be read behind its name. Never holds what was sent. */
export const issueWords = (issue: Issue): string => {
	if (issue.code === 'unrecognized_keys') return 'is not a known field';
	if (issue.code === 'invalid_key' && issue.issues[0] !== undefined) return issueWords(issue.issues[0]);
	return (isOfValidator(issue) ? wordsOf(issue) : undefined) ?? issue.message;
};
