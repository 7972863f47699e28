import type {HeaderField, WebhookMessage} from '../../src/webhook/model/message.ts';
import type {Middleware, TypedConfig} from '../../src/webhook/model/middleware.ts';
import type {RoutingRule} from '../../src/webhook/model/routing-rule.ts';
import {createEnvMarkers, type EnvMarkers} from '../../src/webhook/rules/env-markers.ts';

export const messageOf = (
	body: unknown,
	{
		headers = [],
		method = 'POST',
		query = '',
	}: Readonly<{headers?: readonly HeaderField[]; method?: string; query?: string}> = {},
): WebhookMessage => ({
	method,
	path: '',
	query,
	headers,
	body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const bodyOf = ({body}: Pick<WebhookMessage, 'body'>): string => new TextDecoder().decode(body);

/** Steps in the order given. */
export const steps = (...configs: readonly TypedConfig[]): readonly Middleware[] =>
	configs.map((typed, sort_order) => ({
		...typed,
		id: `m${sort_order}`,
		endpoint_id: 'e1',
		name: `step ${sort_order}`,
		sort_order,
		is_active: true,
	}));

export const ruleOf = (rule: Partial<RoutingRule> = {}): RoutingRule => ({
	id: 'r1',
	endpoint_id: 'e1',
	name: 'a rule',
	destination_url: 'https://a.example/hook',
	condition_source: null,
	condition_field: null,
	condition_operator: null,
	condition_value: null,
	retry_config: null,
	headers_override: {},
	transform_body: null,
	sort_order: 0,
	is_active: true,
	...rule,
});

export const markersOf = (values: Readonly<Record<string, string>> = {}): EnvMarkers =>
	createEnvMarkers(() => 'n0nce', new Map(Object.entries(values).map(([key, value]) => [key, {value}])));
