import type {Middleware, RoutingRule} from '@signalbox/core';
import {type Codecs, defineTable, flag, json, nullable, number, type Table, text} from '../table.ts';

type Common = Pick<Middleware, 'id' | 'endpoint_id' | 'name' | 'sort_order' | 'is_active'>;

const common: Codecs<Common> = {id: text(), endpoint_id: text(), name: text(), sort_order: number, is_active: flag};

/** The row does not know that a type has the config of its own: whoever wrote it did. */
type MiddlewareRow = Common & Pick<Middleware, 'type' | 'config'>;

export const middlewares = defineTable<MiddlewareRow>('webhook_middlewares', {
	...common,
	type: text(),
	config: json(),
}) as Table<Middleware>;

export const routingRules = defineTable<RoutingRule>('webhook_routing_rules', {
	...common,
	destination_url: text(),
	condition_source: nullable(text()),
	condition_field: nullable(text()),
	condition_operator: nullable(text()),
	condition_value: nullable(text()),
	retry_config: nullable(json()),
	headers_override: json(),
	transform_body: nullable(text()),
});
