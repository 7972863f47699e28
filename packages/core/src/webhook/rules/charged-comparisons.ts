import {CaseTag, type Context, defaultOperators, type Emitter, type Liquid} from 'liquidjs';
import type {StepLimit} from './step-limit.ts';

type Operator = (...operands: readonly unknown[]) => unknown;

/** Each render has the limit of its webhook. */
const limitOf = (context: Context): StepLimit => context.renderLimit as unknown as StepLimit;

/** LiquidJS compares to the end, however long that is, and counts nothing. */
const charged = (operator: Operator): Operator =>
	function* (left, right, context): Generator<unknown, unknown, unknown> {
		const limit = limitOf(context as Context);
		limit.charge(left);
		limit.charge(right);
		return yield operator(left, right, context);
	};

const comparing = ['==', '!=', '<', '>', '<=', '>=', 'contains'];

export const chargedOperators = Object.fromEntries(
	Object.entries(defaultOperators).map(([name, operator]) => [
		name,
		comparing.includes(name) ? charged(operator as Operator) : operator,
	]),
) as typeof defaultOperators;

/** Compares with each `when` as `==` does. */
class ChargedCaseTag extends CaseTag {
	override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
		const value = yield this.value.value(context, context.opts.lenientIf);
		for (const {values} of this.branches) for (const _ of values) limitOf(context).charge(value);
		yield super.render(context, emitter);
	}
}

export const chargeCases = (engine: Liquid): void => engine.registerTag('case', ChargedCaseTag);
