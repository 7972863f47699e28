import type {z} from 'zod';
import type {ErrorDetail} from './error-detail.ts';
import {issueWords} from './issue-words.ts';

const problemsOf = (issue: z.core.$ZodIssue): readonly ErrorDetail[] => {
	const message = issueWords(issue);
	const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
	return paths.map((path) => ({path: pathOf(path), message}));
};

/** Every field at fault, by the first thing that is wrong with it, with its dotted path; an unknown field is named itself. */
export const schemaProblems = (error: z.ZodError): readonly ErrorDetail[] => {
	const first = new Map<string, ErrorDetail>();
	for (const problem of error.issues.flatMap(problemsOf))
		if (!first.has(problem.path)) first.set(problem.path, problem);
	return [...first.values()];
};

/** The first thing that is wrong with a single value; undefined: nothing. */
export const schemaProblem = (schema: z.ZodType, value: unknown): string | undefined => {
	const issue = schema.safeParse(value).error?.issues[0];
	return issue && issueWords(issue);
};

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');
