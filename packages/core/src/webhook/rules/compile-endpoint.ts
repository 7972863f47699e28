import {referencesIn} from '../../values/template.ts';
import type {EndpointRecord} from '../model/endpoint.ts';
import type {Middleware} from '../model/middleware.ts';
import type {RoutingRule} from '../model/routing-rule.ts';
import {compilePipeline, type Pipeline} from './compile-pipeline.ts';
import {type CompiledRule, compileRouting} from './compile-routing.ts';

/** An endpoint with its middleware and rules made ready for many webhooks. */
export type CompiledEndpoint = Readonly<{
	endpoint: EndpointRecord;
	pipeline: Pipeline;
	routing: readonly CompiledRule[];
	/** Variables whose values the pipeline may have to compare. */
	env_keys: readonly string[];
}>;

/** Of each text by itself: JSON writes a tab between the braces as two other characters. */
const referencesWithin = (value: unknown): readonly string[] => {
	const keys = new Set<string>();
	JSON.stringify(value, (_name, inner) => {
		if (typeof inner === 'string') for (const key of referencesIn(inner)) keys.add(key);
		return inner;
	});
	return [...keys];
};

/** Compile once per version of the endpoint. */
export const compileEndpoint = (
	endpoint: EndpointRecord,
	middlewares: readonly Middleware[],
	rules: readonly RoutingRule[],
): CompiledEndpoint => {
	const pipeline = compilePipeline(middlewares);
	const routing = compileRouting(rules);
	const configs = pipeline.map(({middleware}) => middleware.config);
	const values = routing.map(({rule}) => rule.condition_value);
	return {endpoint, pipeline, routing, env_keys: referencesWithin([configs, values])};
};
