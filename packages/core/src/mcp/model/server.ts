import {z} from 'zod';
import type {Sealed} from '../../values/sealed.ts';
import {singularPathProblem} from '../../values/singular-path.ts';
import {instantText, nameText, recordId} from '../../values/text.ts';
import {approvalConfigSchema} from './approval-config.ts';
import {rateLimitConfigSchema} from './rate-limit-config.ts';

const singularPath = z
	.string()
	.min(1)
	.max(256)
	.superRefine((path, context) => {
		const problem = singularPathProblem(path);
		if (problem !== undefined) context.addIssue({code: 'custom', message: `is not a singular JSON path: ${problem}`});
	});

export const logBodiesSchema = z.strictObject({
	mode: z.enum(['full', 'redacted', 'none']),
	/** JSON paths (RFC 9535 singular paths, `$.params.arguments.card`) whose values are masked under `redacted`. */
	paths: z.array(singularPath).max(50),
});

export const mcpServerSchema = z.object({
	id: recordId,
	user_id: recordId,
	team_id: recordId,
	slug: z.string(),
	name: nameText,
	target_url: z.string(),
	is_active: z.boolean(),
	default_cost_cents: z.int().min(0),
	approval_config: approvalConfigSchema,
	rate_limit_config: rateLimitConfigSchema,
	/** Header names to a mask: values are never answered. */
	upstream_headers: z.record(z.string(), z.string()),
	/** Further request headers of the client that are passed on. */
	forward_headers: z.array(z.string()),
	/** Further JSON-RPC methods that pass while approvals are on. */
	allowed_methods: z.array(z.string()),
	require_auth: z.boolean(),
	log_bodies: logBodiesSchema,
	created_at: instantText,
	updated_at: instantText,
});
/** A registered MCP server, as its team sees it. */
export type McpServer = z.infer<typeof mcpServerSchema>;

export type McpServerRecord = Omit<McpServer, 'upstream_headers'> &
	Readonly<{
		/** Sealed JSON object of header name to value (templates unresolved), or null when there are none. */
		upstream_headers: Sealed | null;
		upstream_header_names: readonly string[];
		/** Rises with each update: what a held call compares to learn whether the configuration changed. */
		version: number;
	}>;
