import type {ErrorDetail} from '../../values/error-detail.ts';
import {parseFieldPath} from '../../values/field-path.ts';
import {compileRegex} from '../../values/linear-regex.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import {referencesIn} from '../../values/template.ts';
import {type MiddlewareConfigs, middlewareConfigSchemas, type TypedConfig} from '../model/middleware.ts';
import {type MiddlewareSettings, middlewareSettingsSchema} from '../model/middleware-settings.ts';
import {compileProblems, headerProblems} from './problems.ts';
import {parseMemberPath} from './transform-body.ts';

/** A step as it is stored, before it has its place. */
export type ReadMiddleware = TypedConfig & Readonly<{name: string; is_active: boolean}>;

type Problems = readonly ErrorDetail[];

/** Variables stand in values: a path with one in it would name a field of that very name. */
const pathProblems = (path: string, text: string, parse: (text: string) => unknown): Problems =>
	referencesIn(text).length > 0
		? [{path, message: 'takes no {{env.KEY}}: values do'}]
		: compileProblems(path, () => parse(text));

const filterProblems = ({field, operator, value}: MiddlewareConfigs['filter']): Problems => {
	const path = pathProblems('config.field', field, parseFieldPath);
	if (operator === 'exists') return path;
	if (value === undefined) return [...path, {path: 'config.value', message: `is required with ${operator}`}];
	// A pattern with references is compiled with their values, for each webhook.
	const isPattern = operator === 'matches' && referencesIn(value).length === 0;
	return isPattern ? [...path, ...compileProblems('config.value', () => compileRegex(value))] : path;
};

const nothingToDo: Problems = [{path: 'config', message: 'must hold set or remove'}];

const transformHeadersProblems = ({set, remove}: MiddlewareConfigs['transform_headers']): Problems =>
	set === undefined && remove === undefined ? nothingToDo : headerProblems('config.set', Object.keys(set ?? {}));

const transformBodyProblems = ({set, remove}: MiddlewareConfigs['transform_body']): Problems =>
	set === undefined && remove === undefined
		? nothingToDo
		: [
				...Object.keys(set ?? {}).flatMap((path) => pathProblems(`config.set.${path}`, path, parseMemberPath)),
				...(remove ?? []).flatMap((path, at) => pathProblems(`config.remove.${at}`, path, parseMemberPath)),
			];

/** What a schema cannot say of a config. */
const configProblems = (typed: TypedConfig): Problems => {
	switch (typed.type) {
		case 'filter':
			return filterProblems(typed.config);
		case 'transform_headers':
			return transformHeadersProblems(typed.config);
		case 'transform_body':
			return transformBodyProblems(typed.config);
		case 'deduplicate':
			return pathProblems('config.key', typed.config.key, parseFieldPath);
		case 'delay':
			return [];
	}
};

/** Reads what a step is to be; paths and patterns are compiled once here, so that none that is malformed is stored. */
export const readMiddleware = (request: MiddlewareSettings): ReadSettings<ReadMiddleware> => {
	const read = middlewareSettingsSchema.safeParse(request);
	if (!read.success) return {ok: false, details: schemaProblems(read.error)};
	const {type, name, is_active, config} = read.data;
	const shape = middlewareConfigSchemas[type].safeParse(config);
	if (!shape.success) {
		const inConfig = schemaProblems(shape.error);
		return {ok: false, details: inConfig.map(({path, message}) => ({path: `config.${path}`, message}))};
	}
	// As it was sent: the schema leaves out a `__proto__`, and then nobody would be told.
	const typed = {type, config} as unknown as TypedConfig;
	const details = configProblems(typed);
	return details.length === 0 ? {ok: true, value: {...typed, name, is_active}} : {ok: false, details};
};
