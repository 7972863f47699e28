import {invalidField, invalidFields} from '@signalbox/core';
import type {z} from 'zod';
import {validated} from './validate.ts';

/** Query parameters as hapi reads them: one that came twice is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const single = (name: string, value: string | readonly string[] | undefined): string => {
	if (typeof value !== 'string') throw invalidField(name, 'may be given once only');
	if (value.includes('\0')) throw invalidField(name, 'must not contain a NUL character');
	return value;
};

/**
 * Reads query parameters by their schema; with none, no parameter is known.
 * @throws validation_error that names each parameter which is unknown, comes twice or does not fit.
 */
export const readQuery = (query: RawQuery, schema: z.ZodObject | undefined): unknown => {
	const known = Object.keys(schema?.shape ?? {});
	const unknown = Object.keys(query).filter((name) => !known.includes(name));
	if (unknown.length > 0)
		throw invalidFields(unknown.map((path) => ({path, message: 'is not a known query parameter'})));
	const values = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, single(name, value)]));
	return schema === undefined ? undefined : validated(schema, values);
};
