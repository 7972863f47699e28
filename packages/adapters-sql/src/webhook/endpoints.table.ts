import type {EndpointRecord} from '@signalbox/core';
import {type Codec, defineTable, flag, instant, json, nullable, number, sealed, text} from '../table.ts';

type PreviousSecret = NonNullable<EndpointRecord['previous_signing_secret']>;

const previousSecret: Codec<PreviousSecret> = {
	columns: (field) => [...sealed.columns(field), `${field}_until`],
	write: ({secret, until}) => [...sealed.write(secret), ...instant.write(until)],
	read: ([kid, data, until]) => ({secret: sealed.read([kid, data]), until: instant.read([until])}),
};

export const endpoints = defineTable<EndpointRecord>('webhook_endpoints', {
	id: text(),
	user_id: text(),
	team_id: text(),
	slug: text(),
	name: text(),
	destination_url: text(),
	routing_mode: text(),
	retry_config: nullable(json()),
	verification: json(),
	verification_secrets: nullable(sealed),
	signing_secret: sealed,
	previous_signing_secret: nullable(previousSecret),
	response: nullable(json()),
	is_active: flag,
	is_for_notices: flag,
	version: number,
	created_at: instant,
	updated_at: instant,
});
