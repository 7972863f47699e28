import type {VariableRecord, VariableScope, VariableUse} from '../model/variable.ts';

/** True when a variable of that scope is there for that use. */
export const isInScope = (scope: VariableScope, use: VariableUse): boolean => scope === 'all' || scope === use;

export type Choice =
	| Readonly<{ok: true; variable: VariableRecord}>
	| Readonly<{ok: false; because: 'missing' | 'out_of_scope'}>;

/**
 * The variable that a reference means: the first of that key, which then must be in scope. A variable that wins by its
 * owner hides the others also where its scope forbids its use: a reference never changes its meaning silently.
 */
export const chooseVariable = (candidates: readonly VariableRecord[], key: string, use: VariableUse): Choice => {
	const variable = candidates.find((candidate) => candidate.key === key);
	if (variable === undefined) return {ok: false, because: 'missing'};
	return isInScope(variable.scope, use) ? {ok: true, variable} : {ok: false, because: 'out_of_scope'};
};
