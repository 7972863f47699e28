import type {ErrorDetail} from '../../values/error-detail.ts';
import {headerNameText} from '../../values/header-text.ts';
import {compileJsonPath} from '../../values/json-path.ts';
import {compileRegex} from '../../values/linear-regex.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import {destinationUrlProblem, referencesIn} from '../../values/template.ts';
import type {ConditionOperator} from '../model/middleware.ts';
import type {ConditionSource} from '../model/routing-rule.ts';
import {type ParsedRuleSettings, type RuleSettings, ruleSettingsSchema} from '../model/rule-settings.ts';
import {compileBodyTemplate} from './body-template.ts';
import {compileProblems, headerProblems} from './problems.ts';

type Problems = readonly ErrorDetail[];

/** Which operators each source allows (specification, "Condition operators by source"). */
const operatorsOf: Readonly<Record<ConditionSource, readonly ConditionOperator[]>> = {
	header: ['equals', 'not_equals', 'contains', 'matches', 'exists'],
	body: ['equals', 'not_equals', 'contains', 'matches', 'exists'],
	method: ['equals', 'not_equals'],
};

const fieldProblems = (source: ConditionSource, field: string | null): Problems => {
	const path = 'condition_field';
	// There is one method only.
	if (source === 'method') return [];
	if (field === null) return [{path, message: `is required with condition_source ${source}`}];
	if (source === 'body') return compileProblems(path, () => compileJsonPath(field));
	const name = headerNameText.safeParse(field);
	return name.success ? [] : schemaProblems(name.error).map(({message}) => ({path, message}));
};

const valueProblems = (operator: ConditionOperator, value: string | null): Problems => {
	const path = 'condition_value';
	if (operator === 'exists') return [];
	if (value === null) return [{path, message: `is required with condition_operator ${operator}`}];
	// A pattern with references is compiled with their values, for each webhook.
	const isPattern = operator === 'matches' && referencesIn(value).length === 0;
	return isPattern ? compileProblems(path, () => compileRegex(value)) : [];
};

const withoutSource = ({condition_field, condition_operator, condition_value}: ParsedRuleSettings): Problems =>
	condition_field === null && condition_operator === null && condition_value === null
		? []
		: [{path: 'condition_source', message: 'is required with the other fields of a condition'}];

const conditionProblems = (rule: ParsedRuleSettings): Problems => {
	const {condition_source: source, condition_operator: operator} = rule;
	if (source === null) return withoutSource(rule);
	const path = 'condition_operator';
	if (operator === null) return [{path, message: 'is required with condition_source'}];
	const allowed = operatorsOf[source];
	if (!allowed.includes(operator)) return [{path, message: `with source ${source} must be ${allowed.join(' or ')}`}];
	return [...fieldProblems(source, rule.condition_field), ...valueProblems(operator, rule.condition_value)];
};

const destinationProblems = ({destination_url}: ParsedRuleSettings): Problems => {
	const message = destinationUrlProblem(destination_url);
	return message === undefined ? [] : [{path: 'destination_url', message}];
};

const templateProblems = ({transform_body}: ParsedRuleSettings): Problems =>
	transform_body === null ? [] : compileProblems('transform_body', () => compileBodyTemplate(transform_body));

/** Reads what a rule is to be; paths, patterns and templates are compiled once here, so that none that is malformed is stored. */
export const readRule = (request: RuleSettings): ReadSettings<ParsedRuleSettings> => {
	const read = ruleSettingsSchema.safeParse(request);
	if (!read.success) return {ok: false, details: schemaProblems(read.error)};
	const rule = read.data;
	const details = [
		...destinationProblems(rule),
		...conditionProblems(rule),
		...headerProblems('headers_override', Object.keys(rule.headers_override)),
		...templateProblems(rule),
	];
	return details.length === 0 ? {ok: true, value: rule} : {ok: false, details};
};

const noCondition = {condition_source: null, condition_field: null, condition_operator: null, condition_value: null};

/** What a rule is to be after a request that changes some of it. */
export const mergeRule = (current: RuleSettings, request: RuleSettings): RuleSettings => ({
	...current,
	...(request.condition_source === null && noCondition),
	...Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)),
});
