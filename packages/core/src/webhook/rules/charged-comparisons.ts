import {CaseTag, type Context, defaultOperators, type Emitter, type Liquid} from 'liquidjs';
import type {StepLimit} from './step-limit.ts';

type Operator = (...operands: readonly unknown[]) => unknown;

/** Each render has the limit of its webhook. */
const limitOf = (context: Context): StepLimit => context.renderLimit as unknown as StepLimit;

/** What is read to find out: all of what is searched; of two that are compared, as much as the shorter one has. */
type ReadOf = (left: unknown, right: unknown) => unknown;

const isLong = (value: unknown): value is string | readonly unknown[] =>
	typeof value === 'string' || Array.isArray(value);

const shorter: ReadOf = (left, right) => {
	if (!isLong(left) || !isLong(right) || typeof left !== typeof right) return undefined;
	return left.length < right.length ? left : right;
};

const searched: ReadOf = (left) => left;

const readBy: Readonly<Record<string, ReadOf>> = {
	...Object.fromEntries(['==', '!=', '<', '>', '<=', '>='].map((name) => [name, shorter])),
	contains: searched,
};

/** LiquidJS compares to the end, however long that is, and counts nothing. */
const charged = (operator: Operator, read: ReadOf): Operator =>
	function* (left, right, context): Generator<unknown, unknown, unknown> {
		limitOf(context as Context).charge(read(left, right));
		return yield operator(left, right, context);
	};

export const chargedOperators = Object.fromEntries(
	Object.entries(defaultOperators).map(([name, operator]) => {
		const read = readBy[name];
		return [name, read === undefined ? operator : charged(operator as Operator, read)];
	}),
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
