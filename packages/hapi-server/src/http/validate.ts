import {invalidFields, schemaProblems} from '@signalbox/core';
import type {z} from 'zod';

const say: z.core.$ZodErrorMap = (issue) => {
	const isWrong = issue.code === 'invalid_type' || issue.code === 'invalid_value';
	if (isWrong && issue.input === undefined) return 'is required';
	return undefined;
};

/** How many fields at fault an answer names: enough to fix a form, and bounded. */
const maxDetails = 20;

/** The value as its schema reads it. @throws validation_error that names the fields at fault, never their values. */
export const validated = (schema: z.ZodType, value: unknown): unknown => {
	const result = schema.safeParse(value, {error: say});
	if (result.success) return result.data;
	const details = schemaProblems(result.error).slice(0, maxDetails);
	throw invalidFields(details.map(({path, message}) => ({path: path || 'body', message})));
};
