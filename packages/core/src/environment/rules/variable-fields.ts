import type {ErrorDetail} from '../../values/error-detail.ts';
import {schemaProblem} from '../../values/schema-problems.ts';
import {maxVariableBytes, variableKeySchema, variableScopeSchema} from '../model/variable.ts';

const longestDescription = 1000;

const keyProblem = (key: string): string | undefined => schemaProblem(variableKeySchema, key);

const valueProblem = (value: string): string | undefined => {
	// What is no Unicode text would come back changed.
	if (!value.isWellFormed()) return 'must be well-formed Unicode text';
	const bytes = new TextEncoder().encode(value).length;
	return bytes > maxVariableBytes ? `must have at most ${maxVariableBytes} bytes as UTF-8` : undefined;
};

const scopeProblem = (scope: string): string | undefined =>
	variableScopeSchema.safeParse(scope).success ? undefined : `must be one of ${variableScopeSchema.options.join(', ')}`;

const descriptionProblem = (description: string): string | undefined =>
	description.length > longestDescription ? `must have at most ${longestDescription} characters` : undefined;

const problemOf = {
	key: keyProblem,
	value: valueProblem,
	scope: scopeProblem,
	description: descriptionProblem,
} as const;

type Fields = Readonly<Partial<Record<keyof typeof problemOf, string | undefined>>>;

/** Every field at fault among those that are given. */
export const variableProblems = (fields: Fields): readonly ErrorDetail[] =>
	(Object.keys(problemOf) as (keyof typeof problemOf)[]).flatMap((path) => {
		const given = fields[path];
		const message = given === undefined ? undefined : problemOf[path](given);
		return message === undefined ? [] : [{path, message}];
	});
