import {DomainError} from '@signalbox/core';
import type {z} from 'zod';

type Detail = Readonly<{path: string; message: string}>;

const say: z.core.$ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
	return undefined;
};

const detailsOf = (issue: z.core.$ZodIssue): readonly Detail[] => {
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((key) => ({path: [...issue.path, key].join('.'), message: 'is not a known field'}));
	}
	return [{path: issue.path.join('.') || 'body', message: issue.message}];
};

/** How many fields at fault an answer names: enough to fix a form, and bounded. */
const maxDetails = 20;

/** The value as its schema reads it. @throws validation_error that names the fields at fault, never their values. */
export const validated = (schema: z.ZodType, value: unknown): unknown => {
	const result = schema.safeParse(value, {error: say});
	if (result.success) return result.data;
	const details = result.error.issues.flatMap(detailsOf).slice(0, maxDetails);
	const [first] = details;
	throw new DomainError('validation_error', {message: `${first?.path}: ${first?.message}`, details});
};
