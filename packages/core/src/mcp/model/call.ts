import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';

export const callStatusSchema = z.enum(['success', 'error', 'timeout']);
export type CallStatus = z.infer<typeof callStatusSchema>;

export const mcpCallSchema = z.object({
	id: recordId,
	mcp_server_id: recordId,
	method: z.string(),
	tool_name: z.string(),
	request_body: z.string(),
	response_body: z.string(),
	status: callStatusSchema,
	status_code: z.int(),
	error_message: z.string(),
	duration_ms: z.int(),
	source_ip: z.string(),
	headers: z.record(z.string(), z.string()),
	approval_id: recordId.nullable(),
	cost_cents: z.int(),
	created_at: instantText,
});
/** A logged proxied call: one JSON-RPC request and its answer. */
export type McpCall = z.infer<typeof mcpCallSchema>;

/** A call on its way into the log: bodies are still bytes, and the tenant is named. */
export type McpCallEntry = Omit<McpCall, 'request_body' | 'response_body'> &
	Readonly<{team_id: string; request_body: Uint8Array; response_body: Uint8Array}>;

export type CallFilter = Readonly<{
	server_id?: string | undefined;
	method?: string | undefined;
	tool_name?: string | undefined;
	status?: CallStatus | undefined;
	/** Inclusive. */
	from?: string | undefined;
	/** Exclusive. */
	to?: string | undefined;
}>;
