import type {z} from 'zod';
import type {ErrorDetail} from './error-detail.ts';
import {issueWords} from './issue-words.ts';

/** Every field at fault, with its dotted path; an unknown field is named itself. */
export const schemaProblems = (error: z.ZodError): readonly ErrorDetail[] =>
	error.issues.flatMap((issue) => {
		const message = issueWords(issue);
		const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
		return paths.map((path) => ({path: pathOf(path), message}));
	});

/** The first thing that is wrong with a single value; undefined: nothing. */
export const schemaProblem = (schema: z.ZodType, value: unknown): string | undefined => {
	const issue = schema.safeParse(value).error?.issues[0];
	return issue && issueWords(issue);
};

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');
