import type {Middleware, TypedConfig} from '../model/middleware.ts';
import {compileFilter} from './apply-filter.ts';
import {bySortOrder} from './by-sort-order.ts';
import {compileDeduplicate} from './deduplicate.ts';
import {compileDelay} from './delay.ts';
import type {Step} from './step.ts';
import {compileTransformBody} from './transform-body.ts';
import {compileTransformHeaders} from './transform-headers.ts';

export type CompiledStep = Readonly<{middleware: Middleware; run: Step}>;

/** An endpoint's active middleware in order, made ready for many webhooks. */
export type Pipeline = readonly CompiledStep[];

/** @throws SyntaxError for a path or pattern that is malformed: no stored configuration holds one. */
const compileStep = (typed: TypedConfig): Step => {
	switch (typed.type) {
		case 'filter':
			return compileFilter(typed.config);
		case 'transform_headers':
			return compileTransformHeaders(typed.config);
		case 'transform_body':
			return compileTransformBody(typed.config);
		case 'delay':
			return compileDelay(typed.config);
		case 'deduplicate':
			return compileDeduplicate(typed.config);
	}
};

/** Compile once per version of an endpoint. */
export const compilePipeline = (middlewares: readonly Middleware[]): Pipeline =>
	middlewares
		.filter(({is_active}) => is_active)
		.toSorted(bySortOrder)
		.map((middleware) => ({middleware, run: compileStep(middleware)}));
