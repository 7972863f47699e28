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
	return {endpoint, pipeline, routing, env_keys: referencesIn(JSON.stringify([configs, values]))};
};
