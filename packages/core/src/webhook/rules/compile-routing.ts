import type {FieldPath} from '../../values/field-path.ts';
import {compileJsonPath} from '../../values/json-path.ts';
import type {RoutingRule} from '../model/routing-rule.ts';
import {type BodyTemplate, compileBodyTemplate} from './body-template.ts';
import {bySortOrder} from './by-sort-order.ts';
import {type Condition, compileCondition} from './condition.ts';

/** A rule made ready for many webhooks. */
export type CompiledRule = Readonly<{
	rule: RoutingRule;
	/** Undefined: it always matches. */
	condition: Readonly<{path: FieldPath; judge: Condition}> | undefined;
	template: BodyTemplate | undefined;
}>;

const pathOf = ({condition_source, condition_field}: RoutingRule): FieldPath | undefined => {
	switch (condition_source) {
		case 'header':
			return {kind: 'header', name: (condition_field ?? '').toLowerCase()};
		case 'body':
			return {kind: 'json_path', path: compileJsonPath(condition_field ?? '')};
		case 'method':
			return {kind: 'method'};
		case null:
			return undefined;
	}
};

const conditionOf = (rule: RoutingRule): CompiledRule['condition'] => {
	const path = pathOf(rule);
	if (path === undefined || rule.condition_operator === null) return undefined;
	return {path, judge: compileCondition(rule.condition_operator, rule.condition_value ?? '')};
};

/** @throws SyntaxError for a malformed path, pattern or template: no stored rule holds one. */
const compileRule = (rule: RoutingRule): CompiledRule => ({
	rule,
	condition: conditionOf(rule),
	template: rule.transform_body === null ? undefined : compileBodyTemplate(rule.transform_body),
});

/** Active rules in order. Compile once per version of an endpoint. */
export const compileRouting = (rules: readonly RoutingRule[]): readonly CompiledRule[] =>
	rules
		.filter(({is_active}) => is_active)
		.toSorted(bySortOrder)
		.map(compileRule);
