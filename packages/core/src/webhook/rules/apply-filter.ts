import {parseFieldPath} from '../../values/field-path.ts';
import type {MiddlewareConfigs} from '../model/middleware.ts';
import {compileCondition} from './condition.ts';
import type {Step} from './step.ts';

/**
 * A filter blocks a webhook when its condition holds (decisions, "Pipeline").
 * @throws SyntaxError for a malformed path or pattern.
 */
export const compileFilter = ({field, operator, value = ''}: MiddlewareConfigs['filter']): Step => {
	const path = parseFieldPath(field);
	const condition = compileCondition(operator, value);
	return (view, markers) => {
		const {holds, because} = condition(view, path, markers);
		const message = `${field}: ${because}`;
		return holds ? {outcome: 'blocked', message} : {outcome: 'passed', message};
	};
};
