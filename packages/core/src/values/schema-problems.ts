import type {z} from 'zod';
import type {ErrorDetail} from './error-detail.ts';

/** Every field at fault, with its dotted path; an unknown field is named itself. */
export const schemaProblems = (error: z.ZodError): readonly ErrorDetail[] =>
	error.issues.flatMap((issue) => {
		if (issue.code === 'unrecognized_keys') {
			return issue.keys.map((key) => ({path: pathOf([...issue.path, key]), message: 'is not a known field'}));
		}
		const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
		return [{path: pathOf(issue.path), message}];
	});

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');
