import type {ApprovalRecord} from '../model/approval.ts';
import type {McpCallEntry} from '../model/call.ts';
import type {McpServerRecord} from '../model/server.ts';
import {compileBodyRedaction} from './redact-body.ts';

/**
 * The log entry of an approved call whose process died before the answer was logged: it may have run, or not. It holds
 * what the approval kept of the call, and the call costs what was set aside for it. Logged under the approval's id, as
 * the outcome itself would have been: there is one or the other.
 */
export const unknownOutcome = (approval: ApprovalRecord, server: McpServerRecord): McpCallEntry => {
	const {id, tool_name, request_body, consumed_at, created_at} = approval;
	const message = {jsonrpc: '2.0', method: 'tools/call', params: {name: tool_name, arguments: request_body}};
	return {
		id,
		mcp_server_id: server.id,
		team_id: server.team_id,
		method: message.method,
		tool_name,
		request_body: compileBodyRedaction(server.log_bodies)(new TextEncoder().encode(JSON.stringify(message))),
		response_body: new Uint8Array(),
		status: 'error',
		status_code: 0,
		error_message: 'outcome unknown',
		duration_ms: 0,
		source_ip: '',
		headers: {},
		approval_id: id,
		cost_cents: server.default_cost_cents,
		created_at: consumed_at ?? created_at,
	};
};
