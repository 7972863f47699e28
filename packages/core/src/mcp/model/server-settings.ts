import {z} from 'zod';
import {headerNameText, isHeaderValue} from '../../values/header-text.ts';
import {isConnectionHeader, isStoppedHeader} from '../../values/request-headers.ts';
import {nameText} from '../../values/text.ts';
import {approvalConfigSchema} from './approval-config.ts';
import {rateLimitConfigSchema} from './rate-limit-config.ts';
import {logBodiesSchema} from './server.ts';

const headerNameBut = (isRefused: (name: string) => boolean) =>
	headerNameText.refine((name) => !isRefused(name), 'must not be set here');

const headerValue = z
	.string()
	.max(8192)
	.refine((value) => isHeaderValue(value), 'must be one line of Latin-1 characters');

const withoutRepeats = (names: readonly string[]): boolean =>
	new Set(names.map((name) => name.toLowerCase())).size === names.length;

const upstreamHeadersSchema = z
	.record(headerNameBut(isConnectionHeader), headerValue)
	.refine((headers) => Object.keys(headers).length <= 50, 'must not hold more than 50 headers')
	.refine((headers) => withoutRepeats(Object.keys(headers)), 'must not name a header twice');

export const serverSettingsSchema = z.strictObject({
	name: nameText.optional(),
	/** Http or https; path and query may hold `{{env.KEY}}`, or the whole text may be one. */
	target_url: z.string().min(1).max(2048).optional(),
	is_active: z.boolean().optional(),
	default_cost_cents: z.int().min(0).max(1_000_000_000).optional(),
	/** The fields left out keep their value (on create: the default). */
	approval_config: approvalConfigSchema.partial().optional(),
	rate_limit_config: rateLimitConfigSchema.optional(),
	/** Header name to value; values may hold `{{env.KEY}}`. A value that is the mask keeps what is stored. */
	upstream_headers: upstreamHeadersSchema.optional(),
	forward_headers: z
		.array(headerNameBut(isStoppedHeader))
		.max(50)
		.refine(withoutRepeats, 'must not name a header twice')
		.optional(),
	allowed_methods: z
		.array(z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be the name of a method'))
		.max(50)
		.optional(),
	require_auth: z.boolean().optional(),
	log_bodies: logBodiesSchema.optional(),
});
/** What a request may set on a server. What is left out keeps its value; on create, it has its default. */
export type ServerSettings = z.input<typeof serverSettingsSchema>;

/** The same with everything parsed that has a default of its own. */
export type ParsedServerSettings = z.output<typeof serverSettingsSchema>;
